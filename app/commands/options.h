// The command line, understood: what the user wants done, with every value checked that can be checked without reading
// input or touching a device. main.cpp calls it once and acts on the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/exit_status.h"
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
    std::vector<std::string> until;  // breakpoints (labs/breakpoint.h): the run stops at the first that is hit
    bool check = false;
    bool statistics = false;  // of what the lab shows in the end
    std::optional<SelectionQuery> select;
    ExplorationChoice explored;    // what pictures and figures are coloured by, and show as selected
    std::string against;           // another input, whose points' statistics are compared with these; or empty
    std::optional<Window> within;  // that these are taken in; none: the bounds of the points
    bool quiet = false;
    bool light = false;                // theme of the picture
    std::string json;                  // a file, "-" for stdout, or empty
    std::vector<std::string> exports;  // files of meshes, detections and arrays
    std::vector<std::string> inspect;  // elements to explain at the end: "edge:12"
    std::vector<std::string> history;  // elements to tell the history of
    std::string picture;               // a PNG file, or empty
    BesideRequest beside;              // what pictures and figures show at the left of the run
    std::string save;                  // the file for the state at the end, or empty
    std::vector<Adjustment> adjust;    // in the order of their rounds, one for each of them
    std::string resume;                // a saved run to go on with, or empty; the scenario then has what goes with it
    struct Sweep {
        std::string parameter;
        std::vector<std::string> values;  // one run for each
    };
    std::optional<Sweep> sweep;
    std::vector<std::string> plots;   // files of curves: .svg, .csv
    std::vector<std::string> curves;  // which of them; empty: the lab's own
    DisplayOptions display;           // of the picture
    std::optional<ViewAxes> view;     // from where it shows a surface; as the window does, when not given
    std::optional<bool> legend;       // of the picture; nothing: where it is large enough for one
    PictureSize size;
    FigureSpec figure;                 // of --figure, --sequence and --video, but for format, theme, look and view
    std::vector<std::string> figures;  // files: .png, .svg, .pdf
    std::string sequence, video;       // "film/%05d.png"; "film.mp4"; or empty
    uint64_t from = 0, to = UINT64_MAX, every = 1;  // steps of the run that they show
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
    /// What the window shows of the plane where it opens without points.
    std::optional<Window> empty_window;
    std::string lesson;  // a file, whose first step is the scenario; or empty
    std::string file;    // the one file that is opened; or empty
    PictureSize size;
    // What the preferences say where the command line says nothing.
    bool remembers = true;                     // without it they are neither read nor written
    bool has_size = false, has_theme = false;  // they were given
    bool names_nothing = false;                // neither a lab nor what to open in one
};

struct LessonOptions {
    std::string lesson;  // a file
    DeviceOptions device;
    std::string html;             // a page to hand out, or empty
    std::string video, sequence;  // a file and a pattern of files, or empty
    double frame_rate = 25;       // pictures per second
    std::string json;             // a file, "-" for stdout, or empty
    bool light = true;            // theme of the page's pictures, which are to be printed
    bool light_film = false;      // theme of the video, which is to be projected
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
    int status = kSuccess;  // of kNothing: what to exit with (help was printed, or what is wrong was said)
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
    std::string list_lab;  // of the first four: of this lab alone; empty: of all
};

/// Prints help and version on stdout and what is wrong on stderr. Throws Error for a scenario that cannot be read.
Options parse_options(int argc, char** argv);

}  // namespace flipscope::app
