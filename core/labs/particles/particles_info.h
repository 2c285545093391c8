// The Particles lab in words: its passes, counters and measures, readable without making a lab.
#pragma once

#include "lab/lab.h"

namespace flipscope {

const LabInfo& particles_lab_info();

}  // namespace flipscope
