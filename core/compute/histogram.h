// histogram_of(): sums by bin. Each block of threads on CUDA, and each chunk of indices on CPU threads, has bins of its
// own, so that no two wait for the same word. Sources that use it end with .cu.
#pragma once

#include <vector>

#include "compute/buffer.h"
#include "compute/launch_on_cuda.h"

namespace flipscope {

/// Whole numbers, modulo 2^64, so that the order of additions does not matter.
struct Bins {
    uint64_t* sums;        // on CPU threads
    uint32_t *low, *high;  // on CUDA: shared memory adds 32 bits at once
    FLIPSCOPE_HD void add(uint32_t bin, uint64_t weight) const {
#if defined(__CUDA_ARCH__)
        const auto part = static_cast<uint32_t>(weight);
        const uint32_t sum = atomicAdd(&low[bin], part) + part;
        const uint32_t rest = static_cast<uint32_t>(weight >> 32) + (sum < part);
        if (rest) atomicAdd(&high[bin], rest);
#else
        sums[bin] += weight;
#endif
    }
};

namespace detail {
#if defined(__CUDACC__)
inline constexpr uint32_t kHistogramThreads = 128, kMostHistogramBlocks = 132 * 16;

template <class Kernel>
__global__ void __launch_bounds__(kHistogramThreads, 8)
    histogram_blocks(Kernel kernel, uint32_t n, uint32_t bins, unsigned long long* sums) {
    wait_for_previous();
    __shared__ uint32_t low[Kernel::kMostBins], high[Kernel::kMostBins];
    for (uint32_t k = threadIdx.x; k < bins; k += kHistogramThreads) low[k] = high[k] = 0;
    __syncthreads();
    const Bins own{nullptr, low, high};
    for (uint64_t i = blockIdx.x * kHistogramThreads + threadIdx.x; i < n; i += gridDim.x * kHistogramThreads)
        kernel(static_cast<uint32_t>(i), own);
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < bins; k += kHistogramThreads)
        if (low[k] | high[k]) atomicAdd(&sums[k], (static_cast<unsigned long long>(high[k]) << 32) | low[k]);
}
#endif
}  // namespace detail

/// (bins) what kernel(i, Bins) adds for i in [0, n). `Kernel::kMostBins` is at most 6,000; `chunk`: indices of a task
/// of a CPU thread. Waits.
template <class Kernel>
std::vector<uint64_t> histogram_of(Context& context, const char* label, uint32_t n, uint32_t bins, uint32_t chunk,
                                   const Kernel& kernel) {
    Buffer<uint64_t> sums("histogram");
    sums.fill(context, bins, 0);
    if (n == 0) return sums.download();
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        const uint32_t blocks = std::min((n - 1) / detail::kHistogramThreads + 1, detail::kMostHistogramBlocks);
        launch_on_cuda(context, label, n, blocks, detail::kHistogramThreads, &detail::histogram_blocks<Kernel>, kernel,
                       n, bins, reinterpret_cast<unsigned long long*>(sums.view().data));
        return sums.download();
    }
#else
    detail::require_host(context, label);
#endif
    {
        Context::Stopwatch stopwatch(context, label, n);
        const View<uint64_t> all = sums.view();
        context.run_chunks((n - 1) / chunk + 1, [&](uint32_t task) {
            uint64_t found[Kernel::kMostBins];
            std::fill_n(found, bins, 0);
            const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(n, (uint64_t(task) + 1) * chunk));
            detail::for_indices<Kernel>(context.cancel_flag(), task * chunk, end, [&](uint32_t i) {
                kernel(i, Bins{found, nullptr, nullptr});
            });
            for (uint32_t k = 0; k < bins; ++k)
                if (found[k]) atomic_add(all[k], found[k]);
        });
    }
    return sums.download();
}

}  // namespace flipscope
