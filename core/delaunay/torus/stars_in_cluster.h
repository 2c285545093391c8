// MovedStars, ClaimAtStars and flip passes for a kernel of one cluster of CUDA blocks, which moves vertices and follows
// them several times, with barriers instead of launches.
#pragma once

#include "delaunay/flip/flip_in_one_cluster.h"
#include "delaunay/torus/torus_motion_kernels.h"

namespace flipscope {

/// Device counts of one motion of the vertices, 0 before.
struct StarCounts {
    uint64_t inverted;       // three times the number of triangles that are inverted or flat
    uint32_t stars;          // triangles at moved vertices
    uint32_t near;           // edges that were short before any flip, and edges that flipped
    uint32_t candidates[4];  // before every third pass, and one for the caller
    uint32_t listed, held;   // the caller's
};

/// Returned by TorusTriangulation::begin_stars_in_cluster().
struct StarsInCluster {
    FastPass first;  // with the stamp of its first claim
    View<uint32_t> other_candidates;
    View<Outcome> other_outcomes;
    View<uint32_t> triangles, near, stamps;  // lists, refilled by every motion; (e) stamps of listed triangles or edges
    uint32_t stamp = 0;                      // grows by three with every motion
    double squared_length = 0;               // edges below it are short

#if defined(__CUDACC__)
    __device__ MovedStars moved(uint32_t time, StarCounts& counts) const {
        return {first.mesh, triangles, {&counts.stars, 1}, stamps, stamp + 3 * time + 1};
    }
    /// The cluster's progress; the same in all threads, except the sums, which each thread has for itself.
    struct Done {
        uint32_t stamp;  // of the next claim
        uint32_t passes = 0;
        BlockSums flips;  // 0: granted, 1: deferred
        BlockSums tests;  // 0: edges tested after flips, 2: before
    };
    /// Called after the barrier that follows the moves: claims and flips until no edge is illegal. False: triangles are
    /// inverted, nothing has flipped, and these tests do not count. Ends with a barrier.
    template <class Box>
    __device__ bool follow(const Box& box, uint32_t time, StarCounts& counts, Done& done) const {
        const detail::ClusterThreads threads = detail::ClusterThreads::own();
        const FlippedList flipped{near, {&counts.near, 1}, stamps, stamp + 3 * time + 3};
        BlockSums tests;
        {
            FlipPass pass = first;
            pass.stamp = done.stamp;
            const ClaimAtStars<Box> claim{
                pass, box, {&counts.inverted, 1}, triangles, stamps, stamp + 3 * time + 2, {flipped, squared_length}};
            threads.append(claim, 3 * atomic_load(counts.stars), counts.candidates[0], tests);
        }
        detail::wait_for_cluster();
        if (atomic_load(counts.inverted)) return false;
        done.tests.value[2] += tests.value[2];
        View<uint32_t> list = first.candidates, next_list = other_candidates;
        View<Outcome> outcomes = first.outcomes, next_outcomes = other_outcomes;
        uint32_t n = atomic_load(counts.candidates[0]);
        for (uint32_t k = 0; n > 0; ++k) {
            FastPass now = first;  // copied again, as in flip_in_one_cluster()
            FlipPass next = first;
            now.flipped = flipped;
            now.stamp = done.stamp;
            now.candidates = list;
            now.outcomes = outcomes;
            next.stamp = ++done.stamp;
            next.candidates = next_list;
            next.outcomes = next_outcomes;
            ++done.passes;
            uint32_t& total = counts.candidates[(k + 1) % 3];
            if (threads.index == 0) atomic_store(counts.candidates[(k + 2) % 3], 0u);  // read two barriers ago
            threads.flip(now, next, TorusDelaunayRule<Box>{box}, n, total, done.flips, done.tests);
            detail::wait_for_cluster();
            n = atomic_load(total);
            next_list = list;
            next_outcomes = outcomes;
            list = next.candidates;
            outcomes = next.outcomes;
        }
        ++done.stamp;
        return true;
    }
#endif
};

}  // namespace flipscope
