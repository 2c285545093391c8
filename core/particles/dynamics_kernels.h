// The kernels of a time step but for forces and flips: integrate, push, measure. What particles add up, in pushes and
// in means, they add up in whole numbers, so no order of threads shows.
#pragma once

#include "compute/launch.h"
#include "compute/portable_math.h"
#include "delaunay/torus/torus_rules.h"
#include "mesh/hash.h"
#include "particles/model.h"
#include "particles/push_sums.h"

namespace flipscope {

/// Puts a particle that moves by `move`, a multiple of the grid and at most half a side, back into the box.
struct MoveParticle {
    TorusBox box;
    View<Point> positions;
    View<ImageShift> sides;
    View<uint8_t> moved;  // as TorusTriangulation::Motion has it

    FLIPSCOPE_HD void operator()(uint32_t i, Point move) const {
        Point p{positions[i].x + move.x, positions[i].y + move.y};
        const ImageShift added{int8_t(box.sides_to_add(p.x)), int8_t(box.sides_to_add(p.y))};
        p = {p.x + box.side * added.x, p.y + box.side * added.y};
        positions[i] = p;
        sides[i] = added;
        moved[i] |= uint8_t((move.x != 0) | (move.y != 0) | (added == ImageShift{} ? 0 : kVertexCrossed));
    }
};

/// Equation 1 by Euler and Maruyama, with what an active particle adds (equations 10 and 11). Sum 0: moves cut to half
/// the box, 1: particles that went across the border.
struct Integrate {
    static constexpr bool kManyThreads = true;
    MoveParticle move;
    View<const Point> forces;
    View<double> orientations;
    View<const uint8_t> frozen;
    View<uint8_t> overlapped;
    View<Point> moves, pushes;
    double dt, noise, speed, turn;  // standard deviations of the noise and of an angle's step
    bool rerolled;
    uint64_t key;  // of this step

    FLIPSCOPE_HD double cut(double v, uint64_t& count) const {
        const double most = move.box.on_grid(move.box.side / 2);
        if (v >= -most && v <= most) return move.box.on_grid(v);
        ++count;
        return v > 0 ? most : v < 0 ? -most : 0;  // 0 of what is no number
    }
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        overlapped[i] = 0;
        pushes[i] = {0, 0};
        move.moved[i] = 0;
        Point by{0, 0};
        if (!frozen[i]) {
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
        if (turn > 0 && !frozen[i]) {
            constexpr double kCircle = 6.283185307179586;
            const double angle = orientations[i] + turn * normal_pair(~key, i, rerolled).first;
            const double wrapped = angle - kCircle * floor(angle / kCircle);
            orientations[i] = wrapped >= 0 && wrapped < kCircle ? wrapped : 0;  // rounding, or an angle beyond all
        }
        uint64_t count = 0;
        by = {cut(by.x, count), cut(by.y, count)};
        moves[i] = by;
        move(i, by);
        sums.value[0] += count > 0;
    }
};

/// What an edge between overlapping particles means: each end is to move by δ(σ - r) away from the other (algorithm 2,
/// with the division by r that it lacks). Sum 0: overlapping pairs, 1: of these, pairs of frozen ones. With more than
/// one edge between the same two particles, or from one to itself, each counts: in so small a box particles overlap
/// with images.
struct OverlapRule {
    View<const uint8_t> species;
    SpeciesTable table;
    View<const uint8_t> frozen;
    PushSums pushes;
    double delta;
    double squared_diameter;  // of the largest

    /// How far each end of an overlapping edge moves, in units: the first by -x and -y.
    struct Push {
        bool overlap = false;
        int64_t x = 0, y = 0;
    };

