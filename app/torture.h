// `flipscope torture`: any program that reads points and writes triangles, run on every generator and on a thousand
// small adversarial sets, each answer judged exactly, and the failures shrunk. Writes a report for people and for build
// servers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/failing.h"
#include "app/options.h"

namespace flipscope::app {

/// One set of points and what the program made of it.
struct TortureCase {
    std::string family;  // a generator, or a kind of small sets
    std::string name;    // "near-ring:1000", "almost-line, set 17"
    bool small = false;  // an adversarial set
    uint64_t points = 0;
    bool fails = false;
    std::string kind, sentence;  // as PointsOutcome
    std::vector<std::string> codes;
    double elapsed_s = 0;
    std::vector<Point> shrunk;    // the fewest points that fail in the same way; or empty
    std::string shrunk_sentence;  // what comes of those
    std::string picture;          // SVG, of the shrunk points or else of a small answer; or empty
};

struct TortureReport {
    std::string command;
    std::vector<TortureCase> cases;
    double elapsed_s = 0;
    uint64_t failed() const;
    uint64_t smallest() const;  // points of the smallest failure, shrunk ones too; 0: none failed
    /// "37 of 1,214 failed; smallest: 7 points"
    std::string headline() const;
};

std::string html_of(const TortureReport& report);
std::string json_of(const TortureReport& report);
std::string junit_of(const TortureReport& report);

/// A drawing of few points with the triangles over them, what is wrong marked: for pages.
std::string svg_of(const Geometry& answer, const Judgement& judgement, int width = 420, int height = 300);

/// Returns kSuccess, or kCheckFailed where the program failed. Throws Error for what cannot be run.
int run_torture(const TortureOptions& options);

}  // namespace flipscope::app
