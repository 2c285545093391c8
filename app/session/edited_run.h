// A run in a form that can be repeated: its input by name, its parameters, and the manual edits on its timeline.
#pragma once

#include <cstdint>
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
    Scenario scenario;                      // lab, input and all parameters at the start
    bool named = true;                      // the scenario names the input; otherwise the run cannot be repeated
    std::string source;                     // shown in the input panel
    std::shared_ptr<const Geometry> input;  // named by the scenario; nullptr: not read yet
    std::vector<PlacedEdit> edits;          // in order
    uint64_t position = 0;                  // passes made
    uint64_t input_hash = 0;                // contents_hash() of the input; only in a journal

    /// What was edited: the source, or what the lab starts from without an input.
    std::string edited_text() const;
};

/// Describes the present run, and restores such a run. The journal stores it in a file.
class RunRestorer {
  public:
    RunRestorer(LabWorker& worker, Undo& undo, Opener& opener) : worker_(worker), undo_(undo), opener_(opener) {}

    /// The run with its manual edits; nullopt if it has none but planned ones, or the lab is busy.
    std::optional<EditedRun> edited_run() const;
    /// Opens the input of a journal, repeats the edits and goes to the position; reports an input that has changed.
    void restore(EditedRun run);
    /// Whether a run was restored since the last call.
    bool take_restored() { return std::exchange(restored_, false); }

  private:
    void start(const std::shared_ptr<const EditedRun>& run);

    LabWorker& worker_;
    Undo& undo_;
    Opener& opener_;
    bool restored_ = false;
};

}  // namespace flipscope::app
