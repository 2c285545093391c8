// How points enter a triangulation in parallel, after algorithm 4 of Drozd (2025). One round, with flip passes
// (delaunay/flip/flip.h) between link and relocate:
//
//   vote      Every waiting point votes for itself in the triangle in which it lies.
//   choose    Each triangle's winner enters in this round. The others wait for the next one.
//   split     Each chosen point splits its triangle into three. A point on an edge leaves a flat triangle; the flip of
//             that edge then completes the split of two triangles into four.
//   link      The incidence of the outer edges that lie in new triangles is updated, and all outer edges are queued.
//   relocate  Every waiting point walks to the triangle in which it lies now.
//
// A triangle has one chosen point, so no two threads write the same triangle. insertion.cu runs the rounds;
// insertion_kernels.h makes them fast and says by how much.
#pragma once

#include "delaunay/constructions/locate.h"
#include "delaunay/flip/flip_worklist.h"

namespace flipscope {

enum class VoteRule : uint32_t { kNearestCircumcentre, kLowestId };

/// A vote in one word, of which the lowest wins: the nearness to the circumcentre (the upper half of a double that is
/// not negative, complemented but for its sign), then the point's input index. A vote is lower than every claim of an
/// edge (flip.h), so that both can share memory.
struct Vote {
    uint64_t word;
    FLIPSCOPE_HD static Vote make(double nearness, uint32_t input) {
        return {(~exact::bits_of(nearness) & 0x7FFFFFFF00000000ull) | input};
    }
    FLIPSCOPE_HD uint32_t input() const { return static_cast<uint32_t>(word); }
};
inline constexpr uint64_t kNoVote = ~uint64_t(0);

/// The points that are not inserted yet, in the order of the curve.
struct Waiting {
    View<uint32_t> ids;        // (w) vertex ids
    View<uint32_t> locations;  // (w) Location words
};

/// The points of this round, in the order of the curve. They lie behind those that go on waiting, last ones first.
struct ChosenPoints {
    Waiting list;
    uint32_t end;  // where the list ends
    FLIPSCOPE_HD uint32_t place(uint32_t i) const { return end - 1 - i; }
    FLIPSCOPE_HD uint32_t id(uint32_t i) const { return list.ids[place(i)]; }
    FLIPSCOPE_HD Location location(uint32_t i) const { return {list.locations[place(i)]}; }
};

/// Every waiting point votes. |p - centre|² - r² is the in-circle determinant over the area, so the point nearest to
/// the circumcentre has the greatest determinant, and no centre is computed. A ghost's circle is the half-plane beyond
/// its hull edge, with the centre at infinity: the nearest point is the one farthest from the edge.
struct VoteForPoint {
    MeshView mesh;
    Waiting waiting;
    View<uint64_t> votes;  // (t)
    VoteRule rule;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t vertex = waiting.ids[i], t = Location{waiting.locations[i]}.triangle();
        double nearness = 0;
        if (rule == VoteRule::kNearestCircumcentre) {
            const View<const Point>& at = mesh.positions;
            const uint32_t k = mesh.infinite_place(t), *const corners = &mesh.triangles[3 * t];
            nearness = k == 3 ? incircle_value(at[corners[0]], at[corners[1]], at[corners[2]], at[vertex])
                              : orient2d_value(at[mesh.to(3 * t + k)], at[mesh.apex(3 * t + k)], at[vertex]);
            if (!(nearness > 0)) nearness = 0;  // rounding, or a naive predicate's wrong triangle
        }
        atomic_min(votes[t], Vote::make(nearness, mesh.inputs[vertex]).word);
    }
};

/// Separates the chosen points from the rest, both in order. Two points on one edge are never chosen in the same round:
/// an edge is named from one side (Walk::on_edge), so they vote in the same triangle. Runs by compact().
struct ChoosePoints {
    MeshView mesh;
    Waiting waiting;
    ChosenPoints chosen;  // its list has the rest, too
    View<const uint64_t> votes;

    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const uint32_t t = Location{waiting.locations[i]}.triangle();
        return Vote{votes[t]}.input() == mesh.inputs[waiting.ids[i]];
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        const uint32_t place = code ? chosen.place(rank) : i - rank;
        chosen.list.ids[place] = waiting.ids[i];
        chosen.list.locations[place] = waiting.locations[i];
    }
};

/// Shared by split and link: chosen point i makes the triangles first_triangle + 2i and the next, and three edges from
/// first_edge + 3i on.
struct SplitPass {
    FlipPass pass;  // its stamp marks the triangles that are split
    ChosenPoints chosen;
    View<uint64_t> votes;
    uint32_t first_triangle, first_edge;
};

/// Splits triangle a b c at its point p: a b p stays in place, b c p and c a p are new (mesh/surgery.h). Sum 0: points
/// on an edge.
struct SplitTriangle {
    SplitPass split;

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const Location location = split.chosen.location(i);
        const uint32_t t = location.triangle(), p = split.chosen.id(i);
        const uint32_t u = split.first_triangle + 2 * i, e = split.first_edge + 3 * i;
        split_triangle(split.pass.mesh, t, p, u, e);
        split.pass.changed_in[t] = split.pass.changed_in[u] = split.pass.changed_in[u + 1] = split.pass.stamp;
        split.votes[t] = kNoVote;
        sums.value[0] += location.is_on_edge();
        mark_split(split.pass.mesh, t, p, u, e);
    }
};

/// Updates the incidence of the two outer edges that lie in the new triangles.
struct LinkNeighbours {
    SplitPass split;
    FLIPSCOPE_HD void operator()(uint32_t i) const { link_split(split.pass.mesh, split.first_triangle + 2 * i); }
};

/// Queues the three outer edges of every split triangle, each once, as CollectWorklist does.
struct QueueSplit {
    SplitPass split;
    CollectWorklist collect;  // for lists(), and where the list continues

    FLIPSCOPE_HD uint32_t corner(uint32_t i, uint32_t k) const {
        return 3 * (k == 0 ? split.chosen.location(i).triangle() : split.first_triangle + 2 * i + k - 1);
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return CollectWorklist::count_of(code); }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        uint32_t listed = 0;
        for (uint32_t k = 0; k < 3; ++k) listed |= uint32_t(collect.lists(corner(i, k))) << k;
        return listed;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        for (uint32_t k = 0; k < 3; ++k) {
            if (!(code >> k & 1)) continue;
            const uint32_t queued = split.pass.mesh.half_edge_at[corner(i, k)] >> 1;
            collect.next[rank++] = queued;
            mark_edge(split.pass.mesh, queued, kStateQueued);
        }
    }
};

/// Every waiting point walks from its last triangle to the one that contains it now (locate.h).
struct RelocatePoint {
    Walk walk;
    Waiting waiting;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = walk.mesh.positions[waiting.ids[i]];
        waiting.locations[i] = walk(p, Location{waiting.locations[i]}.triangle()).word;
    }
};

}  // namespace flipscope
