// The interactive program: one window with the scene, the transport and the panels. Called by main.cpp once the command
// line is understood and the input is in memory; returns when the window is closed.
#pragma once

#include "app/session/window_options.h"

namespace flipscope::app {

/// Opens the window and runs until it is closed; returns the exit status. Throws std::runtime_error with a sentence for
/// the user when there is no display, OpenGL is too old, or the device or make of shared memory cannot be had.
int run_window(const WindowOptions& options);

}  // namespace flipscope::app
