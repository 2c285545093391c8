// The observation window of statistics: a rectangle to which cells are clipped, or all of a torus or a cylinder.
#pragma once

#include "geometry/point.h"

namespace flipscope {

struct Window {
    static constexpr double kFar = 1e300;  // beyond all places
    Point low, high;                       // world units; low is 0 along an axis that is periodic, high its side
    bool periodic_x = false, periodic_y = false;
    FLIPSCOPE_HD bool is_periodic() const { return periodic_x || periodic_y; }
    FLIPSCOPE_HD bool is_torus() const { return periodic_x && periodic_y; }
    FLIPSCOPE_HD double width() const { return high.x - low.x; }
    FLIPSCOPE_HD double height() const { return high.y - low.y; }
    FLIPSCOPE_HD double area() const { return width() * height(); }
    /// NaN lies outside.
    FLIPSCOPE_HD bool contains(Point p) const { return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y; }
    /// Distance of a point from the border of the window, negative outside. A periodic axis has no border.
    FLIPSCOPE_HD double depth(Point p) const {
        const double none = width() + height();
        const double x = periodic_x ? none : p.x - low.x < high.x - p.x ? p.x - low.x : high.x - p.x;
        const double y = periodic_y ? none : p.y - low.y < high.y - p.y ? p.y - low.y : high.y - p.y;
        return x < y ? x : y;
    }
};

/// Narrows [low, high] to where place + slope · t >= 0; without such t low exceeds high.
FLIPSCOPE_HD inline void narrow(double place, double slope, double& low, double& high) {
    if (slope > 0) {
        const double t = -place / slope;
        if (t > low) low = t;
    } else if (slope < 0) {
        const double t = -place / slope;
        if (t < high) high = t;
    } else if (place < 0) {
        high = -Window::kFar;
        low = Window::kFar;
    }
}

}  // namespace flipscope
