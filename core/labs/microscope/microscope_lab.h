// The Predicate microscope: the signs of an orientation or in-circle determinant where one of its points runs over a
// patch of neighbouring floating-point numbers, as floats, as doubles and exactly, side by side. The kernels are those
// of geometry/predicate_map.h; here are its parameters, its picture, and what is told of a pixel.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& microscope_lab_info();
std::unique_ptr<Lab> make_microscope_lab();

/// Whether such labs make edits of this kind; for the registry.
inline bool microscope_lab_supports(Edit::Kind kind) { return kind == Edit::Kind::kAdjust; }

}  // namespace flipscope
