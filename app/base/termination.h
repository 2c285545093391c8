// What is tidied up when a signal ends the program: the files it has not finished. Headless runs leave Ctrl-C to
// Interrupt, which comes here when it is pressed again.
#pragma once

namespace flipscope::app {

/// From here on, this signal removes what was being written before it ends the program. One that the program was
/// started to ignore (nohup) stays ignored.
void tidy_up_when_ended_by(int signal);

/// The same for all signals that end programs, but for Ctrl-C. A file that grows beyond the user's limit is an error of
/// writing from here on, no signal.
void tidy_up_when_ended();

/// The handler: removes unfinished files, then ends the program by the same signal.
void end_by_signal(int signal);

}  // namespace flipscope::app
