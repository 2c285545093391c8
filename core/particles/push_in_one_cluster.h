// Pushes of a few pairs, with the flips after each push, in one CUDA launch: such kernels are so short that launches
// and round trips to the host would dominate. Only for dynamics.cu.
#pragma once

#include "delaunay/torus/stars_in_cluster.h"
#include "particles/dynamics_kernels.h"

namespace flipscope {

/// In device memory, initially 0.
struct PushesInCluster {
    static constexpr uint32_t kMost = 16;  // in one launch
    /// The totals.
    struct Totals {
        uint64_t flips[kSumCount], tests[kSumCount];  // StarsInCluster::Done
        uint64_t pushes, passes;
        uint64_t further_pairs;  // overlapping before each push but the first
        uint64_t inverted;       // three times the inverted triangles after the last push, which then ends the loop
        uint64_t pairs, held;    // overlapping after it
        uint64_t stamp;
    };
    Totals totals;
    StarCounts counts[kMost];
};

#if defined(__CUDACC__)

/// Run by one cluster of blocks: pushes the `pairs` listed pairs, then the pairs that overlap afterwards, until none or
/// only frozen ones are left, more than `few` overlap, `most` pushes are done, or triangles are inverted.
template <class Box>
__global__ void __launch_bounds__(detail::kThreadsInClusterBlock, 1)
    push_in_one_cluster(PushApart<Box> push, StarsInCluster stars, ListOverlaps find, uint32_t pairs, uint32_t few,
                        uint32_t most, uint64_t* push_sums, PushesInCluster* words) {
    detail::wait_for_previous();
    const detail::ClusterThreads threads = detail::ClusterThreads::own();
    StarsInCluster::Done done{stars.first.stamp};
    BlockSums pushed;
    uint64_t further_pairs = 0;
    uint32_t time = 0, held = 0;
    bool upright = true;
    for (;;) {
        StarCounts& counts = words->counts[time];
        {
            const PushPairs<Box> kernel{push, stars.moved(time, counts), find.pairs};
            for (uint32_t i = threads.index; i < 2 * pairs; i += threads.count) kernel(i, pushed);
        }
        detail::wait_for_cluster();
        upright = stars.follow(push.move.box, time, counts, done);
        ++time;
        if (!upright) break;
        BlockSums found;
        threads.append(find, atomic_load(counts.near), counts.listed, found);
        if (found.value[1]) atomic_add(counts.held, static_cast<uint32_t>(found.value[1]));
        detail::wait_for_cluster();
        pairs = atomic_load(counts.listed);
        held = atomic_load(counts.held);
        if (pairs == held || pairs > few || time == most) break;
        further_pairs += pairs;
    }
    detail::add_sums_of_block(push_sums, pushed);
    __syncthreads();
    detail::add_sums_of_block(words->totals.flips, done.flips);
    __syncthreads();
    detail::add_sums_of_block(words->totals.tests, done.tests);
    if (threads.index > 0) return;
    words->totals.pushes = time;
    words->totals.passes = done.passes;
    words->totals.further_pairs = further_pairs;
    words->totals.inverted = upright ? 0 : atomic_load(words->counts[time - 1].inverted);
    words->totals.pairs = pairs;
    words->totals.held = held;
    words->totals.stamp = done.stamp;
}

#endif

}  // namespace flipscope
