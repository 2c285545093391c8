// All that a lattice's borders can be, and their names in messages.
#pragma once

#include <ostream>

#include "voronoi/lattice.h"

namespace flipscope {

inline constexpr PeriodicAxes kAllBorders[] = {false, true, {true, false}, {false, true}};

inline std::ostream& operator<<(std::ostream& out, PeriodicAxes periodic) {
    return out << (periodic.both() ? "periodic"
                   : periodic.x    ? "periodic along x"
                   : periodic.y    ? "periodic along y"
                                   : "open");
}

}  // namespace flipscope
