// Where rings of a study area meet: the points that are corners more than once. Internal to study areas and their
// cells.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

struct RingJunction {
    Point at;
    std::vector<uint32_t> passages;  // the side that leaves on each passage, numbered ring by ring
    struct Ray {
        Point to;          // the other end of a side that meets here
        uint32_t passage;  // index in `passages`
        bool leaves;
    };
    std::vector<Ray> rays;  // counter-clockwise by direction
};

/// All points where corners coincide. Exact.
std::vector<RingJunction> junctions_of(const std::vector<std::vector<Point>>& rings);

}  // namespace flipscope
