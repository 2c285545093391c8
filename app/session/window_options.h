// What a window opens with: filled from the command line and the preferences, read by the window and its session.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/run/run.h"
#include "app/session/preferences.h"
#include "geometry/plane_bounds.h"

namespace flipscope::app {

struct WindowOptions {
    Run run;  // what opens first
    DeviceOptions device = {};
    bool light = false;              // theme
    int width = 1280, height = 800;  // window, screen coordinates
    bool is_sized = false;           // width and height were asked for
    /// What an empty canvas shows; nothing: the unit square.
    std::optional<PlaneBounds> empty_window = {};
    std::string lesson = {};      // a file, which is played; or empty
    std::string file = {};        // the one that is opened first, for the list of recent files; or empty
    bool remembers = false;       // preferences and recent files are read and written
    Preferences remembered = {};  // as they were read
    std::optional<PreferencesFile> preferences_file = {};
    std::vector<std::string> warnings = {};  // about them
    bool control_stdin = false;              // read commands such as "status" from stdin
};

}  // namespace flipscope::app
