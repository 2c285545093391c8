// The Predicate microscope: the signs of an orientation or in-circle determinant while one of its points runs over a
// patch of neighbouring floating-point numbers, as floats, as doubles and exactly, side by side. The kernels are in
// geometry/predicate_map.h; here are the parameters, the scene and the reports on pixels.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& microscope_lab_info();
std::unique_ptr<Lab> make_microscope_lab();

/// Whether the lab supports this kind of edit; for the registry.
inline bool microscope_lab_supports(Edit::Kind kind) { return kind == Edit::Kind::kAdjust; }

}  // namespace flipscope
