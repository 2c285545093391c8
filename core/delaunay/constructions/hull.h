// The convex hull by sorting, on the host: the reference for hull edges lost by a finite enclosure.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// Indices of the points on the boundary of the convex hull, counter-clockwise, including those on its edges (Andrew
/// 1979, with exact orientation). Points must be distinct. If fewer than three, or collinear: in order along the line.
std::vector<uint32_t> convex_hull(const std::vector<Point>& points);

}  // namespace flipscope
