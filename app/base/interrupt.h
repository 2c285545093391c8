// Ctrl-C while a run goes on: the first one sets a flag at which all long work looks, and ends the program at once
// when that has not helped within a second; the second one ends it without waiting. One at a time; used by the headless
// runner and by the window.
#pragma once

#include "compute/cancel.h"

namespace flipscope::app {

class Interrupt {
  public:
    /// From here on Ctrl-C is remembered, and throw_if_cancelled() on this thread throws after it.
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// What Ctrl-C sets; for Context::set_cancel_flag().
    static CancelFlag& flag();
    /// The user has been told; all that is left is to tidy up.
    static void mark_reported();

  private:
    CancelScope scope_;
};

}  // namespace flipscope::app
