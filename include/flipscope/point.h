// Points of the plane, of space and of a periodic box, and triangles over them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "flipscope/view.h"

namespace flipscope {

struct alignas(16) Point {  // read at once
    double x = 0;           // world units
    double y = 0;           // world units
    FLIPSCOPE_HD friend bool operator==(Point a, Point b) { return a.x == b.x && a.y == b.y; }
};
static_assert(sizeof(Point) == 16, "an array of points is an array of pairs of doubles");

struct Point3 {
    double x = 0, y = 0, z = 0;  // world units
    FLIPSCOPE_HD friend Point3 operator+(Point3 a, Point3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    FLIPSCOPE_HD friend Point3 operator-(Point3 a, Point3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    FLIPSCOPE_HD friend Point3 operator*(double s, Point3 a) { return {s * a.x, s * a.y, s * a.z}; }
    FLIPSCOPE_HD friend bool operator==(Point3 a, Point3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
};

/// An image of a point of a periodic box: by how many sides of the box it lies off the point itself.
struct alignas(2) ImageShift {  // read at once
    int8_t x = 0, y = 0;
    FLIPSCOPE_HD friend ImageShift operator+(ImageShift a, ImageShift b) {
        return {int8_t(a.x + b.x), int8_t(a.y + b.y)};
    }
    FLIPSCOPE_HD friend ImageShift operator-(ImageShift a) { return {int8_t(-a.x), int8_t(-a.y)}; }
    FLIPSCOPE_HD friend bool operator==(ImageShift a, ImageShift b) { return a.x == b.x && a.y == b.y; }
};

using TriangleSpan = std::span<const std::array<uint32_t, 3>>;  // (t, 3) indices of points

}  // namespace flipscope
