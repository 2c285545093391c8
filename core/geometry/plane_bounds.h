// The rectangle that points of the host lie in.
#pragma once

#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// World units.
struct PlaneBounds {
    Point low, high;
};

/// Of the points whose coordinates are finite; of none, 0.
PlaneBounds bounds_of(const std::vector<Point>& points);

}  // namespace flipscope
