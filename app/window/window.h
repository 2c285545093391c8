// The interactive program: one window with the scene, the transport and the panels. main.cpp calls it with the parsed
// options and the input in memory; it returns when the window closes.
#pragma once

#include "app/session/window_options.h"

namespace flipscope::app {

/// Opens the window and runs until it closes; returns the exit status. Throws std::runtime_error with a sentence for
/// the user if there is no display, OpenGL is too old, or the device or the kind of shared memory is unavailable.
int run_window(WindowOptions options);

}  // namespace flipscope::app
