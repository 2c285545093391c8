// What is degenerate about points, before any program triangulates them: duplicates, points on lines, points on
// circles, how many bits exact signs need, and what plain float and double arithmetic would get wrong. `flipscope
// check` calls it for points alone. Everything is asked at the triangles and edges of the exact triangulation, so it
// takes time in proportion to the points.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "compute/context.h"
#include "geometry/point.h"
#include "geometry/predicates.h"

namespace flipscope {

/// Signs of a naive predicate against exact ones, over the decisions that a flip algorithm makes at its end.
struct NaiveSigns {
    uint64_t wrong_turns = 0;    // triangles of the exact triangulation that it does not see as counter-clockwise
    uint64_t wrong_circles = 0;  // edges of which it gets the sign of the in-circle test wrong, where that is not 0
    uint64_t wrong_ties = 0;     // edges of cocircular quadruples that it does not see as such
    std::vector<std::array<uint32_t, 3>> turns;    // some of the triangles, by their points
    std::vector<std::array<uint32_t, 4>> circles;  // some of the quadruples: from, to, left, right
};

struct PointsJudgement {
    uint64_t points = 0, duplicates = 0, triangles = 0, edges = 0, hull_edges = 0;
    std::vector<std::array<uint32_t, 2>> duplicate_pairs;  // a point and the first one of its place; the first of them

    /// Runs of three points or more on one line whose neighbours are joined by edges of the exact triangulation.
    uint64_t runs = 0;
    uint64_t hull_points_on_lines = 0;         // points of the hull that are no corners of it
    std::vector<std::vector<uint32_t>> lines;  // the longest runs, in order along the line
    /// Sets of four points or more on one circle that has no point inside.
    uint64_t circles = 0;
    std::vector<std::vector<uint32_t>> cocircular;  // the largest ones, ascending

    // Coordinates are whole numbers of so many bits in units of 2^unit, at most; and exact signs take so many.
    int unit = 0, coordinate_bits = 0, turn_bits = 0, circle_bits = 0;
    uint64_t filtered_turns = 0, filtered_circles = 0;  // triangles, edges of which a filter in doubles tells the sign
    NaiveSigns naive[std::size(kNaivePredicates)];      // of each, in that order
    bool in_one_line = false;
};

inline constexpr size_t kMostExamples = 20;  // of each kind that are listed

/// Coordinates in the range of the predicates. Throws Error for others, Cancelled.
PointsJudgement judge_points(Context& context, std::span<const Point> points);

}  // namespace flipscope
