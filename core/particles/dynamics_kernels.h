// The kernels of a time step except forces and flips: integrate, push, measure. Sums over particles, in pushes and
// means, are in integers, so the order of threads does not matter.
#pragma once

#include "compute/launch.h"
#include "compute/portable_math.h"
#include "delaunay/torus/torus_motion_kernels.h"
#include "delaunay/torus/torus_rules.h"
#include "mesh/hash.h"
#include "particles/model.h"
#include "particles/push_sums.h"
#include "particles/walls.h"

namespace flipscope {

/// Moves a particle by `move`, multiples of the grid and at most half a side each, and wraps it into the box. In a
/// channel the move is shortened() first.
template <class Box>
struct MoveParticle {
    Box box;
    Walls walls;
    View<Point> positions;
    View<ImageShift> sides;
    View<uint8_t> moved;  // as TorusTriangulation::Motion has it

    /// Cuts a move, multiples of the grid, at the walls of a channel.
    FLIPSCOPE_HD Point shortened(uint32_t i, Point move) const {
        return box.is_cylinder() ? walls.shortened(i, positions[i], move) : move;
    }

    /// Returns the crossed sides.
    FLIPSCOPE_HD ImageShift put(uint32_t i, Point move) const {
        const Point p{positions[i].x + move.x, positions[i].y + move.y};
        const ImageShift added{int8_t(TorusBox::sides_to_add(p.x, box.sides.x)),
                               int8_t(TorusBox::sides_to_add(p.y, box.sides.y))};
        positions[i] = box.image(p, added);
        return added;
    }
    FLIPSCOPE_HD void operator()(uint32_t i, Point move) const {
        const ImageShift added = put(i, move);
        const bool crosses = !(added == ImageShift{});
        if (crosses) sides[i] = added;
        moved[i] |= uint8_t((move.x != 0) | (move.y != 0) | (crosses ? kVertexCrossed : 0));
    }
};

/// Why forces and pushes do not move a particle.
enum FrozenKind : uint8_t { kFrozen = 1, kOnLowWall = 2, kOnHighWall = 3 };

/// Equation 1 by the Euler–Maruyama method, with the terms of active particles (equations 10 and 11). Sum 0: moves cut
/// to half the box, 1: particles that crossed the border.
template <class Box>
struct Integrate {
    static constexpr bool kManyThreads = true;
    MoveParticle<Box> move;
    View<const Point> forces;
    View<double> orientations;
    View<const uint8_t> frozen;  // empty: none is; else FrozenKind
    View<uint8_t> overlapped;
    View<Point> moves, pushes;
    double shear;                   // γ̇ Δt
    double dt, noise, speed, turn;  // standard deviations of the noise and of an angle's step
    bool rerolled;
    uint64_t key;  // of this step

    FLIPSCOPE_HD double cut(double v, double side, uint64_t& count) const {
        const double most = move.box.on_grid(side / 2);
        if (v >= -most && v <= most) return move.box.on_grid(v);
        ++count;
        return v > 0 ? most : v < 0 ? -most : 0;  // 0 for NaN
    }
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        if (overlapped[i]) {  // other particles were not pushed in the previous step
            overlapped[i] = 0;
            pushes[i] = {0, 0};
        }
        move.moved[i] = 0;
        Point by{0, 0};
        const bool held = frozen && frozen[i];
        if (!held) {
            by = {forces[i].x * dt, forces[i].y * dt};
            if (noise > 0) {
                const NormalPair normal = normal_pair(key, i, rerolled);
                by = {by.x + noise * normal.first, by.y + noise * normal.second};
            }
            if (speed != 0) {
                const portable::SineCosine along = portable::sine_cosine(orientations[i]);
                by = {by.x + speed * along.cosine * dt, by.y + speed * along.sine * dt};
            }
        }
        if (shear != 0 && (!held || frozen[i] != kFrozen)) {
            const bool along_y = move.box.open == OpenAxis::kX;
            const double middle = move.box.extent / 2, v = along_y ? move.positions[i].x : move.positions[i].y;
            const double flow = shear * (!held ? v - middle : frozen[i] == kOnLowWall ? -middle : middle);
            (along_y ? by.y : by.x) += flow;
        }
        if (turn > 0 && !held) {
            constexpr double kCircle = 6.283185307179586;
            const double angle = orientations[i] + turn * normal_pair(~key, i, rerolled).first;
            const double wrapped = angle - kCircle * floor(angle / kCircle);
            orientations[i] = wrapped >= 0 && wrapped < kCircle ? wrapped : 0;  // rounding, or an infinite angle
        }
        uint64_t count = 0;
        const Point lengths = move.box.lengths();
        by = {cut(by.x, lengths.x, count), cut(by.y, lengths.y, count)};
        if (!held) by = move.shortened(i, by);
        moves[i] = by;
        move(i, by);
        sums.value[0] += count > 0;
    }
};

