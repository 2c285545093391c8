// The in-circle test of many quadrilaterals at a time, on the vector units of a CPU: what detail::incircle() decides by
// its filter, to the bit, and nothing more. For kernels that first gather corners and then test them all.
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

/// Decides all lanes, whatever stands in those that are not used.
void decide_incircle(IncircleLanes& lanes);

}  // namespace flipscope
