// `flipscope run`: the same machine as in the window, without one. Reads the input, runs as far as asked, checks, and
// writes what was asked for; an offscreen OpenGL context is made only for a picture.
#pragma once

#include "app/commands/options.h"

namespace flipscope::app {

/// Returns the exit status (options.h). What the user did wrong is thrown as Error; Ctrl-C is dealt with here.
/// Files appear complete or not at all.
int run_headless(const RunOptions& options);

}  // namespace flipscope::app
