// The parameters that the user sets. A value takes effect at once or as a step of the run, or it is a draft until the
// run starts over.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/session/lab_worker.h"
#include "app/session/manual_edits.h"

namespace flipscope::app {

class RunParameters {
  public:
    RunParameters(LabWorker& worker, ManualEdits& edits) : worker_(worker), edits_(edits) {}

    /// Sets what changes only the picture at once; makes any other value a draft.
    void set(size_t index, std::string value);
    /// Changes one parameter as a step, where can_change() says so. Drafts stay drafts.
    void adjust(size_t index, std::string value);
    /// Changes all drafts as a step that can be changed during a run; playing goes on. The others stay drafts.
    void change_now();
    /// The parameter can be changed during the present run.
    bool can_change(size_t index) const {
        return adjustable() && model().parameters.at(index).effect == EffectAt::kStep;
    }
    /// There are drafts for change_now().
    bool can_change_now() const { return adjustable() && !drafts(true).empty(); }
    /// The draft, or the value in use.
    std::string value(size_t index) const;
    /// Values that are not in use; `for_step`: only those that can change during a run.
    std::vector<Parameter> drafts(bool for_step = false) const;
    bool has_drafts() const { return !drafts_.empty(); }
    void drop_drafts() { drafts_.clear(); }

  private:
    const LabModel& model() const { return worker_.model(); }
    bool adjustable() const { return model().loaded && model().adjustable; }
    void make(std::vector<Parameter> values);

    LabWorker& worker_;
    ManualEdits& edits_;
    std::map<std::string, std::string> drafts_;  // by the names of parameters
};

}  // namespace flipscope::app
