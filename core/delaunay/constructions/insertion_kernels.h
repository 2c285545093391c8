// The kernels of one round of parallel insertion, after algorithm 4 of Drozd (2025): vote, split, link, relocate. The
// flip passes between them are in flip.h. Read insertion.cpp for the order in which they run.
#pragma once

#include <cstring>

#include "compute/launch.h"
#include "delaunay/constructions/locate.h"
#include "delaunay/flip/flip_in_one_cluster.h"
#include "delaunay/flip/flip_worklist.h"

namespace flipscope {

enum class VoteRule : uint32_t { kNearestCircumcentre, kLowestId };

/// A vote for a triangle's next point, in one word, of which the lowest counts: how far from the circumcentre (the
/// upper half of a double), then the point's input index.
struct Vote {
    uint64_t word;
    FLIPSCOPE_HD static Vote make(double nearness, uint32_t input) {
#if defined(__CUDA_ARCH__)
        const uint64_t bits = static_cast<uint64_t>(__double_as_longlong(nearness));
#else
        uint64_t bits;
        std::memcpy(&bits, &nearness, sizeof bits);
#endif
        return {(~bits & 0xFFFFFFFF00000000ull) | input};
    }
    FLIPSCOPE_HD uint32_t input() const { return static_cast<uint32_t>(word); }
};
inline constexpr uint64_t kNoVote = ~uint64_t(0);

/// The points that are not inserted yet, in the order of the curve.
struct Waiting {
    View<uint32_t> ids;        // (w) vertex ids
    View<uint32_t> locations;  // (w) Location words
};

/// Every waiting point votes for itself in its triangle. |p - centre|² - r² is the in-circle determinant over the area,
/// so the nearest to the circumcentre has the greatest determinant and no centre is needed. In a ghost the circle is
/// the half plane beyond the hull edge and its centre is infinitely far out: the farthest from the edge is the nearest
/// to it.
struct VoteForPoint {
    MeshView mesh;
    Waiting waiting;
    View<uint64_t> votes;  // (t)
    VoteRule rule;

    FLIPSCOPE_HD void operator()(uint32_t i) const { cast(waiting.ids[i], Location{waiting.locations[i]}); }

    FLIPSCOPE_HD void cast(uint32_t vertex, Location location) const {
        const uint32_t t = location.triangle();
        double nearness = 0;
        if (rule == VoteRule::kNearestCircumcentre) {
            const Point p = mesh.positions[vertex];
            const uint32_t k = mesh.infinite_place(t);
            if (k == 3)
                nearness =
                    incircle_value(mesh.positions[mesh.triangles[3 * t]], mesh.positions[mesh.triangles[3 * t + 1]],
                                   mesh.positions[mesh.triangles[3 * t + 2]], p);
            else
                nearness = orient2d_value(mesh.positions[mesh.to(3 * t + k)], mesh.positions[mesh.apex(3 * t + k)], p);
            if (!(nearness > 0)) nearness = 0;  // rounding, or a naive predicate's wrong triangle
        }
        atomic_min(votes[t], Vote::make(nearness, mesh.inputs[vertex]).word);
    }
};

/// Parts the waiting points into the chosen ones and the rest, both in order. Two points on one edge never are chosen
/// at the same time: an edge is named from one side (Walk::on_edge), so they vote in the same triangle.
struct ChoosePoints {
    MeshView mesh;
    Waiting waiting, rest;
    View<uint32_t> chosen_ids, chosen_locations;  // (c)
    View<const uint64_t> votes;

    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const uint32_t t = Location{waiting.locations[i]}.triangle();
        return Vote{votes[t]}.input() == mesh.inputs[waiting.ids[i]];
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        const View<uint32_t> ids = code ? chosen_ids : rest.ids;
        const View<uint32_t> locations = code ? chosen_locations : rest.locations;
        const uint32_t place = code ? rank : i - rank;
        ids[place] = waiting.ids[i];
        locations[place] = waiting.locations[i];
    }
};

