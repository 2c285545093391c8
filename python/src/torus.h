#pragma once

#include <nanobind/nanobind.h>

namespace flipscope::python {

void bind_torus(nanobind::module_& module);

}  // namespace flipscope::python
