#include "geometry/plane_bounds.h"

#include <algorithm>
#include <cmath>

namespace flipscope {

PlaneBounds bounds_of(const std::vector<Point>& points) {
    PlaneBounds bounds;
    bool any = false;
    for (const Point p : points) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
        bounds.low = any ? Point{std::min(bounds.low.x, p.x), std::min(bounds.low.y, p.y)} : p;
        bounds.high = any ? Point{std::max(bounds.high.x, p.x), std::max(bounds.high.y, p.y)} : p;
        any = true;
    }
    return bounds;
}

}  // namespace flipscope
