// Flip passes of few candidates in one CUDA launch: blocks that can synchronise (a thread block cluster, CUDA
// programming guide; before compute capability 9.0 one block) run the kernels of flip.h one after the other, with
// barriers instead of launches. For flip_machine.h alone.
#pragma once

#include "compute/primitives.h"
#include "delaunay/flip/flip_fast.h"

#if defined(__CUDACC__)

namespace flipscope::detail {

inline constexpr uint32_t kThreadsInClusterBlock = 512;
inline constexpr uint32_t kBlocksInCluster = 8;  // the most that every device of 9.0 allows

/// A barrier for all threads of the launch, which is one cluster or one block. All see what others wrote before it.
__device__ inline void wait_for_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __syncwarp();
    asm volatile("barrier.cluster.arrive.release;\n barrier.cluster.wait.acquire;" ::: "memory");
#else
    __syncthreads();
#endif
}

/// Rank of the first of `taken` places of this thread; one atomic a warp. All threads of the warp call it.
__device__ inline uint32_t take_places(uint32_t& total, uint32_t taken) {
    if (!__any_sync(0xFFFFFFFFu, taken > 0)) return 0;
    const uint32_t lane = threadIdx.x % 32;
    uint32_t end = taken;  // up to and with this one
    for (uint32_t offset = 1; offset < 32; offset *= 2) {
        const uint32_t other = __shfl_up_sync(0xFFFFFFFFu, end, offset);
        if (lane >= offset) end += other;
    }
    const uint32_t first = lane == 31 ? atomicAdd(&total, end) : 0;
    return __shfl_sync(0xFFFFFFFFu, first, 31) + end - taken;
}

/// Adds the sums of all threads of a warp to `total`, without waiting for other warps. All of them call it.
__device__ inline void add_sums_of_warp(uint64_t* total, const BlockSums& sums) {
    for (int k = 0; k < kSumCount; ++k) {
        unsigned long long sum = sums.value[k];
        if (!__any_sync(0xFFFFFFFFu, sum != 0)) continue;
        for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, offset);
        if (threadIdx.x % 32 == 0) atomicAdd(reinterpret_cast<unsigned long long*>(&total[k]), sum);
    }
}

/// All threads of the launch.
struct ClusterThreads {
    uint32_t count, index;
    __device__ static ClusterThreads own() { return {gridDim.x * blockDim.x, blockIdx.x * blockDim.x + threadIdx.x}; }
    /// append_unordered() of the cluster's threads: a kernel's `n` indices, ranks from `total`.
    template <class Kernel>
    __device__ void append(const Kernel& kernel, uint32_t n, uint32_t& total, BlockSums& sums) const {
        for (uint32_t begin = index - threadIdx.x % 32; begin < n; begin += count) {
            const uint32_t i = begin + threadIdx.x % 32, code = i < n ? code_of(kernel, i, sums) : 0;
            const uint32_t rank = take_places(total, count_of<Kernel>(code));
            if (i < n) kernel.emit(i, rank, code);
        }
    }
    /// A pass over `n` candidates of `now`; the next ones go to `next`, and `total` counts them. Ends without a
    /// barrier.
    template <class Rule>
    __device__ void flip(const FastPass& now, const FlipPass& next, const Rule& rule, uint32_t n, uint32_t& total,
                         BlockSums& flips, BlockSums& tests) const {
        const FastFlip flip(now, false, true);
        for (uint32_t i = index; i < n; i += count) flip(i, flips);
        wait_for_cluster();
        append(CollectAndClaim<Rule>{{now, {}}, next, rule}, 4 * n, total, tests);
    }
};

/// `first`'s candidates are listed before the launch.
struct NothingBefore {
    template <class Rule>
    __device__ uint32_t operator()(const ClusterThreads&, const FlipPass&, const Rule&,
                                   const Extent& candidates) const {
        return candidates.resolve();
    }
};

/// At most `count` passes, the k-th with the stamp of `first` plus k, from its candidates to `others` and back. `sums`
/// (2 · count, kSumCount) and `totals` (count) are zeroed before, and get the results of equivalent launches. With more
/// than `most` candidates it only sets *undone, and the last of `totals`. `before`: lists the candidates of `first`
/// with the same threads, followed by a barrier, and returns their number.
template <class Rule, class Before>
__global__ void __launch_bounds__(kThreadsInClusterBlock, 1)
    flip_in_one_cluster(FastPass first, View<uint32_t> others, View<Outcome> other_outcomes, Rule rule,
                        Extent candidates, uint32_t most, uint32_t count, uint64_t* sums, uint32_t* totals,
                        uint64_t* undone, Before before) {
    wait_for_previous();
    const ClusterThreads threads = ClusterThreads::own();
    uint32_t n = before(threads, first, rule, candidates);
    if (n > most) {
        if (threads.index == 0) *undone = 1, totals[count - 1] = n;
        return;
    }
    View<uint32_t> list = first.candidates, next_list = others;
    View<Outcome> outcomes = first.outcomes, next_outcomes = other_outcomes;
    for (uint32_t k = 0; k < count && n > 0; ++k) {
        // Copied in every iteration: nvcc 13 has lost assignments to such a copy of a parameter between iterations.
        FastPass now = first;
        FlipPass next = first;
        now.stamp = first.stamp + k;
        now.candidates = list;
        now.outcomes = outcomes;
        next.stamp = now.stamp + 1;
        next.candidates = next_list;
        next.outcomes = next_outcomes;
        BlockSums flips, tests;
        threads.flip(now, next, rule, n, totals[k], flips, tests);
        add_sums_of_warp(sums + (2 * k) * kSumCount, flips);
        add_sums_of_warp(sums + (2 * k + 1) * kSumCount, tests);
        wait_for_cluster();
        n = atomic_load(totals[k]);
        next_list = list;
        next_outcomes = outcomes;
        list = next.candidates;
        outcomes = next.outcomes;
    }
}

}  // namespace flipscope::detail

#endif
