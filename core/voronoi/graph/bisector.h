// The line of all places equidistant from two points, with a coordinate along it: Voronoi edges are pieces of it. Used
// by exact_graph and graph_comparison; lattice_graph_cells.h clips likewise.
#pragma once

#include <cmath>
#include <limits>

#include "flipscope/detail/exact.h"
#include "flipscope/view.h"
#include "geometry/point.h"

namespace flipscope {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// Clips [low, high] to the t for which from + t · step lies within [range_low, range_high]. If there are none, low >
/// high.
FLIPSCOPE_HD inline void clip_to_range(double from, double step, double range_low, double range_high, double& low,
                                       double& high) {
    if (step == 0) {
        if (from < range_low || from > range_high) {
            low = kUnbounded;
            high = -kUnbounded;
        }
        return;
    }
    const double first = (range_low - from) / step, second = (range_high - from) / step;
    const double enters = second < first ? second : first, leaves = first < second ? second : first;
    low = low < enters ? enters : low;
    high = leaves < high ? leaves : high;
}

/// The bisector of two distinct points a and b. The coordinate is the length from their midpoint, growing to the left
/// of a → b.
struct Bisector {
    Point from, to;
    Point middle, direction;  // direction: of length 1
    double half;              // half the distance between a and b, world units

    Bisector(Point a, Point b) : from(a), to(b) {
        const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
        middle = {a.x + dx / 2, a.y + dy / 2};
        direction = {-dy / length, dx / length};
        half = length / 2;
    }
    Point at(double s) const { return {middle.x + s * direction.x, middle.y + s * direction.y}; }

    /// A third point, and the place equidistant from all three: an end of the Voronoi edge, if the point is the apex of
    /// an adjacent triangle. If the third point lies to the left, places to the left of that place are nearer to it
    /// than to a and b.
    struct Third {
        int side;   // 1: to the left of the line through a and b; 0: on it; -1: to the right. Exact
        double at;  // infinite for a point on the line
    };
    Third third(Point c) const {
        constexpr double kDoubtful = 0x1p-32;  // relative to the coordinates: rounding is a few parts in 2^52
        const double x = c.x - middle.x, y = c.y - middle.y, away = direction.x * x + direction.y * y;
        const double coordinates = std::fabs(middle.x) + std::fabs(middle.y) + std::fabs(x) + std::fabs(y) + half;
        if (std::fabs(away) > kDoubtful * coordinates)
            return {away > 0 ? 1 : -1, (x * x + y * y - half * half) / (2 * away)};
        const double area = exact::orient2d_rounded(from, to, c);
        if (area == 0) return {0, kUnbounded};
        const double lead = (c.x - from.x) * (c.x - to.x) + (c.y - from.y) * (c.y - to.y);
        return {area > 0 ? 1 : -1, lead * half / area};
    }
    /// Clips [low, high] to the box. If nothing remains, low > high.
    void clip(Point box_low, Point box_high, double& low, double& high) const {
        clip_to_range(middle.x, direction.x, box_low.x, box_high.x, low, high);
        clip_to_range(middle.y, direction.y, box_low.y, box_high.y, low, high);
    }
};

}  // namespace flipscope
