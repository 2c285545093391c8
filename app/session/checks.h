// Checks the present state, on request and at the end of a run. Marks the failures in the picture and chooses one of
// them.
#pragma once

#include <cstddef>
#include <string>

#include "app/session/lab_worker.h"

namespace flipscope::app {

class Checks {
  public:
    explicit Checks(LabWorker& worker) : worker_(worker) {}

    /// `says`: whether the verdict becomes a message.
    void verify(bool says = true);
    /// Chooses one of the failures, which the picture marks.
    void choose_failure(size_t index) { worker_.publisher().choose_failure(index); }
    void close_failure() { worker_.publisher().close_failure(); }
    /// Chooses the first failure of this code once the input of this source has been checked.
    void choose_when_checked(std::string code, std::string source);

    /// The end of the run has to be checked.
    bool due() const { return worker_.publisher().check_due(); }
    void start_due();

  private:
    void start(bool asked, bool says);
    void take(CheckReport report, bool asked, bool says);
    void choose_wanted();

    LabWorker& worker_;
    std::string wanted_code_, wanted_source_;
};

}  // namespace flipscope::app
