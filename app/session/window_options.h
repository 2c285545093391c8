// What a window opens with, from the command line and the preferences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/run/run.h"
#include "app/session/preferences.h"
#include "geometry/bounds.h"

namespace flipscope::app {

struct WindowOptions {
    Run run;  // opens first
    DeviceOptions device = {};
    bool light = false;
    bool motion = true;              // steps are shown on their way
    int width = 1280, height = 800;  // screen coordinates
    bool is_sized = false;           // width and height were given
    /// Shown by an empty canvas; nothing: the unit square.
    std::optional<Bounds> empty_window = {};
    std::string lesson = {};      // a file to play; or empty
    std::string file = {};        // the file opened first, for the recent files; or empty
    bool remembers = false;       // read and write preferences and recent files
    Preferences remembered = {};  // as read
    std::optional<PreferencesFile> preferences_file = {};
    std::vector<std::string> warnings = {};  // about preferences and recent files
    bool control_stdin = false;              // read commands such as "status" from stdin
};

}  // namespace flipscope::app
