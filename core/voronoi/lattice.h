// The lattice of flipscope/colour_lattice.h, and its place in the units of the input. All code that colours, labels or
// measures on a lattice shares these few lines, so that all methods agree bitwise.
#pragma once

#include "compute/view.h"
#include "flipscope/colour_lattice.h"

namespace flipscope {

/// A lattice in the units of the input: pixel (0, 0), and the distance to the next pixel in x and in y.
struct LatticeUnits {
    Point origin, unit{1, 1};
    FLIPSCOPE_HD Point as_given(Point place) const {
        return {origin.x + place.x * unit.x, origin.y + place.y * unit.y};
    }
    FLIPSCOPE_HD Point on_lattice(Point given) const {
        return {(given.x - origin.x) / unit.x, (given.y - origin.y) / unit.y};
    }
};

}  // namespace flipscope
