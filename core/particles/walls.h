// The two hard, straight walls of a channel: a box that is periodic along one axis only (torus_box.h). They lie at 0
// and at the box's extent along the other axis and act only on discs: a disc stops at a wall. No effect in a box that
// is periodic along both axes.
#pragma once

#include "compute/view.h"
#include "particles/model.h"

namespace flipscope {

/// The coordinate of a place across the channel.
FLIPSCOPE_HD inline double across_channel(const TorusBox& box, Point p) { return box.open == OpenAxis::kX ? p.x : p.y; }
/// Distance from a place in a channel to the nearer wall, world units; negative beyond it.
FLIPSCOPE_HD inline double distance_to_wall(const TorusBox& box, Point p) {
    const double v = across_channel(box, p), other = box.extent - v;
    return v < other ? v : other;
}

/// The range of the centres of discs.
struct Walls {
    OpenAxis across = OpenAxis::kNone;
    View<const uint8_t> species;    // (n); empty: all have the diameter of the first
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

    /// Clamps a place on the grid to the range for particle i.
    FLIPSCOPE_HD Point between(uint32_t i, Point p) const {
        if (across == OpenAxis::kNone) return p;
        const uint32_t kind = species ? species[i] : 0;
        const double v = across == OpenAxis::kX ? p.x : p.y;
        const double inside = v < low[kind] ? low[kind] : v > high[kind] ? high[kind] : v;
        return across == OpenAxis::kX ? Point{inside, p.y} : Point{p.x, inside};
    }
    /// A move from a place between the walls, cut at them; all are multiples of the grid. Exact.
    FLIPSCOPE_HD Point shortened(uint32_t i, Point from, Point move) const {
        if (across == OpenAxis::kNone) return move;
        const Point to = between(i, {from.x + move.x, from.y + move.y});
        return {to.x - from.x, to.y - from.y};
    }
};

}  // namespace flipscope
