// Clips shapes to a box, in any units; y may point either way.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "geometry/point.h"

namespace flipscope::app {

/// Clips the segment from p to q to the box (Liang and Barsky). False: nothing of it remains.
inline bool clip_segment(Point& p, Point& q, Point low, Point high) {
    double enter = 0, leave = 1;
    const double dx = q.x - p.x, dy = q.y - p.y;
    const auto along = [&](double d, double from, double to) {
        if (d == 0) return from <= 0 && 0 <= to;
        double a = from / d, b = to / d;
        if (a > b) std::swap(a, b);
        enter = std::max(enter, a);
        leave = std::min(leave, b);
        return enter <= leave;
    };
    if (!along(dx, low.x - p.x, high.x - p.x) || !along(dy, low.y - p.y, high.y - p.y)) return false;
    const Point from = p;
    if (leave < 1) q = {from.x + leave * dx, from.y + leave * dy};
    if (enter > 0) p = {from.x + enter * dx, from.y + enter * dy};
    return true;
}

/// The part of a convex polygon, segment or point inside the box (Sutherland and Hodgman); empty: none.
inline std::vector<Point> clip_polygon(std::vector<Point> shape, Point low, Point high) {
    for (int side = 0; side < 4 && !shape.empty(); ++side) {
        const auto depth = [&](Point p) {  // inside the side
            return side == 0 ? p.x - low.x : side == 1 ? high.x - p.x : side == 2 ? p.y - low.y : high.y - p.y;
        };
        std::vector<Point> kept;
        for (size_t i = 0; i < shape.size(); ++i) {
            const Point a = shape[i], b = shape[(i + 1) % shape.size()];
            const double from = depth(a), to = depth(b);
            if (from >= 0) kept.push_back(a);
            if ((from < 0) == (to < 0)) continue;
            const double t = from / (from - to);
            kept.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
        }
        shape = std::move(kept);
    }
    return shape;
}

}  // namespace flipscope::app
