// The Recording lab: what another program did, step by step, on the timeline with all instruments. Each pass shows the
// next step of the recording; nothing is computed but what there is to tell of it.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& recording_lab_info();
std::unique_ptr<Lab> make_recording_lab();

}  // namespace flipscope
