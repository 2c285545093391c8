// Triangles over the points of the input: what is left of a triangulation when kernels, ghosts and references are not
// wanted any more. Algorithms give it, writers take it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// What there is to write: every input point keeps its index, also the copies that no triangle uses.
struct TriangleSoup {
    const std::vector<Point>* points = nullptr;      // (n), borrowed
    std::vector<std::array<uint32_t, 3>> triangles;  // (t, 3) indices into points, counter-clockwise
    std::vector<uint32_t> path = {};  // all points on one line: indices of the distinct ones along it; otherwise empty
    const std::vector<double>* heights = nullptr;  // (n) z, borrowed; nullptr: in the plane
    double level = 0;                              // z of all points where there are no heights
};

}  // namespace flipscope
