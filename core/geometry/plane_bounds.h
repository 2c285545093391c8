// The bounding rectangle of points in host memory.
#pragma once

#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// World units.
struct PlaneBounds {
    Point low, high;
};

/// The bounds of the finite points; 0 without points.
PlaneBounds bounds_of(const std::vector<Point>& points);

}  // namespace flipscope
