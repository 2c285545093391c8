// The part of the plane that statistics are about: a rectangle that cells are clipped to, or the whole of a torus.
#pragma once

#include "geometry/point.h"

namespace flipscope {

struct Window {
    Point low, high;        // world units
    bool periodic = false;  // a torus: low is (0, 0), high its sides
    FLIPSCOPE_HD double width() const { return high.x - low.x; }
    FLIPSCOPE_HD double height() const { return high.y - low.y; }
    FLIPSCOPE_HD double area() const { return width() * height(); }
    /// Of a point in the window, from its border: below 0 outside of it. On a torus there is no border.
    FLIPSCOPE_HD double depth(Point p) const {
        if (periodic) return width() + height();
        const double x = p.x - low.x < high.x - p.x ? p.x - low.x : high.x - p.x;
        const double y = p.y - low.y < high.y - p.y ? p.y - low.y : high.y - p.y;
        return x < y ? x : y;
    }
};

}  // namespace flipscope
