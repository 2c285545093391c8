// Ctrl-C during a run: the first sets a flag that all long work polls, and ends the program if that has no effect
// within a second; the second ends it at once. One instance at a time; used by the headless runner and the window.
#pragma once

#include "compute/cancel.h"

namespace flipscope::app {

class Interrupt {
  public:
    /// From construction on, Ctrl-C makes throw_if_cancelled() throw on this thread.
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// The flag set by Ctrl-C, for Context::set_cancel_flag().
    static CancelFlag& flag();
    /// The user has been informed; only cleaning up remains.
    static void mark_reported();

  private:
    CancelScope scope_;
};

}  // namespace flipscope::app
