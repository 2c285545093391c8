// The passes, counters and measures of the Particles lab, available without constructing it.
#pragma once

#include "lab/lab.h"

namespace flipscope {

const LabInfo& particles_lab_info();

}  // namespace flipscope
