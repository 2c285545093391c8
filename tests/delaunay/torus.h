// Points and triangulations on a torus, for the tests of these.
#pragma once

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "delaunay/torus/torus_triangulation.h"

namespace flipscope {

using Points = std::vector<Point>;

inline Points wrapped(const TorusBox& box, Points points) {
    std::set<std::pair<double, double>> seen;
    Points kept;
    for (Point p : points) {
        p = box.wrapped(box.on_grid(p));
        if (seen.insert({p.x, p.y}).second) kept.push_back(p);
    }
    return kept;
}

inline Points random_points(std::mt19937_64& random, Point sides, size_t count, double spread = 1) {
    std::uniform_real_distribution<double> x(0, sides.x * spread), y(0, sides.y * spread);
    Points points(count);
    for (Point& p : points) p = {x(random), y(random)};
    return points;
}
inline Points random_points(std::mt19937_64& random, double side, size_t count, double spread = 1) {
    return random_points(random, Point{side, side}, count, spread);
}

/// How a point on the grid comes back into the box.
inline ImageShift sides_to_add(const TorusBox& box, Point p) {
    return {int8_t(TorusBox::sides_to_add(p.x, box.sides.x)), int8_t(TorusBox::sides_to_add(p.y, box.sides.y))};
}

inline TorusTriangulation built(Context& context, const TorusBox& box, const Points& points) {
    TorusTriangulation torus;
    torus.build(context, box, points, false);
    return torus;
}

inline void check_sound(const TorusTriangulation& torus) {
    const CheckReport report = torus.check();
    CHECK_MESSAGE(report.passed, report.sentence);
}

}  // namespace flipscope
