// The fewest and simplest points that still show a failure. The caller says what failing is: a run that ends wrong, a
// program that crashes. Points are left out by delta debugging (Zeller and Hildebrandt, 2002), in groups of neighbours
// along a space-filling curve, since failures of triangulations are local; then coordinates are made simple as long as
// the failure stays. Runs on the caller's thread and knows no lab and no program.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "judge/point_kinds.h"

namespace flipscope {

/// What has been reached so far; told after every success, and every so often.
struct ShrinkProgress {
    const char* stage = "";                    // "leaving points out", "simplifying coordinates"
    const std::vector<Point>* best = nullptr;  // valid during the call
    uint64_t tests = 0;                        // so far
};

struct ShrinkOptions {
    /// Whether these points, fewer than given and in the order that they were given in, still fail. Must give the same
    /// answer for the same points. Throws what ends the search: Cancelled, and errors of its own.
    std::function<bool(std::span<const Point>)> fails;
    std::function<void(const ShrinkProgress&)> progress;  // may be empty
    bool simplify = true;                                 // coordinates, too; distinct points stay distinct
    PointKinds kinds;                                     // of which the points are, and stay
    uint64_t most_tests = std::numeric_limits<uint64_t>::max();
    double most_seconds = std::numeric_limits<double>::infinity();
};

struct Shrunk {
    std::vector<Point> points;      // they fail; none can be left out by itself, where `complete`
    std::vector<uint32_t> indices;  // of each in the points that were given; its coordinates may be others
    uint64_t tests = 0;
    bool complete = true;  // false: the tests or the seconds were used up before the end
};

/// `points`: must fail and be of options.kinds. Throws std::invalid_argument where they do not, and what options.fails
/// throws. What was best
/// when it throws has been told to options.progress.
Shrunk shrink(std::span<const Point> points, const ShrinkOptions& options);

/// How many binary digits a coordinate takes, from its first that is 1 to its last: 0 of 0, 1 of 8, 2 of 0.75.
int significant_bits(double value);

}  // namespace flipscope
