// `flipscope shrink`: finds the fewest and simplest points that still show a failure of a lab or of another program,
// and writes a scenario that opens at the failure, points, or a literal for a unit test. It writes the best result
// repeatedly, so that an early end loses nothing.
#pragma once

#include <array>
#include <chrono>
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
    std::string command;  // of a program under test, instead of the lab; or empty
    ProgramLimits limits;
    Requirement required = Requirement::kDelaunay;  // of the program's answer
    std::string fails = "any";                      // as for Failing
    std::vector<std::string> outs;                  // files: a scenario, points, or a literal for a test
    std::string json;                               // a file, "-" or empty
    double seconds = 60;
    bool simplify = true;
    PointKinds kinds;  // kinds that the points have and keep
    int threads = 0;   // 0: one per processor
    bool quiet = false;
};

/// Returns kSuccess with a result, kCheckFailed if the points do not fail at all. Throws Error for what cannot be read
/// or run. Ctrl-C keeps the best result so far and is not a failure.
int run_shrink(const ShrinkCommandOptions& options);

/// A failure to save as a scenario.
struct SavedFailure {
    std::string lab;                    // that opens it
    std::vector<Parameter> parameters;  // of the lab
    std::span<const Point> points;
    std::span<const std::array<uint32_t, 3>> triangles;  // made by another program; empty: the lab makes them
    std::string failure;                                 // code of a failure listed by a check; or empty
    std::string title, note;
    std::optional<Explored> colour;  // a measured quantity; columns are dropped, since the points have none
};

/// The scenario opens at the end of its run with the first failure of its code chosen. Coordinates are hex floats.
std::string scenario_text(const SavedFailure& failure);

/// Progress on one line of a terminal, overwritten in place at most twice a second; writes nothing to a file.
class ProgressLine {
  public:
    explicit ProgressLine(bool quiet);
    void write(const std::string& text);
    void wipe();
    ~ProgressLine() { wipe(); }

  private:
    bool quiet_, written_ = false;
    std::chrono::steady_clock::time_point written_at_{};
};

/// Capitalised, with a full stop at the end.
std::string as_sentence(std::string text);

}  // namespace flipscope::app
