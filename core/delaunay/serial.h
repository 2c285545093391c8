// The serial randomized incremental construction, to compare with: one point after the other, algorithms 2 and 3 of
// Drozd (2025). Everybody uses it as an Algorithm.
#pragma once

#include <memory>

#include "steps/algorithm.h"

namespace flipscope {

/// Runs on the CPU only; reset() throws Error on a CUDA context.
std::unique_ptr<Algorithm> make_serial();

}  // namespace flipscope
