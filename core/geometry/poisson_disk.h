// Random points of the unit square that keep their distance from each other (blue noise). Used by the generator
// "poisson".
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// A maximal sampling at distance r has about kPoissonDensity / r^2 points, and more for a large r because of the
/// boundary.
inline constexpr double kPoissonDensity = 0.612;

/// Points at mutual distances of at least `radius` (below 2), nearly maximal. Random numbers come from the stream
/// `key`, from number `counter` on; only +, -, * and comparisons decide, so every machine agrees. Method: Bridson, Fast
/// Poisson disk sampling in arbitrary dimensions, SIGGRAPH sketches 2007.
std::vector<Point> poisson_disk_points(double radius, uint64_t key, uint64_t counter);

}  // namespace flipscope
