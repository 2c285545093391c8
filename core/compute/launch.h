// launch(): runs a kernel once for every index on the context's device. A kernel is a functor struct whose members are
// views and whose call operator is FLIPSCOPE_HD; a lambda would be type-erased on the host and cost 16 times as much.
// Sources that launch end with .cu: nvcc, if present, compiles them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "compute/atomics.h"
#include "compute/context.h"
#include "compute/launch_dependent.h"
#include "compute/view.h"

namespace flipscope {

/// The number of indices of a launch: known to the host, or stored in device memory with an upper bound known to the
/// host, so that passes can follow each other without a round trip.
struct Extent {
    uint32_t bound = 0;
    const uint32_t* counted = nullptr;
    const uint32_t* stops[2] = {};    // if one of these words is not 0, the extent is empty
    uint32_t each = 1;                // indices per counted element
    bool is_rest = false;             // the elements of `bound` that are not counted
    uint32_t likely = 0xFFFFFFFFu;    // expected count, which sizes the grid
    Extent(uint32_t n) : bound(n) {}  // NOLINT: a count is an extent
    Extent(View<uint32_t> count, uint32_t upper_bound) : bound(upper_bound), counted(count.data) {}
    FLIPSCOPE_HD uint32_t resolve() const {
        for (const uint32_t* const stop : stops)
            if (stop && *stop) return 0;
        return !counted ? bound : is_rest ? bound - each * *counted : each * *counted;
    }
    /// The elements of `all` that the device does not count; empty if the word at `stop` is not 0.
    static Extent rest_of(View<uint32_t> count, uint32_t all, const uint32_t* stop) {
        Extent extent(count, all);
        extent.is_rest = true;
        extent.stops[0] = stop;
        return extent;
    }
    /// `n` indices for each element.
    Extent times(uint32_t n) const {
        Extent extent = *this;
        extent.bound *= n;
        if (counted) extent.each *= n;
        if (likely < 0xFFFFFFFFu / n) extent.likely *= n;
        return extent;
    }
    FLIPSCOPE_HD bool is_known() const { return !counted && !stops[0] && !stops[1]; }
    uint32_t most_threads(uint32_t machine) const {
        return counted ? std::clamp(likely, std::min(machine, 1u << 15), machine) : machine;
    }
};

/// Sums that a kernel accumulates: `operator()(uint32_t i, BlockSums& sums)`.
inline constexpr int kSumCount = 4;
struct BlockSums {
    uint64_t value[kSumCount] = {0, 0, 0, 0};
};

// Indices per CPU task: fixed, so that results never depend on the number of threads.
#if defined(__SANITIZE_THREAD__)
inline constexpr uint32_t kChunk = 64;  // under ThreadSanitizer small inputs run on several threads, too
#else
inline constexpr uint32_t kChunk = 2048;
#endif

// Indices between two polls of the cancel flag: rare enough to cost nothing. A kernel whose indices take more than some
// tens of microseconds defines a smaller static kIndicesPerPoll.
inline constexpr uint32_t kIndicesPerPoll = 64;

template <class Kernel>
inline constexpr bool kAddsSums = std::is_invocable_v<const Kernel&, uint32_t, BlockSums&>;

namespace detail {

template <class Kernel>
FLIPSCOPE_HD inline void call(const Kernel& kernel, uint32_t i, BlockSums& sums) {
    if constexpr (kAddsSums<Kernel>)
        kernel(i, sums);
    else
        kernel(i);
}

#if !defined(__CUDACC__)
/// A source that launches but does not end with .cu is compiled for the host and would read device memory.
inline void require_host(const Context& context, const char* label) {
    if (context.on_cuda()) throw std::logic_error(std::string(label) + ": its source must end with .cu");
}
#endif

template <class Kernel>
constexpr uint32_t indices_per_poll() {
    if constexpr (requires { Kernel::kIndicesPerPoll; })
        return Kernel::kIndicesPerPoll;
    else
        return kIndicesPerPoll;
}

/// Calls each(i) for every i in [begin, end) on a CPU thread. False: the flag was set and the rest was skipped.
template <class Kernel, class Each>
inline bool for_indices(const CancelFlag& flag, uint32_t begin, uint32_t end, const Each& each) {
    constexpr uint32_t kStride = indices_per_poll<Kernel>();
    while (begin < end) {
        const uint32_t stop = end - begin > kStride ? begin + kStride : end;
        for (uint32_t i = begin; i < stop; ++i) each(i);
        begin = stop;
        if (flag.is_set()) return false;
    }
    return true;
}

/// A kernel bound by memory latency can prefetch: on CPU threads `prefetch(i, stage)` is called for an index some
/// turns ahead, first at stage 0 and later, when those loads have arrived, at stage 1.
template <class Kernel>
inline constexpr bool kPrefetches = requires(const Kernel& kernel) {
    kernel.prefetch(0u, 0u);
};

template <class Kernel>
inline void prefetch(const Kernel& kernel, uint32_t i, uint32_t end) {
    if constexpr (kPrefetches<Kernel>) {
        constexpr uint32_t kTurns = 10;  // of a few memory accesses each
        if (i + 2 * kTurns < end) kernel.prefetch(i + 2 * kTurns, 0);
        if (i + kTurns < end) kernel.prefetch(i + kTurns, 1);
    }
}

template <class Kernel>
void launch_on_threads(Context& context, const char* label, uint32_t n, const Kernel& kernel,
                       View<uint64_t> block_sums) {
    Context::Stopwatch stopwatch(context, label, n);
    const auto chunks = static_cast<uint32_t>((uint64_t(n) + kChunk - 1) / kChunk);
    context.run_chunks(chunks, [&kernel, &flag = context.cancel_flag(), n, block_sums](uint32_t chunk) {
        BlockSums sums;
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(n, (uint64_t(chunk) + 1) * kChunk));
        for_indices<Kernel>(flag, chunk * kChunk, end, [&](uint32_t i) {
            prefetch(kernel, i, end);
            call(kernel, i, sums);
        });
        if constexpr (kAddsSums<Kernel>)
            for (int k = 0; k < kSumCount; ++k)
                if (sums.value[k]) atomic_add(block_sums[k], sums.value[k]);
    });
}

#if defined(__CUDACC__)
inline constexpr uint32_t kMostThreads = 132 * 2048;  // resident at once on an H200

/// Adds the sums of all threads of a block to `block_sums` by one atomic per block and sum, because atomics on one word
/// are serialised. Every thread of the block must call it once.
__device__ inline void add_sums_of_block(uint64_t* block_sums, const BlockSums& sums) {
    __shared__ unsigned long long parts[kSumCount][32];
    for (int k = 0; k < kSumCount; ++k) {
        unsigned long long sum = sums.value[k];
        for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, offset);
        if (threadIdx.x % 32 == 0) parts[k][threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= kSumCount) return;
    unsigned long long sum = 0;
    for (uint32_t warp = 0; warp < blockDim.x / 32; ++warp) sum += parts[threadIdx.x][warp];
    if (sum) atomicAdd(reinterpret_cast<unsigned long long*>(&block_sums[threadIdx.x]), sum);
}

template <class Kernel>
__device__ void loop_over(const Kernel& kernel, const Extent& extent, uint64_t* block_sums) {
    wait_for_previous();
    const uint32_t n = extent.resolve();
    BlockSums sums;
    for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < n; i += uint64_t(gridDim.x) * blockDim.x)
        call(kernel, static_cast<uint32_t>(i), sums);
    if constexpr (kAddsSums<Kernel>)
        if (block_sums) add_sums_of_block(block_sums, sums);
}
template <class Kernel>
__global__ void device_loop(Kernel kernel, Extent extent, uint64_t* block_sums) {
    loop_over(kernel, extent, block_sums);
}
/// At most 64 registers, for kernels that define kManyThreads: they are bound by memory latency and need many threads;
/// rare paths spill.
template <class Kernel>
__global__ void __launch_bounds__(256, 4) high_occupancy_loop(Kernel kernel, Extent extent, uint64_t* block_sums) {
    loop_over(kernel, extent, block_sums);
}
template <class Kernel>
constexpr auto loop_of() {
    if constexpr (requires { Kernel::kManyThreads; })
        return &high_occupancy_loop<Kernel>;
    else
        return &device_loop<Kernel>;
}

