// The two hard, straight walls of a channel: a box that is periodic along one axis alone (torus_box.h). They lie at 0
// and at the box's extent along the other axis, and touch discs, nothing else: what a move would take beyond a wall
// stays at it. In a box that is periodic along both axes nothing here changes anything.
#pragma once

#include "compute/view.h"
#include "particles/model.h"

namespace flipscope {

/// Of a place, along the axis across which the walls of a channel stand.
FLIPSCOPE_HD inline double across_channel(const TorusBox& box, Point p) { return box.open == OpenAxis::kX ? p.x : p.y; }
/// From a place in a channel to the nearer wall, world units; below 0 beyond it.
FLIPSCOPE_HD inline double distance_to_wall(const TorusBox& box, Point p) {
    const double v = across_channel(box, p), other = box.extent - v;
    return v < other ? v : other;
}

/// Where centres of discs can be.
struct Walls {
    OpenAxis across = OpenAxis::kNone;
    View<const uint8_t> species;    // (n); empty: all have the first one's diameter
    double low[kMostSpecies] = {};  // from here to `high`, world units, multiples of the grid; by species
    double high[kMostSpecies] = {};

    static Walls of(const TorusBox& box, const SpeciesTable& table, View<const uint8_t> species) {
        Walls walls{box.open, species, {}, {}};
        for (uint32_t s = 0; s < kMostSpecies && box.is_cylinder(); ++s) {
            const double radius = table.diameter[s] / 2, rounded = box.on_grid(radius);
            walls.low[s] = rounded < radius ? rounded + box.grid : rounded;
            walls.high[s] = box.extent - walls.low[s];
        }
        return walls;
    }

    /// The place at the walls that is nearest to a place on the grid, of a disc of particle i's size.
    FLIPSCOPE_HD Point between(uint32_t i, Point p) const {
        if (across == OpenAxis::kNone) return p;
        const uint32_t kind = species ? species[i] : 0;
        const double v = across == OpenAxis::kX ? p.x : p.y;
        const double inside = v < low[kind] ? low[kind] : v > high[kind] ? high[kind] : v;
        return across == OpenAxis::kX ? Point{inside, p.y} : Point{p.x, inside};
    }
    /// What is left of a move from a place between them, all multiples of the grid. Exact.
    FLIPSCOPE_HD Point shortened(uint32_t i, Point from, Point move) const {
        if (across == OpenAxis::kNone) return move;
        const Point to = between(i, {from.x + move.x, from.y + move.y});
        return {to.x - from.x, to.y - from.y};
    }
};

}  // namespace flipscope
