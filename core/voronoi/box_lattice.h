// A lattice for a rectangle of the world that is periodic along both axes or along one: what the Voronoi and the
// Events lab lay their boxes on.
#pragma once

#include <string>

#include "geometry/plane_bounds.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// A torus or a cylinder of pixels, and where it lies.
struct BoxLattice {
    Lattice lattice;
    LatticeUnits units;
    double stretch = 0;  // 0.002: pixels are 0.2 % wider than high, or higher than wide
};

/// The lattice of about `pixels` for a box of this size, 0 along an open axis. Of a torus the shape is that of the box
/// most nearly; what is left of the difference stretches y. On a cylinder pixels are squares, and along the open axis
/// the lattice reaches over `bounds`, those of the points, with a margin of half a cell or so, where `count` points lie
/// on it. Throws Error, which begins with `name`, for a box that is too long for it.
BoxLattice lattice_of_box(const std::string& name, double pixels, Point low, Point size, const PlaneBounds& bounds,
                          size_t count);

}  // namespace flipscope
