// Whether obstacles block a Voronoi edge: one rule for the links that are looked for and for those that are found to be
// missing. Used by graph_comparison.cpp and lattice_graph_cells.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "voronoi/lattice.h"

namespace flipscope {

/// A link is blocked when obstacles leave no piece of this length of its Voronoi edge free, in lattice units: a lattice
/// need not show a contact that is shorter.
inline constexpr double kLeastContact = 1.5;

/// Of a Voronoi edge, which may be looked along in several pieces.
struct FreePart {
    double longest = 0;    // piece of it that no obstacle covers, world units
    bool covered = false;  // some of it is

    FLIPSCOPE_HD bool blocked() const { return covered && longest < kLeastContact; }
};

/// Looks from one end to the other, until a free piece is `enough`. is_obstacle(pixel): whether it is one. Obstacles
/// cover a place when one of the four pixels around it is an obstacle.
template <class IsObstacle>
FLIPSCOPE_HD inline void look_along(const Lattice& lattice, const IsObstacle& is_obstacle, Point from, Point to,
                                    double enough, FreePart& free) {
    constexpr double kStride = 0.125;  // lattice units from one place that is looked at to the next, at most
    const auto blocks = [&](int64_t x, int64_t y) {
        const int64_t w = lattice.width, h = lattice.height;
        if (lattice.periodic.any()) {
            if (lattice.periodic.x) x = (x % w + w) % w;
            if (lattice.periodic.y) y = (y % h + h) % h;
        }
        return x >= 0 && y >= 0 && x < w && y < h &&
               is_obstacle(lattice.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y)));
    };
    const Point d{to.x - from.x, to.y - from.y};
    const double length = sqrt(d.x * d.x + d.y * d.y);
    const auto steps = static_cast<uint32_t>(ceil(length / kStride)) + 1;
    double run = 0;
    for (uint32_t i = 0; i < steps && free.longest < enough; ++i) {
        const double t = (i + 0.5) / steps;
        const auto x = static_cast<int64_t>(floor(from.x + t * d.x)), y = static_cast<int64_t>(floor(from.y + t * d.y));
        const bool covered = blocks(x, y) || blocks(x + 1, y) || blocks(x, y + 1) || blocks(x + 1, y + 1);
        run = covered ? 0 : run + length / steps;
        free.covered = free.covered || covered;
        free.longest = run > free.longest ? run : free.longest;
    }
}

}  // namespace flipscope
