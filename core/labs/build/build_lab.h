// The Build lab: parallel insertion with flips, pass by pass.
#pragma once

#include <memory>

#include "labs/algorithm.h"

namespace flipscope {

std::unique_ptr<Algorithm> make_build_lab();

}  // namespace flipscope
