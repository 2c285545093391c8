// A lattice for a rectangle of the world that is periodic along both axes or one, for the boxes of the Voronoi and
// Events labs.
#pragma once

#include <string>

#include "geometry/bounds.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// A torus or a cylinder of pixels, and its place in the world.
struct BoxLattice {
    Lattice lattice;
    LatticeUnits units;
    double stretch = 0;  // 0.002: pixels are 0.2 % wider than high, or higher than wide
};

/// The lattice of about `pixels` for a box of this size, 0 along an open axis. On a torus it has the shape of the box
/// as nearly as possible; the remaining difference stretches y. On a cylinder pixels are squares, and along the open
/// axis the lattice spans `bounds`, those of the `count` points, with a margin of about half a cell. Throws Error,
/// which begins with `name`, if the box is too elongated.
BoxLattice lattice_of_box(const std::string& name, double pixels, Point low, Point size, const Bounds& bounds,
                          size_t count);

}  // namespace flipscope
