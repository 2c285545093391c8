#pragma once

#include <nanobind/nanobind.h>

namespace flipscope::python {

void bind_lab_run(nanobind::module_& module);

}  // namespace flipscope::python
