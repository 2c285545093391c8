// Plain triangles over the points of the input, without ghosts and references: the result of an algorithm and the input
// of the writers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// Every input point keeps its index, including duplicates that no triangle uses.
struct TriangleSoup {
    const std::vector<Point>* points = nullptr;      // (n), borrowed
    std::vector<std::array<uint32_t, 3>> triangles;  // (t, 3) indices into points, counter-clockwise
    std::vector<uint32_t> path = {};  // if all points lie on one line: the distinct ones along it; otherwise empty
    const std::vector<double>* heights = nullptr;  // (n) z, borrowed; nullptr: in the plane
    double level = 0;                              // z of all points without heights
};

}  // namespace flipscope
