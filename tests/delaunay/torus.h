// Points and triangulations on a torus, for tests.
#pragma once

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "delaunay/torus/torus_triangulation.h"
#include "flipscope/triangulate.h"
#include "test_support.h"

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

/// On a cylinder without those beyond its borders.
inline std::set<Corners> triangles_within(const TorusTriangulation& torus) {
    std::set<Corners> triangles = triangles_of(torus);
    std::erase_if(triangles, [&](const Corners& corners) {
        return std::any_of(corners.begin(), corners.end(), [&](const Corner& corner) {
            return torus.box().is_beyond({int8_t(corner[1]), int8_t(corner[2])});
        });
    });
    return triangles;
}

/// How many copies of a box along x and y, on either side.
using Reach = std::array<int, 2>;

/// The same in the plane, of so many copies of the box around it: the triangles that touch the box itself.
inline std::set<Corners> triangles_of_copies(const TorusBox& box, const Points& points, Reach reach) {
    Points copies;
    std::vector<Corner> names;
    for (int y = -reach[1]; y <= reach[1]; ++y)
        for (int x = -reach[0]; x <= reach[0]; ++x)
            for (size_t i = 0; i < points.size(); ++i) {
                copies.push_back(box.image(points[i], {int8_t(x), int8_t(y)}));
                names.push_back({int64_t(i), x, y});
            }
    std::set<Corners> triangles;
    for (const auto& t : triangulate(copies, {.device = DeviceRequest::kCpu, .threads = 1}).triangles) {
        bool inside = false;
        for (const uint32_t v : t) inside |= names[v][1] == 0 && names[v][2] == 0;
        if (inside) triangles.insert(canonical({names[t[0]], names[t[1]], names[t[2]]}));
    }
    return triangles;
}

/// In whole numbers: above 0 where d lies in the circle of a, b and c.
template <class Whole>
Whole circle_determinant(const std::array<Whole, 2>& a, const std::array<Whole, 2>& b, const std::array<Whole, 2>& c,
                         const std::array<Whole, 2>& d) {
    const Whole ax = a[0] - d[0], ay = a[1] - d[1], bx = b[0] - d[0], by = b[1] - d[1], cx = c[0] - d[0],
                cy = c[1] - d[1];
    return (ax * ax + ay * ay) * (bx * cy - by * cx) - (bx * bx + by * by) * (ax * cy - ay * cx) +
           (cx * cx + cy * cy) * (ax * by - ay * bx);
}

/// By definition: no image of any point strictly inside of a triangle's circle.
inline bool circles_are_empty(const TorusTriangulation& torus, Reach reach) {
    using Whole = boost::multiprecision::int256_t;
    const TorusBox& box = torus.box();
    const Points points = torus.mesh().positions.download();
    const auto steps = [&](double v) { return static_cast<int64_t>(v / box.grid); };
    const auto at = [&](const Corner& c) {
        const Point p = points[size_t(c[0])];
        return std::array<Whole, 2>{Whole(steps(p.x)) + c[1] * steps(box.sides.x),
                                    Whole(steps(p.y)) + c[2] * steps(box.sides.y)};
    };
    for (const Corners& t : triangles_within(torus))
        for (int64_t i = 0; i < int64_t(points.size()); ++i)
            for (int y = -reach[1]; y <= reach[1]; ++y)
                for (int x = -reach[0]; x <= reach[0]; ++x)
                    if (circle_determinant(at(t[0]), at(t[1]), at(t[2]), at({i, x, y})) > 0) return false;
    return true;
}

inline void check_sound(const TorusTriangulation& torus) {
    const CheckReport report = torus.check();
    CHECK_MESSAGE(report.passed, report.sentence);
}

/// Builds it on every device: sound, and the same. look() sees each.
template <class Look>
void build_alike(const TorusBox& box, const Points& points, const Look& look) {
    std::optional<std::array<uint64_t, 2>> expected;
    on_every_device([&](Context& context) {
        const TorusTriangulation torus = built(context, box, points);
        check_sound(torus);
        const std::array hashes{torus.hash(), torus.state_hash()};
        if (!expected) expected = hashes;
        CHECK(hashes == *expected);
        look(torus);
    });
}
inline void build_alike(const TorusBox& box, const Points& points) {
    build_alike(box, points, [](const TorusTriangulation&) {});
}

}  // namespace flipscope
