// Flip passes of few candidates in one CUDA launch: one block runs the kernels of flip.h one after the other, with
// barriers where there would be launches. For flip_machine.h alone.
#pragma once

#include "delaunay/flip_worklist.h"

#if defined(__CUDACC__)

namespace flipscope::detail {

inline constexpr uint32_t kThreadsInOneBlock = 512;

/// At most `count` passes, the k-th with the stamp of `even` plus k, from the candidates of `even` to those of `odd`
/// and back. `sums` (2 · count, kSumCount) and `totals` (count) are zeroed before, and get what launches would have
/// written. With more than `most` candidates it does nothing but set *undone, and the last of `totals`.
template <class Rule>
__global__ void __launch_bounds__(kThreadsInOneBlock)
    flip_in_one_block(FlipPass even, FlipPass odd, Rule rule, Extent candidates, uint32_t most, uint32_t count,
                      uint64_t* sums, uint32_t* totals, uint64_t* undone) {
    wait_for_previous();
    __shared__ uint32_t total;
    uint32_t n = candidates.resolve();
    const bool few = n <= most;
    if (threadIdx.x == 0) {
        *undone = !few;
        totals[count - 1] = few ? 0 : n;
    }
    __syncthreads();  // totals are written below, too
    for (uint32_t k = 0; few && k < count && n > 0; ++k) {
        FlipPass now = k % 2 ? odd : even, next = k % 2 ? even : odd;
        now.stamp = even.stamp + k;
        next.stamp = even.stamp + k + 1;
        BlockSums flips, tests;
        const FlipEdge flip{now, false};
        for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) flip(i, flips);
        if (threadIdx.x == 0) total = 0;
        __syncthreads();
        const RepairEdges repair{now};
        for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) repair(i);
        __syncthreads();
        const CollectAndClaim<Rule> collect{{now, {}}, next, rule};
        for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
            const uint32_t code = collect.code(i, tests), taken = collect.count_of(code);
            collect.emit(i, taken ? atomicAdd(&total, taken) : 0, code);
        }
        add_sums_of_block(sums + (2 * k) * kSumCount, flips);
        __syncthreads();
        add_sums_of_block(sums + (2 * k + 1) * kSumCount, tests);
        n = total;
        if (threadIdx.x == 0) totals[k] = n;
        __syncthreads();
    }
}

}  // namespace flipscope::detail

#endif
