// A run as it can be made again elsewhere: its input by name, its parameters, and the manual edits on its timeline.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/scenario.h"
#include "app/session/lab_worker.h"
#include "app/session/opener.h"
#include "app/session/undo.h"
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

/// Describes the present run, and makes such a run again. The journal stores it in a file.
class RunRestorer {
  public:
    RunRestorer(LabWorker& worker, Undo& undo, Opener& opener) : worker_(worker), undo_(undo), opener_(opener) {}

    /// The run with its manual edits; nullopt: it has none, or the lab is at work.
    std::optional<EditedRun> edited_run() const;
    /// Opens the input of such a run, makes its edits and goes to its position. `check` gets the input on the worker's
    /// thread, and throws Error where it is another one.
    void restore(EditedRun run, std::function<void(const Geometry&)> check);
    /// Whether one has been restored since the last call.
    bool take_restored() { return std::exchange(restored_, false); }

  private:
    void start(const std::shared_ptr<const EditedRun>& run);

    LabWorker& worker_;
    Undo& undo_;
    Opener& opener_;
    bool restored_ = false;
};

}  // namespace flipscope::app
