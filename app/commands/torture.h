// The report of `flipscope torture`, which runs any program that reads points and writes triangles on every generator
// and on a thousand small adversarial sets, judges each answer exactly, and shrinks the failures. Writes reports for
// people and for build servers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/judging/failing.h"
#include "judge/point_kinds.h"

namespace flipscope::app {

struct TortureOptions {
    ProgramRequest program;
    std::vector<uint64_t> sizes{10, 1000};
    std::vector<std::string> only;    // generators and kinds of small sets; empty: all
    uint64_t small_sets = 1000;       // adversarial ones
    PointKinds kinds;                 // kinds that the program accepts; points are converted first
    uint64_t seed = 1;                // of generators and small sets
    std::string report, json, junit;  // files; `json` and `junit` may be "-"; or empty
    std::filesystem::path input;      // a folder of saved failures to run instead of all sets; or empty
    std::string failures;             // a folder for scenarios of the shrunk failures; or empty
    double shrink_seconds = 60;       // for all failures together; 0: no shrinking
    int jobs = 0;                     // programs at once; 0: one per hardware thread
    bool quiet = false;
};

/// One set of points and the program's answer.
struct TortureCase {
    std::string family;  // a generator, or a kind of small sets
    std::string name;    // "near-ring:1000", "almost-line, set 17"
    bool small = false;  // an adversarial set
    uint64_t points = 0;
    bool fails = false;
    bool after_others = false;   // fails only after other sets in one process; as in PointsOutcome
    bool timed_out = false;      // no answer in time; not a failure, it may be slow
    std::string kind, sentence;  // as in PointsOutcome
    std::vector<std::string> codes;
    double elapsed_s = 0;
};

/// The fewest points found for one kind of failure.
struct ShrunkFailure {
    size_t of = 0;    // the source case, the smallest with this failure
    std::string way;  // how the program ends, or the code of a defect
    std::vector<Point> points;
    std::string sentence;                            // the program's result on them
    std::vector<std::string> codes;                  // that they show, including `way`
    std::string picture;                             // SVG
    std::vector<std::array<uint32_t, 3>> triangles;  // the program's; empty: none
};

struct TortureReport {
    TortureOptions options;  // as requested
    std::vector<TortureCase> cases;
    std::vector<ShrunkFailure> shrunk;  // by their number of points
    double elapsed_s = 0;
    uint64_t failed() const { return static_cast<uint64_t>(std::ranges::count(cases, true, &TortureCase::fails)); }
    uint64_t timed_out() const {
        return static_cast<uint64_t>(std::ranges::count(cases, true, &TortureCase::timed_out));
    }
    uint64_t smallest() const;  // points of the smallest failure, including shrunk ones; 0: none failed
    /// "7 points are enough", or a sentence that no point can be omitted.
    std::string enough(const ShrunkFailure& shrunk) const;
    /// "37 of 1,214 failed; smallest: 7 points"
    std::string headline() const;
};

std::string html_of(const TortureReport& report);
std::string json_of(const TortureReport& report);
std::string junit_of(const TortureReport& report);

/// A drawing of few points with the triangles over them, what is wrong marked: for pages.
std::string svg_of(const Geometry& answer, const Judgement& judgement);

}  // namespace flipscope::app
