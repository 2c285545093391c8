// What a window opens with: filled from the command line and the preferences, read by the window and its session.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/scenario.h"
#include "app/session/preferences.h"
#include "app/view/camera.h"
#include "compute/context.h"
#include "geometry/plane_bounds.h"
#include "geometry/point.h"

namespace flipscope::app {

struct WindowOptions {
    std::string lab = "build";                         // id of the algorithm in the registry
    std::shared_ptr<const flipscope::Geometry> input;  // what to start with
    flipscope::DeviceRequest device = flipscope::DeviceRequest::kAuto;
    int threads = 0;                     // 0: as many as the machine has
    std::optional<Scenario> origin;      // names the input; or nothing
    std::vector<Parameter> parameters;   // as for --set
    bool play = false;                   // start playing at once
    std::optional<uint64_t> at;          // run so many passes at once; kAtEnd: to the end, and verify it
    std::string failure;                 // the code of the failure that is chosen when a check lists it; or empty
    double presenter_scale = 0;          // size of text and lines; 0: from the monitor
    Look look;                           // what is shown to begin with
    std::optional<Explored> colour_by;   // and what elements are coloured by
    bool light = false;                  // light theme
    int width = 1280, height = 800;      // window, screen coordinates
    std::string shared_memory = "auto";  // auto, cuda, mapped or staged
    std::string source_text;             // the generator spec or file shown in the input panel
    uint64_t seed = 1;                   // shown in the input panel
    std::string title, note;             // of the scenario, shown beside the input
    std::vector<std::string> notes;      // about the input, shown among the messages
    std::string lesson;                  // a file, which is played; or empty
    /// What an empty canvas shows; nothing: the unit square.
    std::optional<PlaneBounds> empty_window;
    std::string file;        // the one that is opened first, for the list of recent files; or empty
    bool is_sized = false;   // width and height were asked for
    bool remembers = false;  // preferences and recent files are read and written
    Preferences remembered;  // as they were read
    std::optional<PreferencesFile> preferences_file;
    std::vector<std::string> warnings;  // about them
    bool control_stdin = false;         // read commands such as "status" from stdin
};

}  // namespace flipscope::app
