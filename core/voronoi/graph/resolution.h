// Which sites a lattice can resolve: those whose cell has a pixel for certain, so that a reader of the colours of
// pixels can see it. Shared by the graph's pass that looks at the others, and by the comparison that counts them.
#pragma once

#include "voronoi/lattice.h"

namespace flipscope {

/// No place of the lattice's box is farther than √½ from a pixel. A cell reaches half as far as the nearest other
/// site to all sides, so it has a pixel when that one is √2 away, or farther.
inline constexpr double kResolvedSquared = 2;  // world units²

/// Beyond the box [-½, w - ½] × [-½, h - ½] there are no pixels along open axes. False for what is no number.
FLIPSCOPE_HD inline bool lies_outside(const Lattice& lattice, Point p) {
    return (!lattice.periodic.x && (p.x < -0.5 || p.x > lattice.width - 0.5)) ||
           (!lattice.periodic.y && (p.y < -0.5 || p.y > lattice.height - 0.5));
}

}  // namespace flipscope
