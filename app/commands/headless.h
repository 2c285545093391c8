// `flipscope run`: the window's run without the window. Reads the input, runs as far as requested, checks, and writes
// the outputs; creates an offscreen OpenGL context only for a picture.
#pragma once

#include "app/commands/options.h"

namespace flipscope::app {

/// Returns the exit status (base/endings.h). Throws Error for the user's mistakes; handles Ctrl-C itself. Files appear
/// complete or not at all.
int run_headless(const RunOptions& options);

}  // namespace flipscope::app
