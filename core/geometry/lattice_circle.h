// Exactly cocircular points: integer points on one circle around the origin. Used by the generators "ring" and "rings",
// and wherever exact ties are needed.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

inline constexpr uint64_t kMaxLatticeCirclePoints = 1'000'000;

/// `count` distinct points with x^2 + y^2 = R^2, the same whole number R^2 for all, counter-clockwise from the positive
/// x axis: on the smallest circle with that many integer points, evenly selected if it has more. |x| and |y| stay below
/// 2^52. Throws Error above kMaxLatticeCirclePoints.
std::vector<Point> lattice_circle_points(uint64_t count);

}  // namespace flipscope
