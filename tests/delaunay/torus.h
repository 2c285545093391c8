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
        p = {box.on_grid(p.x), box.on_grid(p.y)};
        p.x += box.side * box.sides_to_add(p.x);
        p.y += box.side * box.sides_to_add(p.y);
        if (seen.insert({p.x, p.y}).second) kept.push_back(p);
    }
    return kept;
}

inline Points random_points(std::mt19937_64& random, double side, size_t count, double spread = 1) {
    std::uniform_real_distribution<double> uniform(0, side * spread);
    Points points(count);
    for (Point& p : points) p = {uniform(random), uniform(random)};
    return points;
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
