// The Recording lab: the steps of another program on the timeline, with all instruments. Each pass shows the next step
// of the recording and computes only reports on it.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& recording_lab_info();
std::unique_ptr<Lab> make_recording_lab();

}  // namespace flipscope
