// The command line, understood: what the user wants done, with every value checked that can be checked without reading
// input or touching a device. main.cpp calls it once and acts on the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/camera.h"
#include "app/judged_case.h"
#include "app/outside_program.h"
#include "app/scenario.h"
#include "compute/context.h"

namespace flipscope::app {

/// Exit statuses of the program.
enum ExitStatus : int {
    kSuccess = 0,
    kCheckFailed = 1,
    kWrongUse = 2,       // also unreadable input, and a device or display that was asked for and is not there
    kFailed = 3,         // the machine gave up on us: out of memory, a device that failed
    kInterrupted = 130,  // Ctrl-C
};

struct DeviceOptions {
    DeviceRequest device = DeviceRequest::kAuto;
    int threads = 0;                     // 0: as many as the machine has
    std::optional<uint32_t> block_size;  // CUDA threads per block
    std::string shared_memory = "auto";  // auto, cuda, mapped or staged
};

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
    bool quiet = false;
    bool light = false;                // theme of the picture
    std::string json;                  // a file, "-" for stdout, or empty
    std::vector<std::string> exports;  // files of meshes, detections and arrays
    std::vector<std::string> inspect;  // elements to explain at the end: "edge:12"
    std::vector<std::string> history;  // elements to tell the history of
    std::string picture;               // a PNG file, or empty
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
    Look look;                        // of the picture
    std::optional<ViewAxes> view;     // from where it shows a surface; as the window does, when not given
    std::optional<bool> legend;       // of the picture; nothing: where it is large enough for one
    PictureSize size;
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
    PictureSize size;
};

struct CheckOptions {
    std::filesystem::path input;      // points, a mesh, or a folder
    std::filesystem::path triangles;  // over the points; or empty
    Requirement required = Requirement::kDelaunay;
    std::string sarif, junit;          // files, "-" for stdout, or empty
    int threads = 0;                   // 0: as many as the machine has
    std::string json;                  // a file, "-" for stdout, or empty
    std::vector<std::string> exports;  // files of failures
    bool quiet = false;
};

struct ShrinkCommandOptions {
    Scenario scenario;    // the points, and the lab with its parameters
    std::string command;  // of a program under test, in place of the lab; or empty
    ProgramLimits limits;
    Requirement required = Requirement::kDelaunay;  // of the program's answer
    std::string fails = "any";                      // as Failing takes it
    std::string out, json;                          // files; `json` may be "-" or empty
    double seconds = 60;
    bool simplify = true;
    int threads = 0;  // 0: as many as the machine has
    bool quiet = false;
};

struct TortureOptions {
    std::string command;
    ProgramLimits limits;
    Requirement required = Requirement::kDelaunay;
    std::vector<uint64_t> sizes{10, 1000};
    std::vector<std::string> only;    // generators and kinds of small sets; empty: all
    uint64_t small_sets = 1000;       // adversarial ones
    uint64_t seed = 1;                // of generators and small sets
    std::string report, json, junit;  // files; `json` and `junit` may be "-"; or empty
    std::string failures;             // a folder for scenarios of the shrunk failures; or empty
    double shrink_seconds = 60;       // for all of them together; 0: none are shrunk
    int jobs = 0;                     // programs at once; 0: as many as the machine has threads
    bool quiet = false;
};

enum class Command { kShow, kRun, kCheck, kShrink, kTorture, kSheet, kList, kInfo, kNothing };

struct Options {
    Command command = Command::kShow;
    int status = kSuccess;  // of kNothing: what to exit with (help was printed, or what is wrong was said)
    ShowOptions show;
    RunOptions run;
    SheetOptions sheet;
    CheckOptions check;
    ShrinkCommandOptions shrink;
    TortureOptions torture;
    std::string list;      // labs, passes, parameters, arrays, generators, formats or defects; empty: all
    std::string list_lab;  // of the first four: of this lab alone; empty: of all
};

/// Prints help and version on stdout and what is wrong on stderr. Throws Error for a scenario that cannot be read.
Options parse_options(int argc, char** argv);

}  // namespace flipscope::app
