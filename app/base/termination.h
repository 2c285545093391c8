// Removes unfinished files when a signal ends the program. Headless runs leave Ctrl-C to Interrupt, which calls this on
// a second Ctrl-C.
#pragma once

namespace flipscope::app {

/// From now on this signal removes unfinished files before it ends the program. A signal ignored at the start (nohup)
/// stays ignored.
void tidy_up_when_ended_by(int signal);

/// The same for all terminating signals except Ctrl-C. From now on a file beyond the user's size limit is a write error
/// instead of a signal.
void tidy_up_when_ended();

/// The handler: removes unfinished files, then ends the program by the same signal.
void end_by_signal(int signal);

}  // namespace flipscope::app