    /// Whether an edge that leads over `d` is too long for any two.
    FLIPSCOPE_HD bool is_long(Point d) const { return d.x * d.x + d.y * d.y >= squared_diameter; }
    FLIPSCOPE_HD Push push(uint32_t from, uint32_t to, Point d) const {
        const double sigma = (table.diameter[species[from]] + table.diameter[species[to]]) / 2;
        const double squared = d.x * d.x + d.y * d.y, touching = sigma * kTouching;
        if (squared >= touching * touching) return {};
        const double r = sqrt(squared), along = delta * (sigma - r) / r * pushes.per_unit;
        return {true, static_cast<int64_t>(rint(along * d.x)), static_cast<int64_t>(rint(along * d.y))};
    }
    /// `times`: 1, or -1 to take back what was found where an edge was that is none any more.
    FLIPSCOPE_HD void find(uint32_t from, uint32_t to, Point d, int times, BlockSums& sums) const {
        const Push push = this->push(from, to, d);
        if (!push.overlap) return;
        const bool holds_from = frozen[from], holds_to = frozen[to];
        const int64_t x = times * push.x, y = times * push.y;
        pushes.add(from, holds_from ? 0 : -x, holds_from ? 0 : -y, times);
        pushes.add(to, holds_to ? 0 : x, holds_to ? 0 : y, times);
        count(times, holds_from && holds_to, sums);
    }
    FLIPSCOPE_HD static void count(int times, bool held, BlockSums& sums) {
        const auto pairs = static_cast<uint64_t>(static_cast<int64_t>(times));
        sums.value[0] += pairs;
        if (held) sums.value[1] += pairs;
    }
};

/// Asks it of all edges, or of those of a list. Most edges are seen to be long enough by their shortest image, which
/// needs no look at triangles.
struct FindOverlaps {
    OverlapRule rule;
    View<const uint32_t> edges;  // to look at; empty: all
    MeshView mesh;
    TorusBox box;

    FLIPSCOPE_HD uint32_t edge_at(uint32_t index) const { return edges ? edges[index] : index; }
    FLIPSCOPE_HD bool is_long(IndexPair ends) const {
        return rule.is_long(box.shortest(mesh.positions[ends.first], mesh.positions[ends.second])) &&
               ends.first != ends.second;
    }
    FLIPSCOPE_HD Point step(uint32_t edge) const { return step_of(mesh, box, mesh.half_slots[2 * edge]); }
    FLIPSCOPE_HD void operator()(uint32_t index, BlockSums& sums) const {
        const uint32_t edge = edge_at(index);
        const IndexPair ends = pair_at(mesh.edges, edge);
        if (!is_long(ends)) rule.find(ends.first, ends.second, step(edge), 1, sums);
    }
};

/// And lists the particles, each once, by a slot of an edge that begins there.
struct ListOverlaps {
    FindOverlaps find;
    View<uint32_t> slots;

    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return (code & 1) + (code >> 1); }
    FLIPSCOPE_HD uint32_t code(uint32_t index, BlockSums& sums) const {
        const uint32_t edge = find.edge_at(index);
        const IndexPair ends = pair_at(find.mesh.edges, edge);
        if (find.is_long(ends)) return 0;
        const OverlapRule::Push push = find.rule.push(ends.first, ends.second, find.step(edge));
        if (!push.overlap) return 0;
        const bool holds_first = find.rule.frozen[ends.first], holds_second = find.rule.frozen[ends.second];
        const PushSums& pushes = find.rule.pushes;
        const bool first = pushes.add_and_tell(ends.first, holds_first ? 0 : -push.x, holds_first ? 0 : -push.y);
        const bool second = pushes.add_and_tell(ends.second, holds_second ? 0 : push.x, holds_second ? 0 : push.y);
        OverlapRule::count(1, holds_first && holds_second, sums);
        return uint32_t(first) | uint32_t(second) << 1;
    }
    FLIPSCOPE_HD void emit(uint32_t index, uint32_t rank, uint32_t code) const {
        for (uint32_t side = 0; side < 2; ++side)
            if (code >> side & 1) slots[rank++] = find.mesh.half_slots[2 * find.edge_at(index) + side];
    }
};

/// Asks it of every edge while that is tested for a flip (TorusTriangulation::launch_follow). For discs of one size:
/// what overlaps along an edge that flips then overlaps its nearest neighbours, too, so no particle is marked in vain.
struct WatchOverlaps {
    OverlapRule rule;
    View<const uint32_t> edges;  // of the mesh: read again, as so few overlap, instead of kept in registers
    FLIPSCOPE_HD void operator()(const SeenEdge& seen, BlockSums& sums) const {
        if (rule.is_long(seen.quad.to)) return;
        const IndexPair ends = pair_at(edges, seen.edge);
        rule.find(ends.first, ends.second, seen.quad.to, 1, sums);
    }
};

