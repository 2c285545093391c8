// The parsed command line, with every value checked that can be checked without reading input or using a device.
// main.cpp calls it once and executes the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/endings.h"
#include "app/commands/read_file.h"
#include "app/figures/figure_spec.h"
#include "app/judging/check_file.h"
#include "app/judging/predicate_command.h"
#include "app/judging/shrink_command.h"
#include "app/judging/torture.h"
#include "app/run/beside.h"
#include "app/run/run.h"
#include "app/run/selection_query.h"
#include "app/view/camera.h"
#include "compute/context.h"
#include "instruments/exploration.h"
#include "statistics/window.h"

namespace flipscope::app {

struct PictureSize {
    int width = 1280, height = 800;  // pixels
};

struct RunOptions {
    Scenario scenario;
    DeviceOptions device;
    enum class Extent { kFinish, kStepped, kSteps, kRounds } extent = Extent::kFinish;
    uint64_t count = 0;              // of steps or rounds
    std::vector<std::string> until;  // breakpoints (instruments/breakpoint.h): the run stops at the first hit
    bool check = false;
    bool statistics = false;  // of the final scene
    std::optional<SelectionQuery> select;
    ExplorationChoice explored;    // colours and selection of pictures and figures
    std::string against;           // another input whose points' statistics are compared; or empty
    std::optional<Window> within;  // region for these statistics; none: the bounds of the points
    bool quiet = false;
    bool light = false;                // theme of the picture
    std::string json;                  // a file, "-" for stdout, or empty
    std::vector<std::string> exports;  // files of meshes, detections and arrays
    std::vector<std::string> inspect;  // elements to explain at the end: "edge:12"
    std::vector<std::string> history;  // elements to trace
    std::string picture;               // a PNG file, or empty
    BesideRequest beside;              // shown left of the run in pictures and figures
    std::string save;                  // file for the final state, or empty
    std::vector<Adjustment> adjust;    // sorted by round, at most one per round
    std::string resume;                // saved run to continue, or empty; `scenario` then comes from it
    struct Sweep {
        std::string parameter;
        std::vector<std::string> values;  // one run for each
    };
    std::optional<Sweep> sweep;
    std::vector<std::string> plots;   // files of curves: .svg, .pdf, .png, .csv
    std::vector<std::string> curves;  // which of them; empty: the lab's own
    DisplayOptions display;           // of the picture
    std::optional<ViewAxes> view;     // view of a surface; default: as in the window
    std::optional<bool> legend;       // of the picture; default: if it is large enough
    PictureSize size;
    FigureSpec figure;  // of --figure, --sequence and --video, except format, theme, display options and view
    std::vector<std::string> figures;               // files: .png, .svg, .pdf
    std::string sequence, video;                    // "film/%05d.png"; "film.mp4"; or empty
    uint64_t from = 0, to = UINT64_MAX, every = 1;  // passes of the run in the film
    double frame_rate = 25;                         // of the video, pictures per second
    bool draws() const { return !picture.empty() || !figures.empty() || films(); }
    bool films() const { return !sequence.empty() || !video.empty(); }
};

struct SheetOptions {
    DeviceOptions device;
    bool light = false, check = false, quiet = false;
    std::string picture;  // a PNG file
    PictureSize size{1920, 1080};
};

struct ShowOptions {
    Scenario scenario;
    DeviceOptions device;
    bool light = false;
    bool control_stdin = false;
    /// The visible part of the plane when the window opens without points.
    std::optional<Window> empty_window;
    std::string lesson;  // a file whose first step is the scenario; or empty
    std::string file;    // the opened file; or empty
    PictureSize size;
    // Whether preferences apply where the command line is silent.
    bool remembers = true;                     // false: neither read nor write preferences
    bool has_size = false, has_theme = false;  // given on the command line
    bool names_nothing = false;                // neither a lab nor an input is given
};

struct LessonOptions {
    std::string lesson;  // a file
    DeviceOptions device;
    std::string html;             // a page to hand out, or empty
    std::string video, sequence;  // a file and a pattern of files, or empty
    double frame_rate = 25;       // pictures per second
    std::string json;             // a file, "-" for stdout, or empty
    bool light = true;            // theme of the page's pictures, for printing
    bool light_film = false;      // theme of the video, for projection
    bool quiet = false;
    PictureSize size{1024, 640};
};

enum class Command {
    kShow,
    kRun,
    kLesson,
    kRead,
    kPredicate,
    kCheck,
    kShrink,
    kTorture,
    kSheet,
    kList,
    kInfo,
    kNothing
};

struct Options {
    Command command = Command::kShow;
    int status = kSuccess;  // exit status for kNothing (help or an error has been printed)
    ShowOptions show;
    RunOptions run;
    LessonOptions lesson;
    SheetOptions sheet;
    ReadFileOptions read;
    PredicateOptions predicate;
    CheckOptions check;
    ShrinkCommandOptions shrink;
    TortureOptions torture;
    std::string
        list;  // labs, passes, parameters, arrays, generators, formats, defects or recent; empty: all but recent
    std::string list_lab;  // restricts the first four to this lab; empty: all labs
};

/// Prints help and version on stdout and errors on stderr. Throws Error for an unreadable scenario.
Options parse_options(int argc, char** argv);

}  // namespace flipscope::app
