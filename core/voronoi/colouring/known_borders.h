// Borders of a lattice known at compile time, so that inner loops of colourings need not test which axes are periodic.
#pragma once

#include "voronoi/lattice.h"

namespace flipscope {

enum class StaticBorders { kOpen, kTorus, kAny };

/// Fixes the borders in a kernel compiled for them.
template <StaticBorders kBorders>
FLIPSCOPE_HD inline void fix_borders(Lattice& lattice) {
    if (kBorders != StaticBorders::kAny) lattice.periodic = kBorders == StaticBorders::kTorus;
}

/// Calls run<StaticBorders>() for a lattice with these periodic axes.
template <class Run>
void with_static_borders(PeriodicAxes periodic, const Run& run) {
    if (periodic.both())
        run.template operator()<StaticBorders::kTorus>();
    else if (periodic.any())
        run.template operator()<StaticBorders::kAny>();
    else
        run.template operator()<StaticBorders::kOpen>();
}

}  // namespace flipscope
