#include "geometry/bounds.h"

#include <cmath>

namespace flipscope {

Bounds bounds_of(const std::vector<Point>& points) {
    Bounds bounds;
    bool any = false;
    for (const Point p : points) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
        bounds = any ? bounds.with(p) : Bounds{p, p};
        any = true;
    }
    return bounds;
}

}  // namespace flipscope
