// Writes arrays of a lattice as legacy VTK files, for ParaView and VisIt.
#pragma once

#include <string>

#include "compute/array.h"

namespace flipscope {

/// A whole binary file of STRUCTURED_POINTS with spacing 1: an array (h, w) of numbers, (h, w, 2) of vectors, or
/// (h, w, k) with k components. Row 0 is the lowest. Throws std::logic_error for another shape.
std::string vtk_bytes(const std::string& name, const Array& array);

}  // namespace flipscope
