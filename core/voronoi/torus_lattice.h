// A lattice for a periodic rectangle of the world: what the Voronoi and the Events lab lay their boxes on.
#pragma once

#include <string>

#include "voronoi/lattice.h"

namespace flipscope {

/// A torus of pixels and where it lies.
struct TorusLattice {
    Lattice lattice;
    LatticeUnits units;
    double stretch = 0;  // 0.002: pixels are 0.2 % wider than high, or higher than wide
};

/// The torus of about `pixels` whose shape is that of the box most nearly; what is left of the difference stretches y.
/// Throws Error, which begins with `name`, for a box that is periodic along one axis alone, or too long for it.
TorusLattice lattice_of_box(const std::string& name, double pixels, Point low, Point size);

}  // namespace flipscope
