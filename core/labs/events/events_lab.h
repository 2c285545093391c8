// The Events lab: from a field over time, or from moving sites, to plastic events (Bernaschi, Lulli and Sbragaglia
// 2016). One round is one comparison of two frames.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& events_lab_info();
std::unique_ptr<Lab> make_events_lab();

}  // namespace flipscope
