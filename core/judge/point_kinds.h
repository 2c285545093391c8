// What points a program under test takes: distinct ones only, coordinates in single precision, whole numbers. Points
// are made to fit before a program sees them, and the shrinker keeps them so.
#pragma once

#include <span>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

struct PointKinds {
    bool distinct = false;  // no two at one place
    bool floats = false;    // coordinates that single precision holds exactly
    bool integers = false;  // whole coordinates
};

/// Whether all of the points are so.
bool are_of_kind(std::span<const Point> points, const PointKinds& kinds);

/// Whole coordinates: points whose coordinates are not whole are scaled by a power of two, so that the greatest is at
/// least 2^20 and below 2^21, and rounded. Then single precision: rounded. Then distinct: of points at one place
/// the first stays.
std::vector<Point> made_of_kind(std::vector<Point> points, const PointKinds& kinds);

/// How many places the points have.
size_t place_count(std::span<const Point> points);

}  // namespace flipscope
