// What a lattice can show: the sites that it resolves, and how long a contact must be between obstacles. Shared by the
// search for links and by the comparison that counts missing ones.
#pragma once

#include <cmath>
#include <cstdint>

#include "voronoi/lattice.h"

namespace flipscope {

/// Every place of the lattice's box is within √½ of a pixel. A cell extends half the distance of the nearest other site
/// in all directions, so it has a pixel if that distance is at least √2.
inline constexpr double kResolvedSquared = 2;  // world units²

/// Along open axes there are no pixels outside the box [-½, w - ½] × [-½, h - ½]. False for NaN.
FLIPSCOPE_HD inline bool lies_outside(const Lattice& lattice, Point p) {
    return (!lattice.periodic.x && (p.x < -0.5 || p.x > lattice.width - 0.5)) ||
           (!lattice.periodic.y && (p.y < -0.5 || p.y > lattice.height - 0.5));
}

/// A link is blocked if obstacles leave no free piece of this length of its Voronoi edge, in lattice units: a lattice
/// need not show a shorter contact.
inline constexpr double kLeastContact = 1.5;

/// The free part of a Voronoi edge, which may be scanned in several pieces.
struct FreePart {
    double longest = 0;    // longest piece free of obstacles, world units
    bool covered = false;  // obstacles cover some of it

    FLIPSCOPE_HD bool blocked() const { return covered && longest < kLeastContact; }
};

/// Scans from one end to the other, until a free piece has length `enough`. is_obstacle(pixel): whether it is one.
/// Obstacles cover a place if one of the four pixels around it is an obstacle.
template <class IsObstacle>
FLIPSCOPE_HD inline void look_along(const Lattice& lattice, const IsObstacle& is_obstacle, Point from, Point to,
                                    double enough, FreePart& free) {
    constexpr double kStride = 0.125;  // lattice units between tested places, at most
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
