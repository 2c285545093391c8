// Writes arrays of a lattice as legacy VTK files, for ParaView and VisIt.
#pragma once

#include <string>

#include "compute/array.h"
#include "geometry/point.h"

namespace flipscope {

/// A whole binary file of STRUCTURED_POINTS: an array (h, w) of numbers, (h, w, 2) of vectors, or
/// (h, w, k) with k components. Row 0 is the lowest. Throws std::logic_error for another shape.
/// `origin`: the place of the first number; `spacing`: from one to the next.
std::string vtk_bytes(const std::string& name, const Array& array, Point origin = {}, Point spacing = {1, 1});

}  // namespace flipscope
