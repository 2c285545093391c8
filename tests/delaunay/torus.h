// Points and triangulations on a torus, for the tests of these.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
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

/// A corner: point and image.
using Corner = std::array<int64_t, 3>;
using Corners = std::array<Corner, 3>;

/// One name for a triangle and all its images: the lowest corner first, in the box itself.
inline Corners canonical(Corners corners) {
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    const int64_t x = corners[0][1], y = corners[0][2];
    for (Corner& corner : corners) corner[1] -= x, corner[2] -= y;
    return corners;
}

inline std::set<Corners> triangles_of(const TorusTriangulation& torus) {
    const std::vector<uint32_t> ids = torus.mesh().triangles.download();
    const std::vector<ImageShift> images = corner_images(torus.mesh());
    std::set<Corners> triangles;
    for (size_t t = 0; t < torus.mesh().triangle_count; ++t) {
        Corners corners;
        for (size_t k = 0; k < 3; ++k) corners[k] = {ids[3 * t + k], images[3 * t + k].x, images[3 * t + k].y};
        triangles.insert(canonical(corners));
    }
    return triangles;
}

inline void check_sound(const TorusTriangulation& torus) {
    const CheckReport report = torus.check();
    CHECK_MESSAGE(report.passed, report.sentence);
}

}  // namespace flipscope