/// The most threads per block that the kernel's registers allow.
template <class Kernel>
uint32_t largest_block() {
    static const int limit = [] {
        cudaFuncAttributes attributes{};
        const auto function = reinterpret_cast<const void*>(loop_of<Kernel>());
        return cudaFuncGetAttributes(&attributes, function) == cudaSuccess ? attributes.maxThreadsPerBlock : 128;
    }();
    return static_cast<uint32_t>(limit);
}
#endif

}  // namespace detail

/// Runs `kernel(i)` for every i of `extent` under `label`. A kernel with sums adds to `block_sums` (kSumCount words in
/// device memory, zeroed by the caller). Throws Cancelled, and std::runtime_error for a CUDA failure.
template <class Kernel>
void launch(Context& context, const char* label, Extent extent, const Kernel& kernel, View<uint64_t> block_sums = {}) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "kernels travel by value");
    if (extent.bound == 0) return;
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        Context::Stopwatch stopwatch(context, label, extent.bound);
        const uint32_t block = std::min(context.block_size(), detail::largest_block<Kernel>());
        // A launch that is sized on the device, or that sums, gets at most as many threads as the GPU holds, and
        // strides.
        const uint32_t blocks = static_cast<uint32_t>((uint64_t(extent.bound) + block - 1) / block);
        const bool strides = !extent.is_known() || kAddsSums<Kernel>;
        const uint32_t limit = strides ? extent.most_threads(detail::kMostThreads) / block : 0x7FFFFFFFu;
        detail::launch_dependent(context, std::min(blocks, limit), block, detail::loop_of<Kernel>(), kernel, extent,
                                 block_sums.data);
        stopwatch.check_launch();
        return;
    }
#else
    detail::require_host(context, label);
#endif
    detail::launch_on_threads(context, label, extent.resolve(), kernel, block_sums);
}

/// The sums of a kernel over indices 0 … n - 1. Waits for the device.
template <class Kernel>
BlockSums sums_of(Context& context, const char* label, uint32_t n, const Kernel& kernel) {
    Buffer<uint64_t> block_sums("block sums");
    block_sums.fill(context, kSumCount, 0);
    launch(context, label, n, kernel, block_sums.view());
    BlockSums sums;
    block_sums.download(sums.value, kSumCount);
    return sums;
}

}  // namespace flipscope
