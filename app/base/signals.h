// How signals end the program. Each removes unfinished files first. Ctrl-C during a run sets a flag that all long work
// polls, and ends the program if that has no effect within a second; the second Ctrl-C ends it at once.
#pragma once

#include "compute/cancel.h"

namespace flipscope::app {

/// From now on this signal removes unfinished files before it ends the program. A signal ignored at the start (nohup)
/// stays ignored.
void tidy_up_when_ended_by(int signal);

/// The same for all terminating signals except Ctrl-C. From now on a file beyond the user's size limit is a write error
/// instead of a signal.
void tidy_up_when_ended();

/// The handler: removes unfinished files, then ends the program by the same signal.
void end_by_signal(int signal);

/// One instance at a time; used by the headless runner and the window.
class Interrupt {
  public:
    /// From construction on, Ctrl-C makes throw_if_cancelled() throw on this thread.
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// The flag set by Ctrl-C, for Context::set_cancel_flag().
    static CancelFlag& flag();
    /// For long operations that ask whether to go on: always true. Throws Cancelled after Ctrl-C.
    static bool keep_going();
    /// The user has been informed; only cleaning up remains.
    static void mark_reported();

  private:
    CancelScope scope_;
};

}  // namespace flipscope::app
