// The kernels of a time step but for forces and flips: integrate, push, measure. What particles add up, in pushes and
// in means, they add up in whole numbers, so no order of threads shows.
#pragma once

#include "compute/launch.h"
#include "compute/portable_math.h"
#include "delaunay/torus/torus_rules.h"
#include "mesh/hash.h"
#include "particles/model.h"

namespace flipscope {

/// Puts a particle that moves by `move`, a multiple of the grid and at most half a side, back into the box.
struct MoveParticle {
    TorusBox box;
    View<Point> positions;
    View<ImageShift> sides;
    View<Point> displacements, moves;
    View<uint8_t> moved;  // as TorusTriangulation::Motion has it

    FLIPSCOPE_HD void operator()(uint32_t i, Point move) const {
        Point p{positions[i].x + move.x, positions[i].y + move.y};
        const ImageShift added{int8_t(box.sides_to_add(p.x)), int8_t(box.sides_to_add(p.y))};
        p = {p.x + box.side * added.x, p.y + box.side * added.y};
        positions[i] = p;
        sides[i] = added;
        displacements[i] = {displacements[i].x + move.x, displacements[i].y + move.y};
        moves[i] = {moves[i].x + move.x, moves[i].y + move.y};
        moved[i] |= uint8_t((move.x != 0) | (move.y != 0) | (added == ImageShift{} ? 0 : kVertexCrossed));
    }
};

/// Equation 1 by Euler and Maruyama, with what an active particle adds (equations 10 and 11). Sum 0: moves cut to half
/// the box, 1: particles that went across the border.
struct Integrate {
    MoveParticle move;
    View<const Point> forces;
    View<double> orientations;
    View<const uint8_t> frozen;
    View<uint8_t> overlapped;
    View<Point> pushes;
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
        move.moves[i] = {0, 0};
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
        move(i, {cut(by.x, count), cut(by.y, count)});
        sums.value[0] += count > 0;
    }
};

/// Two's complement makes the sum of signed numbers one of unsigned ones.
FLIPSCOPE_HD inline void add_steps(int64_t& place, int64_t steps) {
    atomic_add(reinterpret_cast<uint64_t&>(place), static_cast<uint64_t>(steps));
}

/// Along every edge shorter than the sum of its ends' radii each end is to move by δ(σ - r) away from the other
/// (algorithm 2, with the division by r that it lacks). Sum 0: overlapping pairs, 1: of these, pairs of frozen ones.
/// Sum 2: particles listed. With more than one edge between the same two particles, or from one to itself, each counts:
/// in so small a box particles overlap with images. Most edges are seen to be long enough by their shortest image,
/// which needs no look at triangles.
struct FindOverlaps {
    View<const uint32_t> edges;  // to look at; empty: all
    MeshView mesh;
    TorusBox box;
    View<const uint8_t> species;
    SpeciesTable table;
    View<const uint8_t> frozen;
    View<int64_t> push_steps;   // (n, 2)
    View<uint8_t> overlapped;   // set to 1, and cleared once a step
    View<uint8_t> touched;      // set to 1, and cleared by PushApart
    View<uint32_t> slots;       // of one edge that begins at each of those touched; or empty: they are not listed
    View<uint32_t> slot_count;  // (1)
    View<uint32_t> listed;      // (n) set to 1, and cleared by PushListed
    double delta;
    double per_step;          // 1 / grid
    double squared_diameter;  // of the largest

    FLIPSCOPE_HD void operator()(uint32_t index, BlockSums& sums) const {
        const uint32_t edge = edges ? edges[index] : index;
        const IndexPair ends = pair_at(mesh.edges, edge);
        const uint32_t from = ends.first, to = ends.second;
        const Point nearest = box.shortest(mesh.positions[from], mesh.positions[to]);
        if (nearest.x * nearest.x + nearest.y * nearest.y >= squared_diameter && from != to) return;
        const Point d = step_of(mesh, box, mesh.half_slots[2 * edge]);
        const double sigma = (table.diameter[species[from]] + table.diameter[species[to]]) / 2;
        const double squared = d.x * d.x + d.y * d.y, touching = sigma * kTouching;
        if (squared >= touching * touching) return;
        ++sums.value[0];
        sums.value[1] += frozen[from] && frozen[to];
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t i = side ? to : from;
            atomic_store(overlapped[i], uint8_t(1));
            atomic_store(touched[i], uint8_t(1));
            if (slots && atomic_exchange_if(listed[i], 0u, 1u) == 0) {
                slots[atomic_add(slot_count[0], 1u)] = mesh.half_slots[2 * edge + side];
                ++sums.value[2];
            }
        }
        const double r = sqrt(squared), along = delta * (sigma - r) / r * per_step;
        const auto x = static_cast<int64_t>(rint(along * d.x)), y = static_cast<int64_t>(rint(along * d.y));
        push(from, -x, -y);
        push(to, x, y);
    }
    FLIPSCOPE_HD void push(uint32_t i, int64_t x, int64_t y) const {
        if (frozen[i]) return;
        add_steps(push_steps[2 * size_t(i)], x);
        add_steps(push_steps[2 * size_t(i) + 1], y);
    }
};

/// Sum 0: particles moved, 1: pushes shortened to the cap.
struct PushApart {
    MoveParticle move;
    View<int64_t> push_steps;
    View<Point> pushes;
    View<uint8_t> touched;
    View<const uint8_t> species;
    SpeciesTable table;
    double cap;  // diameters

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const int64_t x = push_steps[2 * size_t(i)], y = push_steps[2 * size_t(i) + 1];
        move.moved[i] = touched[i];  // also where pushes cancel out: what touches it is to be looked at again
        touched[i] = 0;
        if (x == 0 && y == 0) return;
        push_steps[2 * size_t(i)] = push_steps[2 * size_t(i) + 1] = 0;
        Point by{static_cast<double>(x) * move.box.grid, static_cast<double>(y) * move.box.grid};
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
    View<uint32_t> listed;
    FLIPSCOPE_HD void operator()(uint32_t k, BlockSums& sums) const {
        const uint32_t i = triangles[slots[k]];
        listed[i] = 0;
        push(i, sums);
    }
};

/// Sum 0: squared displacements since the start, in 2^-20 of the world's units, 1: lengths of this step's moves, in
/// 2^-30.
struct MeasureMotion {
    static constexpr double kSquares = 0x1p20, kLengths = 0x1p30;
    View<const Point> displacements, moves;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const Point d = displacements[i], m = moves[i];
        sums.value[0] += static_cast<uint64_t>(rint((d.x * d.x + d.y * d.y) * kSquares));
        sums.value[1] += static_cast<uint64_t>(rint(sqrt(m.x * m.x + m.y * m.y) * kLengths));
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
