// The fast kernels of insertion's rounds (split.h), the kernels that start them, and those for display.
//
// What each measure gained:
//
// - A start from a sample's triangulation by strips (sample_start.h) saves half of the rounds, which inserted a
// hundredth of the points. On two CPU threads insertion took 0.70 to 0.74 instead of 0.81 to 1.0 of CGAL's time.
// - The sample, one read-back for a whole round, and SplitInOneCluster for few points: on an H200 10³ points take 0.75
//   instead of 1.55 ms, 10⁵ 1.86 instead of 3.4, 10⁶ 5.8 instead of 7.4 (docs/benchmarks.md). A lattice took 16
//   instead of 7.8 ms, because a launch lasts as long as its longest walk, and these had thousands of steps in
//   all launches together. Walk::counted and RelocateInWarp shorten them.
#pragma once

#include "delaunay/constructions/split.h"
#include "delaunay/flip/flip_in_one_cluster.h"

namespace flipscope {

#if defined(__CUDACC__)
/// Split, link, queue and the first claim of few points by one cluster, before flip passes (flip_in_one_cluster.h).
struct SplitInOneCluster {
    SplitPass split;
    Extent chosen;
    View<uint32_t> list;
    uint32_t *queued, *claimed;  // lengths of the list and of the candidates
    uint64_t* sums;              // as of SplitTriangle

    template <class Rule>
    __device__ uint32_t operator()(const detail::ClusterThreads& threads, const FlipPass& first, const Rule& rule,
                                   const Extent&) const {
        const uint32_t n = chosen.resolve();
        BlockSums split_sums, no_sums;
        for (uint32_t i = threads.index; i < n; i += threads.count) SplitTriangle{split}(i, split_sums);
        detail::add_sums_of_warp(sums, split_sums);
        detail::wait_for_cluster();
        for (uint32_t i = threads.index; i < n; i += threads.count) LinkNeighbours{split}(i);
        detail::wait_for_cluster();
        threads.append(QueueSplit{split, {split.pass, list}}, n, *queued, no_sums);
        detail::wait_for_cluster();
        threads.append(ClaimForFlip<Rule>{first, rule}, atomic_load(*queued), *claimed, no_sums);
        detail::wait_for_cluster();
        return atomic_load(*claimed);
    }
};
#endif

/// Edges left illegal by a limit on flip passes stay queued, unless a split triangle lists them now.
struct KeepWorklist {
    FlipPass pass;
    View<uint32_t> next;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const uint32_t edge = pass.worklist[i];
        return !pass.changed(pass.triangle_at(edge, 0)) && !pass.changed(pass.triangle_at(edge, 1));
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (code) next[rank] = pass.worklist[i];
    }
};

/// Relocation and the next round's vote in one kernel, when no states are recorded: the triangle is in the cache.
struct RelocateAndVote {
    RelocatePoint relocate;
    VoteForPoint vote;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        relocate(i);
        vote(i);
    }
};

/// The same for CUDA, where a launch lasts as long as its longest walk. The mean walk has fewer than three steps,
/// but flips along the hull can leave a point's triangle hundreds of steps away. So a walk is cut off after kShortWalk
/// steps, and starts over from the triangle of the nearest point in the warp that has arrived: a neighbour on the
/// curve. The triangle of a point is unique, so the result is the same; for exact predicates only.
struct RelocateInWarp {
    static constexpr uint32_t kShortWalk = 16;
    RelocateAndVote each;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
#if defined(__CUDA_ARCH__)
        const uint32_t together = __activemask();
        const Waiting& waiting = each.relocate.waiting;
        const Point p = each.relocate.walk.mesh.positions[waiting.ids[i]];
        Location found{waiting.locations[i]};
        Walk walk = each.relocate.walk;
        walk.most_steps = kShortWalk;
        for (bool arrived = false;;) {
            if (!arrived) {
                uint32_t steps = 0;
                found = walk.counted(p, found.triangle(), steps);
                arrived = steps <= walk.most_steps;
            }
            const uint32_t others = __ballot_sync(together, arrived);
            if (others == together) break;
            const uint32_t nearest = nearest_bit(others, threadIdx.x % 32);
            const uint32_t word = __shfl_sync(together, found.word, nearest);
            if (!arrived) found.word = word;
            walk.most_steps = kNone;
        }
        waiting.locations[i] = found.word;
        each.vote(i);
#else
        each(i);
#endif
    }
