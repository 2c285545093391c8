// A study area for kernels: whether it contains a point, and the distance of a point from its border.
#pragma once

#include "compute/buffer.h"
#include "flipscope/predicates.h"
#include "flipscope/study_area.h"
#include "statistics/window.h"

namespace flipscope {

struct AreaSide {
    Point from, to;  // world units; the area is on the left
};

struct AreaView {
    Window window;  // the bounds; the area itself if there are no sides
    View<const AreaSide> sides;
    double area = 0;  // world units squared

    FLIPSCOPE_HD bool is_polygon() const { return sides.count > 0; }
    /// Exact. The border belongs to the area; NaN lies outside.
    FLIPSCOPE_HD bool contains(Point p) const {
        if (!window.contains(p)) return false;
        if (!is_polygon()) return true;
        bool inside = false;
        for (size_t i = 0; i < sides.count; ++i) {
            const AreaSide side = sides[i];
            const Point low = side.from.y < side.to.y ? side.from : side.to;
            const Point high = side.from.y < side.to.y ? side.to : side.from;
            if (p.y < low.y || p.y > high.y) continue;
            const int turn = orient2d(low, high, p);
            const double left = low.x < high.x ? low.x : high.x, right = low.x < high.x ? high.x : low.x;
            if (turn == 0 && p.x >= left && p.x <= right) return true;
            if (p.y < high.y && turn > 0) inside = !inside;  // the side crosses the ray to the right of the point
        }
        return inside;
    }
    /// Distance of a point from the border, negative outside. World units.
    FLIPSCOPE_HD double depth(Point p) const {
        if (!is_polygon()) return window.depth(p);
        double least = INFINITY;
        for (size_t i = 0; i < sides.count; ++i) {
            const double squared = squared_distance(p, sides[i]);
            if (squared < least) least = squared;
        }
        return contains(p) ? sqrt(least) : -sqrt(least);
    }
    FLIPSCOPE_HD static double squared_distance(Point p, AreaSide side) {
        const double x = side.to.x - side.from.x, y = side.to.y - side.from.y;
        double t = ((p.x - side.from.x) * x + (p.y - side.from.y) * y) / (x * x + y * y);
        t = t > 0 ? t < 1 ? t : 1 : 0;
        const double dx = side.from.x + t * x - p.x, dy = side.from.y + t * y - p.y;
        return dx * dx + dy * dy;
    }
};

/// A study area in the memory of a device.
class AreaOnDevice {
  public:
    void upload(Context& context, const StudyArea& area);
    AreaView view() const { return {window_, sides_.view(), area_}; }

  private:
    Window window_;
    Buffer<AreaSide> sides_{"sides of the study area"};
    double area_ = 0;
};

Window window_of(const StudyArea& area);
std::vector<AreaSide> sides_of(const StudyArea& area);

}  // namespace flipscope
