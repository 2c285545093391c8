// launch_blocks(): one index per block of CUDA threads, which share memory and synchronise, or per task on a CPU
// thread. A kernel is written once, for "the threads of a block": on the CPU there is one, so loops are plain and
// synchronising is free. Included only by components.cu.
#pragma once

#include "compute/launch.h"
#include "compute/launch_on_cuda.h"

namespace flipscope {

inline constexpr uint32_t kBlockThreads = 256;

/// Index and number of threads. All threads of a block must call sync() and sum_before() together.
struct Block {
    uint32_t thread = 0, threads = 1;

    FLIPSCOPE_HD void sync() const {
#if defined(__CUDA_ARCH__)
        __syncthreads();
#endif
    }
    /// The sum of `value` over the threads before this one; `total`: over all. `room`: shared; each call may reuse it.
    FLIPSCOPE_HD uint32_t sum_before(uint32_t value, uint32_t& total, uint32_t (&room)[kBlockThreads / 32]) const {
#if defined(__CUDA_ARCH__)
        const uint32_t lane = thread % 32;
        uint32_t sum = value;
        for (uint32_t step = 1; step < 32; step *= 2) {
            const uint32_t below = __shfl_up_sync(0xFFFFFFFFu, sum, step);
            if (lane >= step) sum += below;
        }
        __syncthreads();
        if (lane == 31) room[thread / 32] = sum;
        __syncthreads();
        uint32_t before = sum - value;
        total = 0;
        for (uint32_t warp = 0; warp < kBlockThreads / 32; ++warp) {
            if (warp == thread / 32) before += total;
            total += room[warp];
        }
        return before;
#else
        (void)room;
        total = value;
        return 0;
#endif
    }
    /// Adds to the block's own memory, where several threads write between two calls of sync().
    template <class T>
    FLIPSCOPE_HD static void add(T& place, T value) {
#if defined(__CUDA_ARCH__)
        atomic_add(place, value);
#else
        place += value;
#endif
    }
    FLIPSCOPE_HD static uint32_t load(uint32_t& place) {
#if defined(__CUDA_ARCH__)
        return atomic_or(place, 0u);
#else
        return place;
#endif
    }
    FLIPSCOPE_HD static void lower(uint32_t& place, uint32_t value) {
#if defined(__CUDA_ARCH__)
        ::atomicMin(&place, value);
#else
        place = value < place ? value : place;
#endif
    }
    FLIPSCOPE_HD static uint32_t exchange_if(uint32_t& place, uint32_t expected, uint32_t desired) {
#if defined(__CUDA_ARCH__)
        return atomic_exchange_if(place, expected, desired);
#else
        const uint32_t seen = place;
        if (seen == expected) place = desired;
        return seen;
#endif
    }
};

namespace detail {

#if defined(__CUDACC__)
template <class Kernel>
__global__ void __launch_bounds__(kBlockThreads, 4) block_of(Kernel kernel) {
    wait_for_previous();
    __shared__ typename Kernel::Shared shared;
    kernel(blockIdx.x, Block{threadIdx.x, blockDim.x}, shared);
}
#endif

}  // namespace detail

/// Runs `kernel(index, block, shared)` for every index below `count` under `label`; `shared` is a Kernel::Shared, not
/// initialised. Throws as launch() does.
template <class Kernel>
void launch_blocks(Context& context, const char* label, uint32_t count, const Kernel& kernel) {
    if (count == 0) return;
#if defined(__CUDACC__)
    if (context.on_cuda())
        return launch_on_cuda(context, label, count, count, kBlockThreads, detail::block_of<Kernel>, kernel);
#endif
    Context::Stopwatch stopwatch(context, label, count);
    context.run_chunks(count, [&](uint32_t index) {
        typename Kernel::Shared shared;
        kernel(index, Block{}, shared);
    });
}

}  // namespace flipscope
