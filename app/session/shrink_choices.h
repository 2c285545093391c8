// The failures that the window offers to shrink, read off the state it shows, with the names of `flipscope shrink
// --fails`. Runs nothing and does not use ImGui.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/judging/failing.h"
#include "app/session/lab_model.h"

namespace flipscope::app {

struct ShrinkChoice {
    std::string criterion;  // for FailingLab: "check", "cycles", "differs", or the code of a failure
    std::string title;      // "the check fails": what fewer points must still show
    std::string sentence;   // its meaning, for this state if known
    bool shown = false;     // this state shows it; otherwise the search finds out
};

/// In the order of the list offered. Empty: this state has not failed.
std::vector<ShrinkChoice> shrink_choices(const LabModel& model);
/// Index of the first choice that this state shows; 0 if none.
size_t first_shown(const std::vector<ShrinkChoice>& choices);
/// Whether the run ended because flips cycle.
bool has_cycled(const LabModel& model);

}  // namespace flipscope::app
