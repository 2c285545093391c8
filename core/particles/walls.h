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
    double extent = 0;
    Diameters diameters;
    double low = 0;                 // of `common`: from here to extent - low, world units, multiples of the grid
    double grid = 0, round_up = 0;  // of the box

    static Walls of(const TorusBox& box, const Diameters& diameters) {
        Walls walls{box.open, box.extent, diameters, 0, box.grid, box.round_up};
        walls.low = walls.lowest(diameters.common);
        return walls;
    }
    /// The least multiple of the grid that is not below the radius.
    FLIPSCOPE_HD double lowest(double diameter) const {
        const double radius = diameter / 2, rounded = (radius + round_up) - round_up;
        return rounded < radius ? rounded + grid : rounded;
    }

    /// Clamps a place on the grid to the range for particle i.
    FLIPSCOPE_HD Point between(uint32_t i, Point p) const {
        if (across == OpenAxis::kNone) return p;
        const double v = across == OpenAxis::kX ? p.x : p.y;
        const double least = diameters.each ? lowest(diameters.each[i]) : low, most = extent - least;
        const double inside = v < least ? least : v > most ? most : v;
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