/// After that, of the edges that have flipped: what they were is taken back, what they are is found.
struct MendOverlaps {
    OverlapRule rule;
    MeshView mesh;
    TorusBox box;
    View<const uint32_t> edges;
    View<const EdgeBefore> before;
    FLIPSCOPE_HD void operator()(uint32_t k, BlockSums& sums) const {
        const EdgeBefore was = before[k];
        rule.find(was.from, was.to, box.to_image(mesh.positions[was.from], mesh.positions[was.to], was.shift), -1,
                  sums);
        const uint32_t slot = mesh.half_slots[2 * size_t(edges[k])];
        rule.find(mesh.from(slot), mesh.to(slot), step_of(mesh, box, slot), 1, sums);
    }
};

/// Sum 0: particles moved, 1: pushes shortened to the cap.
struct PushApart {
    MoveParticle move;
    PushSums found;
    View<Point> pushes;
    View<uint8_t> overlapped;  // set to 1, and cleared once a step
    View<const uint8_t> species;
    SpeciesTable table;
    double cap;  // diameters

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const PushSums::Sum sum = found.take(i);
        move.moved[i] = sum.any;  // also where pushes cancel out: what touches it is to be looked at again
        if (!sum.any) return;
        overlapped[i] = 1;
        if (sum.x == 0 && sum.y == 0) return;
        Point by{static_cast<double>(sum.x) * found.unit, static_cast<double>(sum.y) * found.unit};
        const double squared = by.x * by.x + by.y * by.y, most = cap * table.diameter[species[i]];
        ++sums.value[0];
        if (squared > most * most) {
            const double shorter = most / sqrt(squared);
            by = {move.box.on_grid(by.x * shorter), move.box.on_grid(by.y * shorter)};
            ++sums.value[1];
        }
        pushes[i] = {pushes[i].x + by.x, pushes[i].y + by.y};
        move(i, by);
    }
};

/// PushApart for those that FindOverlaps has listed.
struct PushListed {
    PushApart push;
    View<const uint32_t> triangles;
    View<const uint32_t> slots;
    FLIPSCOPE_HD void operator()(uint32_t k, BlockSums& sums) const { push(triangles[slots[k]], sums); }
};

/// Where no push is to follow.
struct LeaveOverlaps {
    PushSums found;
    View<uint8_t> overlapped;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (found.take(i).any) overlapped[i] = 1;
    }
};

FLIPSCOPE_HD inline Point sum_of(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }

/// What pushes have moved is added once, when there are no more: every one of them would read and write it. Sum 0:
/// squared displacements since the start, in 2^-20 of the world's units, 1: lengths of this step's moves, in 2^-30.
struct MeasureMotion {
    static constexpr double kSquares = 0x1p20, kLengths = 0x1p30;
    View<const Point> pushes;
    View<Point> displacements, moves;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const Point m = sum_of(moves[i], pushes[i]), d = sum_of(displacements[i], m);
        moves[i] = m;
        displacements[i] = d;
        sums.value[0] += static_cast<uint64_t>(rint((d.x * d.x + d.y * d.y) * kSquares));
        sums.value[1] += static_cast<uint64_t>(rint(sqrt(m.x * m.x + m.y * m.y) * kLengths));
    }
};
/// The same before MeasureMotion has: one of the two.
struct AddMotion {
    View<const Point> displacements;  // or empty
    View<const Point> moves, pushes;
    View<Point> sums;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point m = sum_of(moves[i], pushes[i]);
        sums[i] = displacements ? sum_of(displacements[i], m) : m;
    }
};

/// Sum 0: a hash of which particles are frozen, the same in any order.
struct SumFrozen {
    View<const uint8_t> frozen;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        if (frozen[i]) sums.value[0] += mix64(uint64_t(i) + 1);
    }
};

}  // namespace flipscope
