// What is known of a lattice's borders when a kernel is compiled: the inner loops of colourings need not look which
// axes are periodic.
#pragma once

#include "voronoi/lattice.h"

namespace flipscope {

enum class StaticBorders { kOpen, kTorus, kAny };

/// Tells the compiler, in a kernel made for such borders.
template <StaticBorders kBorders>
FLIPSCOPE_HD inline void fix_borders(Lattice& lattice) {
    if (kBorders != StaticBorders::kAny) lattice.periodic = kBorders == StaticBorders::kTorus;
}

/// run<StaticBorders>() with what is to be known of such a lattice.
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