#if defined(__CUDACC__)
    /// The set bit nearest to `lane`, or `lane` if none is set.
    __device__ static uint32_t nearest_bit(uint32_t bits, uint32_t lane) {
        const uint32_t above = bits >> lane, below = bits << (31 - lane);  // both with `lane` itself
        const uint32_t up = above ? __ffs(static_cast<int>(above)) - 1 : 32, down = __clz(static_cast<int>(below));
        return above || below ? (up < down ? lane + up : lane - down) : lane;
    }
#endif
};

/// The same with one thread for a run of neighbours on the curve: each point walks from its predecessor's triangle, and
/// a run whose bounding box lies in one triangle needs one walk. The triangle of a point is unique, so the result is
/// the same; for exact predicates only.
struct RelocateRun {
    static constexpr uint32_t kLength = 16;
    RelocateAndVote each;
    uint32_t count;  // waiting points
    bool tries_box;  // there are many more points than triangles

    FLIPSCOPE_HD void operator()(uint32_t run) const {
        const Waiting& waiting = each.relocate.waiting;
        const Walk& walk = each.relocate.walk;
        const uint32_t begin = run * kLength, end = begin + kLength < count ? begin + kLength : count;
        uint32_t was = kNone, is = kNone;  // the neighbour's triangle before and after
        if (tries_box) {
            Point low = walk.mesh.positions[waiting.ids[begin]], high = low;
            for (uint32_t i = begin + 1; i < end; ++i) {
                const Point p = walk.mesh.positions[waiting.ids[i]];
                low = {p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y};
                high = {p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y};
            }
            was = Location{waiting.locations[begin]}.triangle();
            is = walk(walk.mesh.positions[waiting.ids[begin]], was).triangle();
            if (!walk.mesh.is_ghost(is) && walk.holds_box(is, low, high)) {
                for (uint32_t i = begin; i < end; ++i) {
                    waiting.locations[i] = Location::inside(is).word;
                    each.vote(i);
                }
                return;
            }
        }
        for (uint32_t i = begin; i < end; ++i) {
            const uint32_t from = Location{waiting.locations[i]}.triangle();
            const Location found = walk(walk.mesh.positions[waiting.ids[i]], from == was ? is : from);
            was = from;
            is = found.triangle();
            waiting.locations[i] = found.word;
            each.vote(i);
        }
    }
};

/// At the start all points but the first three wait, in the first triangle.
struct StartWaiting {
    Waiting waiting;
    uint32_t a, b, c;
    FLIPSCOPE_HD uint32_t code(uint32_t v) const { return v != a && v != b && v != c; }
    FLIPSCOPE_HD void emit(uint32_t v, uint32_t rank, uint32_t code) const {
        if (!code) return;
        waiting.ids[rank] = v;
        waiting.locations[rank] = Location::inside(0).word;
    }
};

/// All points except every `stride`-th wait, in a triangle of the sample point before them on the curve. One thread for
/// each waiting point.
struct WaitBesideSample {
    Waiting waiting;
    uint32_t stride;
    View<const uint32_t> triangle_of;  // of each point of the sample
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t before = i / (stride - 1);
        waiting.ids[i] = i + before + 1;
        waiting.locations[i] = Location::inside(triangle_of[before]).word;
    }
};

/// For display.
struct MarkWinningVotes {
    MeshView mesh;
    Waiting waiting;
    View<const uint64_t> votes;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t vertex = waiting.ids[i];
        const bool chosen = Vote{votes[Location{waiting.locations[i]}.triangle()]}.input() == mesh.inputs[vertex];
        mesh.vertex_states[vertex] = State(kStateWaiting | (chosen ? kStateChosen : 0));
    }
};

}  // namespace flipscope
