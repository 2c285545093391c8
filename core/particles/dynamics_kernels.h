// The kernels of a time step but for forces and flips: integrate, push, measure. What particles add up, in pushes and
// in means, they add up in whole numbers, so no order of threads shows.
#pragma once

#include "compute/portable_math.h"
#include "compute/primitives.h"
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
    View<uint8_t> moved;

    FLIPSCOPE_HD void operator()(uint32_t i, Point move) const {
        Point p{positions[i].x + move.x, positions[i].y + move.y};
        const ImageShift added{int8_t(box.sides_to_add(p.x)), int8_t(box.sides_to_add(p.y))};
        p = {p.x + box.side * added.x, p.y + box.side * added.y};
        positions[i] = p;
        sides[i] = added;
        displacements[i] = {displacements[i].x + move.x, displacements[i].y + move.y};
        moves[i] = {moves[i].x + move.x, moves[i].y + move.y};
        moved[i] = (move.x != 0) | (move.y != 0);
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
/// (algorithm 2, with the division by r that it lacks). Lists these edges, in no order. With more than one edge between
/// the same two particles, or from one to itself, each counts: in so small a box particles overlap with images. Most
/// edges are seen to be long enough by their shortest image, which needs no look at triangles.
struct FindOverlaps {
    View<const uint32_t> edges;  // to look at; empty: all
    MeshView mesh;
    TorusBox box;
    View<const uint8_t> species;
    SpeciesTable table;
    View<const uint8_t> frozen;
    View<int64_t> push_steps;  // (n, 2)
    View<uint8_t> overlapped;  // set to 1, and cleared once a step
    View<uint64_t> owners;     // (n) the half-edge that speaks for a particle in this push: the lowest
    uint32_t stamp;            // of this push; its complement is the high word of an owner
    View<uint32_t> list;       // overlapping edges
    double delta;
    double per_step;          // 1 / grid
    double squared_diameter;  // of the largest

    FLIPSCOPE_HD uint32_t edge_at(uint32_t i) const { return edges ? edges[i] : i; }
    FLIPSCOPE_HD double contact(uint32_t edge) const {
        return (table.diameter[species[mesh.edges[2 * edge]]] + table.diameter[species[mesh.edges[2 * edge + 1]]]) / 2;
    }
    FLIPSCOPE_HD Point step(uint32_t edge) const { return step_of(mesh, box, mesh.half_slots[2 * edge]); }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const uint32_t edge = edge_at(i), from = mesh.edges[2 * edge], to = mesh.edges[2 * edge + 1];
        const Point nearest = box.shortest(mesh.positions[from], mesh.positions[to]);
        if (nearest.x * nearest.x + nearest.y * nearest.y >= squared_diameter && from != to) return 0;
        const Point d = step(edge);
        const double touching = contact(edge) * kTouching;
        return d.x * d.x + d.y * d.y < touching * touching;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        const uint32_t edge = edge_at(i);
        list[rank] = edge;
        const Point d = step(edge);
        const double r = sqrt(d.x * d.x + d.y * d.y), along = delta * (contact(edge) - r) / r * per_step;
        const auto x = static_cast<int64_t>(rint(along * d.x)), y = static_cast<int64_t>(rint(along * d.y));
        push(2 * edge, -x, -y);
        push(2 * edge + 1, x, y);
    }
    FLIPSCOPE_HD uint64_t owner(uint32_t half) const { return uint64_t(~stamp) << 32 | half; }
    /// The particle where a half-edge begins.
    FLIPSCOPE_HD void push(uint32_t half, int64_t x, int64_t y) const {
        const uint32_t i = mesh.edges[half];
        atomic_store(overlapped[i], uint8_t(1));
        atomic_min(owners[i], owner(half));
        if (frozen[i]) return;
        add_steps(push_steps[2 * size_t(i)], x);
        add_steps(push_steps[2 * size_t(i) + 1], y);
    }
};

/// For each end of each overlapping edge; the owner moves the particle, and lists a slot at it, also where pushes
/// cancel out: what touches it is to be looked at again. Sum 0: particles moved, 1: pushes shortened to the cap.
struct PushApart {
    FindOverlaps found;
    MoveParticle move;
    View<Point> pushes;
    View<uint32_t> spokes;
    double cap;  // diameters

    FLIPSCOPE_HD uint32_t half_at(uint32_t i) const { return 2 * found.list[i >> 1] + (i & 1); }
    FLIPSCOPE_HD uint32_t code(uint32_t i, BlockSums& sums) const {
        const uint32_t half = half_at(i), id = found.mesh.edges[half];
        if (found.owners[id] != found.owner(half)) return 0;
        const Point by = push_of(id);
        sums.value[0] += (by.x != 0) | (by.y != 0);
        sums.value[1] += is_capped(id, by);
        return 1;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        const uint32_t half = half_at(i), id = found.mesh.edges[half];
        spokes[rank] = found.mesh.half_slots[half];
        Point by = push_of(id);
        found.push_steps[2 * size_t(id)] = found.push_steps[2 * size_t(id) + 1] = 0;
        if (by.x == 0 && by.y == 0) return;
        if (is_capped(id, by)) {
            const double shorter = most(id) / sqrt(by.x * by.x + by.y * by.y);
            by = {move.box.on_grid(by.x * shorter), move.box.on_grid(by.y * shorter)};
        }
        pushes[id] = {pushes[id].x + by.x, pushes[id].y + by.y};
        move(id, by);
    }
    FLIPSCOPE_HD Point push_of(uint32_t id) const {
        return {static_cast<double>(found.push_steps[2 * size_t(id)]) * move.box.grid,
                static_cast<double>(found.push_steps[2 * size_t(id) + 1]) * move.box.grid};
    }
    FLIPSCOPE_HD double most(uint32_t id) const { return cap * found.table.diameter[found.species[id]]; }
    FLIPSCOPE_HD bool is_capped(uint32_t id, Point by) const { return by.x * by.x + by.y * by.y > most(id) * most(id); }
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

}  // namespace flipscope
