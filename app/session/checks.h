// Checks the present state, on request and at the end of a run. Marks the failures in the picture and chooses one of
// them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "app/session/lab_worker.h"

namespace flipscope::app {

class Checks {
  public:
    explicit Checks(LabWorker& worker) : worker_(worker) {}

    /// `announces`: post the verdict as a message.
    void verify(bool announces = true);
    /// Chooses one of the marked failures.
    void choose_failure(size_t index) { worker_.publisher().choose_failure(index); }
    void close_failure() { worker_.publisher().close_failure(); }
    /// Chooses the first failure with this code after the next check.
    void choose_when_checked(std::string code) { wanted_code_ = std::move(code); }

    /// The end of the run still needs a check.
    bool due() const { return worker_.publisher().check_due(); }
    void start_due();

  private:
    void start(bool requested, bool announces);
    void finish(CheckReport report, bool requested, bool announces);

    LabWorker& worker_;
    std::string wanted_code_;
};

}  // namespace flipscope::app
