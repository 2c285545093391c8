// The Build lab: parallel insertion with flips, pass by pass.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& build_lab_info();
std::unique_ptr<Lab> make_build_lab();

}  // namespace flipscope
