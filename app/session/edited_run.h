// A run as it can be made again elsewhere: its input by name, its parameters, and the manual edits on its timeline. The
// session tells it and makes it again; the journal keeps it in a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/run/scenario.h"
#include "lab/lab.h"

namespace flipscope::app {

struct EditedRun {
    Scenario scenario;                             // lab, input and all parameters, as the run began
    bool named = true;                             // the scenario names the input; else it cannot be made again
    std::string source;                            // as the input panel shows it
    std::shared_ptr<const Geometry> input;         // what the scenario names; nullptr: not read yet
    std::vector<std::pair<uint64_t, Edit>> edits;  // with the positions they were made at, in their order
    uint64_t position = 0;                         // where the run stands

    /// What was edited, in words: the source, or what the edits began from where nothing was given.
    std::string edited_text() const;
};

}  // namespace flipscope::app
