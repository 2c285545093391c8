// A point of the plane, as read from the input, and sets of them. Used by everything; knows nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/macros.h"

namespace flipscope {

struct Point {
    double x = 0;  // world units
    double y = 0;  // world units
    FLIPSCOPE_HD friend bool operator==(Point a, Point b) { return a.x == b.x && a.y == b.y; }
};
static_assert(sizeof(Point) == 16, "drawn as two GL_DOUBLE attributes");

/// The user's points, in the order they were given. Coordinates are never changed after reading.
struct PointSet {
    std::string name;           // where they come from: "uniform:1000", "points.xy"
    std::vector<Point> points;  // (n)
};

}  // namespace flipscope
