// The Serial lab: one point after the other, on the CPU, to compare with.
#pragma once

#include <memory>

#include "labs/algorithm.h"

namespace flipscope {

std::unique_ptr<Algorithm> make_serial_lab();

}  // namespace flipscope