/// The rule for an edge between overlapping particles: each end moves by δ(σ - r) away from the other (algorithm 2,
/// with the missing division by r). Sum 0: overlapping pairs, 1: of these, pairs of frozen ones. Several edges between
/// the same two particles, or from one to itself, all count: in such a small box particles overlap with images.
struct OverlapRule {
    Diameters diameters;
    View<const uint8_t> frozen;  // empty: none are
    PushSums pushes;
    double delta;
    double squared_touching;  // squared distance from which two of the largest do not overlap

    /// The displacement of each end of an overlapping edge, in units: the first end moves by -x and -y.
    struct Push {
        int64_t x = 0, y = 0;
    };

    /// Whether an edge of length `d` is too long for any overlap.
    FLIPSCOPE_HD bool is_long(Point d) const { return d.x * d.x + d.y * d.y >= squared_touching; }
    FLIPSCOPE_HD bool overlaps(uint32_t from, uint32_t to, Point d) const {
        if (is_long(d)) return false;
        if (!diameters.each) return true;
        const double touching = diameters.mean(from, to) * kTouching;
        return d.x * d.x + d.y * d.y < touching * touching;
    }
    /// For an overlapping pair.
    FLIPSCOPE_HD Push push(uint32_t from, uint32_t to, Point d) const {
        const double r = sqrt(d.x * d.x + d.y * d.y),
                     along = delta * (diameters.mean(from, to) - r) / r * pushes.per_unit;
        return {static_cast<int64_t>(rint(along * d.x)), static_cast<int64_t>(rint(along * d.y))};
    }
    FLIPSCOPE_HD bool holds(uint32_t i) const { return frozen && frozen[i]; }
    FLIPSCOPE_HD bool holds_both(uint32_t from, uint32_t to) const { return holds(from) && holds(to); }
    /// For an overlapping pair: adds its pushes, or removes them.
    FLIPSCOPE_HD void add(uint32_t from, uint32_t to, Point d) const {
        const Push push = this->push(from, to, d);
        holds(from) ? pushes.add(from, 0, 0) : pushes.add(from, -push.x, -push.y);
        holds(to) ? pushes.add(to, 0, 0) : pushes.add(to, push.x, push.y);
    }
    FLIPSCOPE_HD void take_back(uint32_t from, uint32_t to, Point d) const {
        const Push push = this->push(from, to, d);
        holds(from) ? pushes.take_back(from, 0, 0) : pushes.take_back(from, -push.x, -push.y);
        holds(to) ? pushes.take_back(to, 0, 0) : pushes.take_back(to, push.x, push.y);
    }
    /// Returns whether they overlap.
    FLIPSCOPE_HD bool find(uint32_t from, uint32_t to, Point d, BlockSums& sums) const {
        if (!overlaps(from, to, d)) return false;
        add(from, to, d);
        ++sums.value[0];
        sums.value[1] += holds_both(from, to);
        return true;
    }
};

/// Tests all edges, or the edges of a list.
struct FindOverlaps {
    OverlapRule rule;
    View<const uint32_t> edges;  // to test; empty: all
    MeshView mesh;
    TorusBox box;

    FLIPSCOPE_HD uint32_t edge_at(uint32_t index) const { return edges ? edges[index] : index; }
    FLIPSCOPE_HD bool find(uint32_t edge, BlockSums& sums) const {
        const IndexPair ends = pair_at(mesh.edges, edge);
        const Point from = mesh.positions[ends.first], to = mesh.positions[ends.second];
        // Most edges are too long already by their shortest image; those of a list were short recently.
        if (!edges && ends.first != ends.second && rule.is_long(box.shortest(from, to))) return false;
        const Point d = box.to_image(from, to, mesh.shifts[mesh.corner_of[2 * size_t(edge)]]);
        return rule.find(ends.first, ends.second, d, sums);
    }
    FLIPSCOPE_HD void operator()(uint32_t index, BlockSums& sums) const { find(edge_at(index), sums); }
};

