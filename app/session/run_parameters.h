// The parameters that the user sets. A value takes effect at once or as a step of the run, or stays a draft until the
// run starts over.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/session/lab_worker.h"
#include "app/session/manual_edits.h"

namespace flipscope::app {

/// Those parameters of the model's lab that differ from their defaults.
std::vector<Parameter> changed_parameters(const LabModel& model);

class RunParameters {
  public:
    RunParameters(LabWorker& worker, ManualEdits& edits) : worker_(worker), edits_(edits) {}

    /// Applies a parameter of the picture at once; makes any other value a draft.
    void set(size_t index, std::string value);
    /// Changes one parameter as a step if can_change() allows it. Keeps drafts.
    void adjust(size_t index, std::string value);
    /// Applies, as one step, all drafts that can change during a run; playback continues. The others stay drafts.
    void change_now();
    /// Whether the parameter can change during the present run.
    bool can_change(size_t index) const {
        return adjustable() && model().parameters.at(index).effect == EffectAt::kStep;
    }
    /// Whether change_now() has drafts to apply.
    bool can_change_now() const { return adjustable() && !drafts(true).empty(); }
    /// The draft, or the value in use.
    std::string value(size_t index) const;
    /// Values not yet in use; `for_step`: only those that can change during a run.
    std::vector<Parameter> drafts(bool for_step = false) const;
    bool has_drafts() const { return !drafts_.empty(); }
    void drop_drafts() { drafts_.clear(); }
    /// Whether the run must start over to show drafts of EffectAt::kPreview. True once for each change.
    bool take_preview() { return std::exchange(previews_, false) && has_drafts(); }

  private:
    const LabModel& model() const { return worker_.model(); }
    bool adjustable() const { return model().loaded && model().supports(Edit::Kind::kAdjust); }
    void make(std::vector<Parameter> values);

    LabWorker& worker_;
    ManualEdits& edits_;
    std::map<std::string, std::string> drafts_;  // by parameter name
    bool previews_ = false;
};

}  // namespace flipscope::app
