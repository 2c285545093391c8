// Ctrl-C while a run goes on: the first one sets a flag at which all long work looks, the second one ends the program
// the hard way. One at a time; used by the headless runner.
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

  private:
    CancelScope scope_;
};

}  // namespace flipscope::app