/// Also lists the edges of overlapping pairs, as far as there is room. For append_unordered().
struct ListOverlaps {
    FindOverlaps find;
    View<uint32_t> pairs;
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return code; }
    FLIPSCOPE_HD uint32_t code(uint32_t index, BlockSums& sums) const { return find.find(find.edge_at(index), sums); }
    FLIPSCOPE_HD void emit(uint32_t index, uint32_t rank, uint32_t code) const {
        if (code && rank < pairs.count) pairs[rank] = find.edge_at(index);
    }
};

/// FollowTriangles fused with FindOverlaps: the edges before any flip are available in this pass. Lists overlaps as far
/// as there is room. Sum 0: overlapping pairs, 1: of these, pairs of frozen ones. For launch_gathered().
template <class Box>
struct FollowAndFind {
    static constexpr int kBlocks = FollowTriangles<Box>::kBlocks;
    FollowTriangles<Box> follow;
    OverlapRule rule;
    View<uint32_t> pairs;

    /// Selects one of the two triangles at an edge, which see it in opposite directions.
    FLIPSCOPE_HD static bool is_first(uint32_t from, uint32_t to, Point d) {
        return from != to ? from < to : d.x != 0 ? d.x > 0 : d.y > 0;
    }
    using Kept = typename FollowTriangles<Box>::Kept;
    FLIPSCOPE_HD uint32_t first(uint32_t t, Kept& kept, BlockSums& sums) const {
        uint32_t overlapping = 0;
        const uint32_t code = follow.look(t, kept, [&](uint32_t k, uint32_t from, uint32_t to, Point d) {
            const bool found = is_first(from, to, d) && rule.overlaps(from, to, d);
            sums.value[0] += found;
            overlapping |= uint32_t(found) << k;
        });
        return code + follow.kCodes * overlapping;
    }
    FLIPSCOPE_HD uint32_t then(uint32_t t, uint32_t code, const Kept& kept, BlockSums& sums) const {
        const uint32_t overlapping = code / follow.kCodes, illegal = follow.test(t, code, kept);
        follow.for_sides(overlapping, [&](uint32_t k) {
            const uint32_t from = kept.corners[k], to = kept.corners[k == 2 ? 0 : k + 1];
            rule.add(from, to, kept.along(k));
            sums.value[1] += rule.holds_both(from, to);
        });
        return illegal | overlapping << 3;
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t found, uint32_t list) {
        return FollowTriangles<Box>::count_of(list == 0 ? found : found >> 3);
    }
    FLIPSCOPE_HD void emit(uint32_t t, uint32_t found, const uint32_t (&ranks)[kGatheredLists]) const {
        follow.list(t, found & 7, ranks[0]);
        uint32_t rank = ranks[1];
        follow.for_sides(found >> 3, [&](uint32_t k) {
            if (rank < pairs.count) pairs[rank] = follow.pass.mesh.half_edge_at[3 * t + k] >> 1;
            ++rank;
        });
    }
};

/// After FollowAndFind and flips: for flipped edges, removes the overlaps of the old edges and adds those of the new
/// ones, listing them unless already listed. Corrects the same sums.
struct FindFlipped {
    static constexpr bool kManyThreads = true;
    OverlapRule rule;
    MeshView mesh;
    TorusBox box;
    View<const uint32_t> edges;
    View<const EdgeBefore> before;
    View<uint32_t> pairs, total;

    FLIPSCOPE_HD void operator()(uint32_t index, BlockSums& sums) const {
        const EdgeBefore was = before[index];
        const uint32_t edge = edges[index], corner = mesh.corner_of[2 * size_t(edge)];
        const uint32_t from = mesh.from(corner), to = mesh.to(corner);
        const Point d_was = box.to_image(mesh.positions[was.from], mesh.positions[was.to], was.shift),
                    d = step_of(mesh, box, corner);
        const bool did = rule.overlaps(was.from, was.to, d_was);
        if (did) {
            rule.take_back(was.from, was.to, d_was);
            sums.value[0] -= 1;
            sums.value[1] -= rule.holds_both(was.from, was.to);
        }
        if (!rule.overlaps(from, to, d)) return;
        rule.add(from, to, d);
        sums.value[0] += 1;
        sums.value[1] += rule.holds_both(from, to);
        if (did) return;
        const uint32_t rank = atomic_reserve(total[0]);
        if (rank < pairs.count) pairs[rank] = edge;
    }
};

