// The Flip race: the Flip lab twice on the same input, side by side, with two rules for conflicts and one timeline. It
// shows a class the cost of a rule.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& race_lab_info();
std::unique_ptr<Lab> make_race_lab();

}  // namespace flipscope