/// What split and link share: chosen point i makes triangles first_triangle + 2i and the next, edges first_edge + 3i
/// ff.
struct SplitPass {
    FlipPass pass;  // its stamp marks the triangles that are split
    View<uint32_t> chosen_ids, chosen_locations;
    View<uint64_t> votes;
    uint32_t first_triangle, first_edge;

    FLIPSCOPE_HD uint32_t triangle(uint32_t i) const { return Location{chosen_locations[i]}.triangle(); }
};

/// Splits triangle a b c at its point p: a b p stays in place, b c p and c a p are new. A point on an edge leaves one
/// flat triangle, whose long side is then the first edge to flip: together that is the split of 2 into 4. Sum 0: such
/// points.
struct SplitTriangle {
    SplitPass split;

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const MeshView& mesh = split.pass.mesh;
        const Location location{split.chosen_locations[i]};
        const uint32_t t = location.triangle(), p = split.chosen_ids[i];
        const uint32_t u = split.first_triangle + 2 * i, w = u + 1, e = split.first_edge + 3 * i;
        split_triangle(mesh, t, p, u, e);

        split.pass.changed_in[t] = split.pass.changed_in[u] = split.pass.changed_in[w] = split.pass.stamp;
        split.votes[t] = kNoVote;
        sums.value[0] += location.is_on_edge();
        if (mesh.vertex_states) {
            mesh.vertex_states[p] = kStateFresh;
            for (uint32_t k = 0; k < 3; ++k) mesh.edge_states[e + k] = kStateFresh;
            mesh.triangle_states[t] = mesh.triangle_states[u] = mesh.triangle_states[w] = kStateFresh;
        }
    }
};

/// Updates the incidence of the two outer edges that went to the new triangles: the link between old and new.
struct LinkNeighbours {
    SplitPass split;
    FLIPSCOPE_HD void operator()(uint32_t i) const { link_split(split.pass.mesh, split.first_triangle + 2 * i); }
};

/// The three outer edges of every split triangle may have become illegal. Each goes to the list once, as in flip.h.
struct QueueSplit {
    SplitPass split;
    CollectWorklist collect;  // for lists(), and where the list continues

    FLIPSCOPE_HD uint32_t slot(uint32_t i, uint32_t k) const {
        return 3 * (k == 0 ? split.triangle(i) : split.first_triangle + 2 * i + k - 1);
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return CollectWorklist::count_of(code); }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        uint32_t listed = 0;
        for (uint32_t k = 0; k < 3; ++k) listed |= uint32_t(collect.lists(slot(i, k))) << k;
        return listed;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        for (uint32_t k = 0; k < 3; ++k) {
            if (!(code >> k & 1)) continue;
            const uint32_t queued = split.pass.mesh.slot_halves[slot(i, k)] >> 1;
            collect.next[rank++] = queued;
            mark_edge(split.pass.mesh, queued, kStateQueued);
        }
    }
};

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

/// Every waiting point finds the triangle that holds it now, by a walk from where it was.
struct RelocatePoint {
    Walk walk;
    Waiting waiting;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = walk.mesh.positions[waiting.ids[i]];
        waiting.locations[i] = walk(p, Location{waiting.locations[i]}.triangle()).word;
    }
};

/// Relocation and the next round's vote in one pass, when no states are recorded: the triangle is at hand.
struct RelocateAndVote {
    RelocatePoint relocate;
    VoteForPoint vote;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        relocate(i);
        vote(i);
    }
};

/// The same for a run of points that are neighbours on the curve, by one thread: a point sets out from where its
/// neighbour was found, and a run whose bounding box lies in one triangle is found at once. Where a point lies is
/// unique, so the result is the same; for exact predicates only.
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

/// All but every `stride`-th point wait, beside the point of the sample that is before them on the curve. One thread
/// for each that waits.
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
struct MarkVertices {
    View<const uint32_t> ids;
    View<State> states;
    State state;
    FLIPSCOPE_HD void operator()(uint32_t i) const { states[ids[i]] = state; }
};

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
