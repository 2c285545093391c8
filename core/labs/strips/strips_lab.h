// The Strips lab: points sorted into strips and zipped together, then edge flips, pass by pass.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& strips_lab_info();
std::unique_ptr<Lab> make_strips_lab();

}  // namespace flipscope
