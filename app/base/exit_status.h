// The program's exit statuses.
#pragma once

namespace flipscope::app {

enum ExitStatus : int {
    kSuccess = 0,
    kCheckFailed = 1,
    kWrongUse = 2,       // also unreadable input, or a requested device or display that is missing
    kFailed = 3,         // resource failure: out of memory, a device that failed
    kUnstable = 4,       // the run became unstable and could not finish
    kInterrupted = 130,  // Ctrl-C
};

}  // namespace flipscope::app
