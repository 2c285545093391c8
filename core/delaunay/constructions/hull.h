// The convex hull by sorting, on the host: the reference that a finite enclosure's losses are counted against.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// Indices of the points on the boundary of the convex hull, counter-clockwise, those inside its edges included (Andrew
/// 1979, with exact orientation). Points must be distinct. Fewer than three, or all on one line: in order along it.
std::vector<uint32_t> convex_hull(const std::vector<Point>& points);

}  // namespace flipscope
