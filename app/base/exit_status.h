// What the program exits with.
#pragma once

namespace flipscope::app {

enum ExitStatus : int {
    kSuccess = 0,
    kCheckFailed = 1,
    kWrongUse = 2,       // also unreadable input, and a device or display that was asked for and is not there
    kFailed = 3,         // resource failure: out of memory, a device that failed
    kUnstable = 4,       // the run could not go on to its end: what it computes became unstable
    kInterrupted = 130,  // Ctrl-C
};

}  // namespace flipscope::app
