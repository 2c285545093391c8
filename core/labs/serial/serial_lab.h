// The Serial lab: inserts one point after another on the CPU, for comparison.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& serial_lab_info();
std::unique_ptr<Lab> make_serial_lab();

}  // namespace flipscope
