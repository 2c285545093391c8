// The sites that a lattice resolves: those whose cell is certain to have a pixel, so that the colours show it. Shared
// by the pass that processes the others, and by the comparison that counts them.
#pragma once

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

}  // namespace flipscope
