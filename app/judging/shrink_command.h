// `flipscope shrink`: the fewest and simplest points that still show a failure of a lab or of another program, as a
// scenario that opens at the failure, as points, or as a literal for a unit test. The best so far is written again and
// again, so that ending it early loses nothing.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/judging/judged_case.h"
#include "app/judging/outside_program.h"
#include "app/run/scenario.h"
#include "judge/point_kinds.h"

namespace flipscope::app {

struct ShrinkCommandOptions {
    Scenario scenario;    // the points, and the lab with its parameters
    std::string command;  // of a program under test, in place of the lab; or empty
    ProgramLimits limits;
    Requirement required = Requirement::kDelaunay;  // of the program's answer
    std::string fails = "any";                      // as Failing takes it
    std::vector<std::string> outs;                  // files: a scenario, points, or a literal for a test
    std::string json;                               // a file, "-" or empty
    double seconds = 60;
    bool simplify = true;
    PointKinds kinds;  // of which the points are, and stay
    int threads = 0;   // 0: as many as the machine has
    bool quiet = false;
};

/// Returns kSuccess when there is a result, kCheckFailed where the points do not fail at all. Throws Error for what
/// cannot be read or run. Ctrl-C ends it with the best so far, and is no failure then.
int run_shrink(const ShrinkCommandOptions& options);

/// A failure to be written as a scenario.
struct SavedFailure {
    std::string lab;                    // that opens it
    std::vector<Parameter> parameters;  // of the lab
    std::span<const Point> points;
    std::span<const std::array<uint32_t, 3>> triangles;  // that another program made of them; empty: the lab makes them
    std::string failure;                                 // the code of a failure that a check lists; or empty
    std::string title, note;
    std::optional<Explored> colour;  // a measured quantity; a column is left out, since the points have none
};

/// Opens at the end of its run, where the first failure of its code is chosen. Coordinates are hex floats.
std::string scenario_text(const SavedFailure& failure);

/// The points in the format that the extension names: a scenario (.json), "x y" lines (.xy), a table (.csv), a list for
/// Python (.py), an array for C++ (.cpp, .h).
std::string failure_text(const std::string& extension, const SavedFailure& failure);

/// With a capital letter first and a full stop at the end.
std::string as_sentence(std::string text);

}  // namespace flipscope::app
