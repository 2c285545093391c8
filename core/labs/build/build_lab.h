// The Build lab: parallel insertion with flips, pass by pass.
#pragma once

#include <memory>

#include "labs/lab.h"

namespace flipscope {

std::unique_ptr<Lab> make_build_lab();

}  // namespace flipscope
