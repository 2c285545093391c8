// `flipscope run`: the window's run without the window. Reads the input, runs as far as requested, checks, and writes
// the outputs; creates an offscreen OpenGL context only for a picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/curve_plot.h"
#include "app/figures/figure_spec.h"
#include "app/run/beside.h"
#include "app/run/run.h"
#include "app/run/selection_query.h"
#include "app/view/camera.h"
#include "instruments/exploration.h"

namespace flipscope::app {

struct RunOptions {
    Scenario scenario;
    DeviceOptions device;
    enum class Extent { kFinish, kStepped, kSteps, kRounds } extent = Extent::kFinish;
    uint64_t count = 0;              // of steps or rounds
    std::vector<std::string> until;  // breakpoints (instruments/breakpoint.h): the run stops at the first hit
    bool check = false;
    bool statistics = false;  // of the final scene
    std::optional<SelectionQuery> select;
    ExplorationChoice explored;  // colours and selection of pictures and figures
    std::string against;         // another input whose points' statistics are compared; or empty
    bool times_kernels = false;  // on CUDA; on CPU threads they are always timed
    bool quiet = false;
    bool light = false;                // theme of the picture
    std::string json;                  // a file, "-" for stdout, or empty
    std::vector<std::string> exports;  // files of meshes, detections and arrays
    std::string page;                  // of all steps, for a browser: an .html file, or empty
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
    PlotPage page_of_plots;
    std::vector<std::string> views;  // files that describe the picture: scenario.json, a Python script
    DisplayOptions display;          // of the picture
    std::optional<ViewAxes> view;    // view of a surface; default: as in the window
    std::optional<bool> legend;      // of the picture; default: if it is large enough
    int width = 1280, height = 800;  // of the picture, pixels; of a lesson's, if given
    FigureSpec figure;  // of --figure, --sequence and --video, except format, theme, display options and view
    std::vector<std::string> figures;               // files: .png, .svg, .pdf
    std::string sequence, video;                    // "film/%05d.png"; "film.mp4"; or empty
    uint64_t from = 0, to = UINT64_MAX, every = 1;  // passes of the run in the film
    double frame_rate = 25;                         // of the video, pictures per second
    bool draws() const { return !picture.empty() || !figures.empty() || !page.empty() || films(); }
    bool films() const { return !sequence.empty() || !video.empty(); }
};

/// Returns the exit status (base/endings.h). Throws Error for the user's mistakes; handles Ctrl-C itself. Files appear
/// complete or not at all.
int run_headless(const RunOptions& options);

/// `flipscope run lesson.json`: runs every step of a lesson, checks its expectations, and makes a page to hand out
/// (app/run/page.h): `page`, complete or not at all. `lesson`: a file. Uses the options that
/// run_command.cpp allows for a lesson. Returns the exit status: kCheckFailed if an expectation does not hold. Throws
/// Error for what cannot be read, run or written.
int run_lesson(const std::string& lesson, const RunOptions& options);

}  // namespace flipscope::app
