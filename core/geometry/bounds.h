// The bounding rectangle of points.
#pragma once

#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// World units.
struct Bounds {
    Point low, high;

    /// The bounds of both.
    FLIPSCOPE_HD Bounds with(const Bounds& other) const {
        return {{low.x < other.low.x ? low.x : other.low.x, low.y < other.low.y ? low.y : other.low.y},
                {high.x > other.high.x ? high.x : other.high.x, high.y > other.high.y ? high.y : other.high.y}};
    }
    FLIPSCOPE_HD Bounds with(Point p) const { return with(Bounds{p, p}); }
};

/// The bounds of the finite points; 0 without points.
Bounds bounds_of(const std::vector<Point>& points);

}  // namespace flipscope
