// How kernels compare elements by their distance from a place. Used by the picks in the plane, in space and on a torus.
#pragma once

#include <cstdint>

#include "geometry/point.h"

namespace flipscope {

struct NearestElement {
    double distance2;  // world units, squared
    uint32_t id;       // the lowest of the equally near; kNone: no element
};

FLIPSCOPE_HD inline bool before(const NearestElement& a, const NearestElement& b) {
    return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.id < b.id);
}
FLIPSCOPE_HD inline NearestElement nearer(const NearestElement& a, const NearestElement& b) {
    return before(a, b) ? a : b;
}

/// The base of kernels that search for the nearest element by reduce().
struct FindsNearest {
    FLIPSCOPE_HD static NearestElement combine(const NearestElement& a, const NearestElement& b) {
        return nearer(a, b);
    }
};

FLIPSCOPE_HD inline double distance2(Point a, Point b) {
    const double dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy;
}

/// The parameter, from 0 to 1, of the place on a b nearest to `place`.
FLIPSCOPE_HD inline double nearest_along(Point a, Point b, Point place) {
    const double length2 = distance2(a, b);
    const double along = ((place.x - a.x) * (b.x - a.x) + (place.y - a.y) * (b.y - a.y)) / length2;
    return along > 0 ? (along < 1 ? along : 1) : 0;  // an edge of no length: at its beginning
}

}  // namespace flipscope
