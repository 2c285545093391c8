// What may be looked for where a run is to be shrunk to fewer points: the choices that the window offers, read off the
// state that it shows, by the names that `flipscope shrink --fails` takes. Knows no ImGui and runs nothing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/judging/failing.h"
#include "app/session/lab_model.h"

namespace flipscope::app {

struct ShrinkChoice {
    std::string asked;     // as FailingLab's: "check", "cycles", "differs", or the code of a failure
    std::string title;     // "the check fails": what goes on with points that are few enough
    std::string sentence;  // what that means, of this state where it can be told
    bool shown = false;    // this state shows it; else the search finds out
};

/// In the order in which they are offered. Empty: this state has not failed.
std::vector<ShrinkChoice> shrink_choices(const LabModel& model);
/// The first that this state shows.
size_t first_shown(const std::vector<ShrinkChoice>& choices);
/// Codes of the failures that are listed, each once, in the order of the list, and how many of each.
std::vector<std::pair<std::string, size_t>> listed_codes(const CheckReport& check);
/// Whether the run has ended because flips repeat themselves.
bool has_cycled(const LabModel& model);

}  // namespace flipscope::app
