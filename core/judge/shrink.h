// Finds the fewest and simplest points that still show a failure. The caller defines the failure: a wrong result, a
// crash of a program. Points are removed by delta debugging (Zeller and Hildebrandt, 2002), in groups of neighbours
// along a space-filling curve, because failures of triangulations are local; then coordinates are simplified as long as
// the failure persists. Runs on the caller's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "geometry/point.h"
#include "judge/point_kinds.h"

namespace flipscope {

/// Progress, reported after every success and from time to time.
struct ShrinkProgress {
    const char* stage = "";                    // "leaving points out", "simplifying coordinates"
    const std::vector<Point>* best = nullptr;  // valid during the call
    uint64_t tests = 0;                        // so far
};

struct ShrinkOptions {
    /// Whether this subset of the points, in the given order, still fails. Must be deterministic. May throw to end the
    /// search: Cancelled, or its own errors.
    std::function<bool(std::span<const Point>)> fails;
    std::function<void(const ShrinkProgress&)> progress;  // may be empty
    bool simplify = true;                                 // also simplify coordinates; distinct points stay distinct
    PointKinds kinds;                                     // restrictions that the points meet and keep
    double most_seconds = std::numeric_limits<double>::infinity();
};

struct Shrunk {
    std::vector<Point> points;  // failing points; if `complete`, no single one can be removed
    uint64_t tests = 0;
    bool complete = true;  // false: the limit of seconds was reached
};

/// `points`: must fail and meet options.kinds; otherwise throws std::invalid_argument. Rethrows what options.fails
/// throws; the best result so far has then been reported to options.progress.
Shrunk shrink(std::span<const Point> points, const ShrinkOptions& options);

/// The number of significant binary digits of a coordinate: 0 for 0, 1 for 8, 2 for 0.75.
int significant_bits(double value);

}  // namespace flipscope