/// Sum 0: particles moved, 1: pushes shortened to the cap.
template <class Box>
struct PushApart {
    MoveParticle<Box> move;
    PushSums found;
    View<Point> pushes;
    View<uint8_t> overlapped;  // set to 1; cleared once per step
    Diameters diameters;
    double cap;  // diameters

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const PushSums::Sum sum = found.take(i);
        move.moved[i] = sum.any;  // also if pushes cancel out: its neighbours must be tested again
        if (!sum.any) return;
        overlapped[i] = 1;
        if (sum.x == 0 && sum.y == 0) return;
        move(i, take_push(i, sum, sums));
    }
    /// Returns its displacement, and adds it to its pushes.
    FLIPSCOPE_HD Point take_push(uint32_t i, const PushSums::Sum& sum, BlockSums& sums) const {
        const Point by = move.shortened(i, capped(i, sum, sums));
        pushes[i] = {pushes[i].x + by.x, pushes[i].y + by.y};
        return by;
    }
    FLIPSCOPE_HD Point capped(uint32_t i, const PushSums::Sum& sum, BlockSums& sums) const {
        const Point by{static_cast<double>(sum.x) * found.unit, static_cast<double>(sum.y) * found.unit};
        const double squared = by.x * by.x + by.y * by.y, most = cap * diameters.of(i);
        ++sums.value[0];
        if (squared <= most * most) return by;
        ++sums.value[1];
        const double shorter = most / sqrt(squared);
        return move.box.on_grid(Point{by.x * shorter, by.y * shorter});
    }
};

/// PushApart for the ends of listed edges, 2 k + side; the triangulation follows.
template <class Box>
struct PushPairs {
    PushApart<Box> push;
    MovedStars stars;
    View<const uint32_t> edges;
    FLIPSCOPE_HD void operator()(uint32_t index, BlockSums& sums) const {
        const size_t half = 2 * size_t(edges[index / 2]) + index % 2;
        const uint32_t i = stars.mesh.edges[half], corner = stars.mesh.corner_of[half];
        const PushSums::Sum sum = push.found.take_once(i);
        if (!sum.any) return;
        push.overlapped[i] = 1;
        ImageShift added;
        if (sum.x != 0 || sum.y != 0) added = push.move.put(i, push.take_push(i, sum, sums));
        stars.follow(corner, added);
    }
};

/// Used if no push follows.
struct LeaveOverlaps {
    PushSums found;
    View<uint8_t> overlapped;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (found.take(i).any) overlapped[i] = 1;
    }
};

FLIPSCOPE_HD inline Point sum_of(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }

/// Displacements of pushes are added once after the last push, to avoid reading and writing them in every push. Sum 0:
/// squared displacements since the start, in 2^-20 of the world's units, 1: lengths of this step's moves, in 2^-30.
struct MeasureMotion {
    static constexpr double kSquares = 0x1p20, kLengths = 0x1p30;
    View<const uint8_t> overlapped;  // 0: was not pushed
    View<const Point> pushes;
    View<Point> displacements, moves;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        Point m = moves[i];
        if (overlapped[i]) moves[i] = m = sum_of(m, pushes[i]);
        const Point d = sum_of(displacements[i], m);
        displacements[i] = d;
        sums.value[0] += static_cast<uint64_t>(rint((d.x * d.x + d.y * d.y) * kSquares));
        sums.value[1] += static_cast<uint64_t>(rint(sqrt(m.x * m.x + m.y * m.y) * kLengths));
    }
};
/// The same, for reading before MeasureMotion.
struct AddMotion {
    View<const Point> displacements;  // or empty
    View<const Point> moves, pushes;
    View<Point> sums;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point m = sum_of(moves[i], pushes[i]);
        sums[i] = displacements ? sum_of(displacements[i], m) : m;
    }
};

/// Sum 0: an order-independent hash of the set of frozen particles.
struct SumFrozen {
    View<const uint8_t> frozen;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        if (frozen[i]) sums.value[0] += mix64(uint64_t(i) + (uint64_t(frozen[i] - 1) << 32) + 1);
    }
};

}  // namespace flipscope
