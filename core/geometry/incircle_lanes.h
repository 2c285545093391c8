// The in-circle test of many quadrilaterals at once, on the vector units of a CPU: bit for bit the filter of
// detail::incircle(). For kernels that gather corners first and then test them together.
#pragma once

#include <cstdint>

#include "geometry/point.h"

namespace flipscope {

struct IncircleLanes {
    static constexpr uint32_t kLanes = 16;
    // Corners of quadrilateral j: a, b, c, counter-clockwise, and d, world units.
    alignas(64) Point corners[4][kLanes];
    /// +1: d lies inside the circle through a, b and c; -1: outside; 0: the filter cannot tell.
    alignas(64) int64_t sign[kLanes];
};

/// Tests all lanes; unused lanes may contain anything.
void decide_incircle(IncircleLanes& lanes);

}  // namespace flipscope
