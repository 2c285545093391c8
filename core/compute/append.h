// append_unordered(): a list whose order means nothing. Apart from primitives.h, because few sources need it.
#pragma once

#include "compute/primitives.h"

namespace flipscope {

#if defined(__CUDACC__)

namespace detail {

inline constexpr uint32_t kAppendThreads = 256;

/// A block lists what its threads have together, by one atomic, and by none where no thread has anything: at one word
/// an atomic a warp would be what the pass waits for. Threads wait for memory most of the time, so there are to be
/// many: four blocks a multiprocessor leave 64 registers to each, and what seldom needs more spills.
template <class Kernel>
__global__ void __launch_bounds__(kAppendThreads, 4)
    append_by_blocks(Kernel kernel, Extent extent, uint32_t* total, uint64_t* block_sums) {
    wait_for_previous();
    __shared__ uint32_t firsts[32];  // rank of the first of each warp
    const uint32_t n = extent.resolve(), warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    BlockSums sums;
    for (uint64_t begin = blockIdx.x * uint64_t(blockDim.x); begin < n; begin += uint64_t(gridDim.x) * blockDim.x) {
        const uint64_t i = begin + threadIdx.x;
        const uint32_t code = i < n ? code_of(kernel, static_cast<uint32_t>(i), sums) : 0;
        const uint32_t taken = i < n ? count_of<Kernel>(code) : 0;
        uint32_t rank = 0;
        if (__syncthreads_or(taken > 0)) {
            uint32_t end = taken;  // up to and with this one, within the warp
            for (uint32_t offset = 1; offset < 32; offset *= 2) {
                const uint32_t other = __shfl_up_sync(0xFFFFFFFFu, end, offset);
                if (lane >= offset) end += other;
            }
            if (lane == 31) firsts[warp] = end;
            __syncthreads();
            if (warp == 0) {
                const uint32_t of_warp = lane < warps ? firsts[lane] : 0;
                uint32_t sum = of_warp;
                for (uint32_t offset = 1; offset < 32; offset *= 2) {
                    const uint32_t other = __shfl_up_sync(0xFFFFFFFFu, sum, offset);
                    if (lane >= offset) sum += other;
                }
                uint32_t first = lane == 31 ? atomicAdd(total, sum) : 0;
                first = __shfl_sync(0xFFFFFFFFu, first, 31);
                if (lane < warps) firsts[lane] = first + sum - of_warp;
            }
            __syncthreads();
            rank = firsts[warp] + end - taken;
        }
        if (i < n) kernel.emit(static_cast<uint32_t>(i), rank, code);
    }
    if constexpr (kCodeAddsSums<Kernel>)
        if (block_sums) add_sums_of_block(block_sums, sums);
}

}  // namespace detail

#endif

/// As compact(), but the ranks may be in any order (on CUDA; on CPU threads they are in order): for lists that are
/// sets, and for extents that the host does not know, which cost nothing beyond their true size. `total_is_zero`: it
/// need not be cleared. Codes may be of any size here.
template <class Kernel>
void append_unordered(Context& context, const char* label, Extent extent, const Kernel& kernel, View<uint32_t> total,
                      View<uint64_t> block_sums = {}, [[maybe_unused]] bool total_is_zero = false) {
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        if (!total_is_zero) context.fill(total.data, 0, sizeof(uint32_t));
        if (extent.bound == 0) return;
        constexpr uint32_t kThreads = detail::kAppendThreads;
        Context::Stopwatch stopwatch(context, label, extent.bound);
        const uint32_t blocks = (extent.bound - 1) / kThreads + 1;
        detail::launch_dependent(context, std::min(blocks, extent.most_threads(detail::kMostThreads) / kThreads),
                                 kThreads, &detail::append_by_blocks<Kernel>, kernel, extent, total.data,
                                 block_sums.data);
        stopwatch.check_launch();
        return;
    }
#endif
    compact(context, label, extent, kernel, total, block_sums);
}

}  // namespace flipscope
