// The furthest-point Delaunay triangulation, on the host: the circle of every triangle contains all points. Lifted to
// z = x² + y² it is the upper hull, as the Delaunay triangulation is the lower one (Edelsbrunner and Seidel 1986). Only
// corners of the convex hull are its vertices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// Triples of indices, counter-clockwise; empty without three points off one line. Exact; points on one circle are
/// decided by incircle_tied() with the indices in `inputs`. `points` must be distinct. The time can grow with the
/// square of the number of hull corners; nullopt: there are more than `most`. Polls for cancellation.
std::optional<std::vector<std::array<uint32_t, 3>>> furthest_point_delaunay(const std::vector<Point>& points,
                                                                            std::span<const uint32_t> inputs,
                                                                            size_t most);

}  // namespace flipscope
