// Interpolation on a triangulation, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace flipscope::python {

/// The class Interpolated; after Triangulated.
void bind_interpolation(nanobind::module_& module);

}  // namespace flipscope::python
