// Degeneracies of a point set: duplicates, collinear and cocircular points, the bits that exact signs need, and the
// signs that float and double arithmetic would get wrong. `flipscope check` calls it for points alone. Tests only the
// triangles and edges of the exact triangulation, so it takes linear time.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "compute/context.h"
#include "flipscope/predicates.h"
#include "geometry/point.h"

namespace flipscope {

/// Signs of a naive predicate compared with exact ones, over the final decisions of a flip algorithm.
struct NaiveSigns {
    uint64_t wrong_turns = 0;    // triangles of the exact triangulation with a wrong orientation sign
    uint64_t wrong_circles = 0;  // edges with a wrong sign of the in-circle test, if the exact sign is not 0
    uint64_t wrong_ties = 0;     // edges of cocircular quadruples with a nonzero sign
    std::vector<std::array<uint32_t, 3>> turns;    // some of the triangles, by their points
    std::vector<std::array<uint32_t, 4>> circles;  // some of the quadruples: from, to, left, right
};

struct PointsJudgement {
    uint64_t points = 0, duplicates = 0, triangles = 0, edges = 0, hull_edges = 0;
    std::vector<std::array<uint32_t, 2>> duplicate_pairs;  // a point and the first one at its place; the first pairs

    /// Runs of three or more collinear points, joined by edges of the exact triangulation.
    uint64_t runs = 0;
    uint64_t hull_points_on_lines = 0;         // points on the hull that are not corners of it
    std::vector<std::vector<uint32_t>> lines;  // the longest runs, in order along the line
    /// Sets of four or more points on an empty circle.
    uint64_t circles = 0;
    std::vector<std::vector<uint32_t>> cocircular;  // the largest ones, ascending

    // Coordinates are integers of at most coordinate_bits bits in units of 2^unit; exact signs need turn_bits and
    // circle_bits.
    int unit = 0, coordinate_bits = 0, turn_bits = 0, circle_bits = 0;
    uint64_t filtered_turns = 0, filtered_circles = 0;  // triangles, edges whose sign a double-precision filter decides
    NaiveSigns naive[std::size(kNaivePredicates)];      // of each, in that order
    bool in_one_line = false;
};

inline constexpr size_t kMostExamples = 20;  // listed, of each kind

/// Coordinates in the range of the predicates. Throws Error for others, Cancelled.
PointsJudgement judge_points(Context& context, std::span<const Point> points);

}  // namespace flipscope
