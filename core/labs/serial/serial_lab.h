// The Serial lab: one point after the other, on the CPU, to compare with.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& serial_lab_info();
std::unique_ptr<Lab> make_serial_lab();

}  // namespace flipscope
