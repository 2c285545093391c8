// Restrictions on the points of a program under test: distinct points, single-precision or integer coordinates. Points
// are converted before the program gets them, and the shrinker preserves the restrictions.
#pragma once

#include <span>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

struct PointKinds {
    bool distinct = false;  // no duplicates
    bool floats = false;    // coordinates are exact in single precision
    bool integers = false;  // whole coordinates
};

/// Whether all points meet the restrictions.
bool are_of_kind(std::span<const Point> points, const PointKinds& kinds);

/// Whole coordinates: points whose coordinates are not whole are scaled by a power of two, so that the greatest is at
/// least 2^20 and below 2^21, and rounded. Then single precision: rounded. Then distinct: of points at one place
/// the first stays.
std::vector<Point> made_of_kind(std::vector<Point> points, const PointKinds& kinds);

/// How many places the points have.
size_t place_count(std::span<const Point> points);

}  // namespace flipscope
