// Pushes of few pairs, and the flips after them, push after push in one CUDA launch: kernels are over in no time, and
// what a push would cost are launches, and looks of the host whether there is to be another. For dynamics.cpp alone.
#pragma once

#include "delaunay/torus/stars_in_cluster.h"
#include "particles/dynamics_kernels.h"

namespace flipscope {

/// On the device, 0 before.
struct PushesInCluster {
    static constexpr uint32_t kMost = 16;  // in one launch
    /// What they come to.
    struct Told {
        uint64_t flips[kSumCount], tests[kSumCount];  // StarsInCluster::Done
        uint64_t pushes, passes;
        uint64_t further_pairs;  // overlapping before each push but the first
        uint64_t inverted;       // three times the triangles after the last push, which nothing has followed then
        uint64_t pairs, held;    // overlapping after it
        uint64_t stamp;
    };
    Told told;
    StarCounts counts[kMost];
};

#if defined(__CUDACC__)

/// By one cluster of blocks: pushes `pairs` listed pairs, and those that overlap then, until none does, or only frozen
/// ones, or more than `few`, or `most` pushes are done, or triangles are inverted.
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
    detail::add_sums_of_block(words->told.flips, done.flips);
    __syncthreads();
    detail::add_sums_of_block(words->told.tests, done.tests);
    if (threads.index > 0) return;
    words->told.pushes = time;
    words->told.passes = done.passes;
    words->told.further_pairs = further_pairs;
    words->told.inverted = upright ? 0 : atomic_load(words->counts[time - 1].inverted);
    words->told.pairs = pairs;
    words->told.held = held;
    words->told.stamp = done.stamp;
}

#endif

}  // namespace flipscope
