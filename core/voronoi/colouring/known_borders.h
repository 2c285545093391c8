// What is known of a lattice's borders when a kernel is compiled: the inner loops of colourings need not look which
// axes are periodic.
#pragma once

#include "voronoi/lattice.h"

namespace flipscope {

enum class KnownBorders { kOpen, kTorus, kAny };

/// Tells the compiler, in a kernel made for such borders.
template <KnownBorders kBorders>
FLIPSCOPE_HD inline void know_borders(Lattice& lattice) {
    if (kBorders != KnownBorders::kAny) lattice.periodic = kBorders == KnownBorders::kTorus;
}

/// run<KnownBorders>() with what is to be known of such a lattice.
template <class Run>
void for_known_borders(PeriodicAxes periodic, const Run& run) {
    if (periodic.both())
        run.template operator()<KnownBorders::kTorus>();
    else if (periodic.any())
        run.template operator()<KnownBorders::kAny>();
    else
        run.template operator()<KnownBorders::kOpen>();
}

}  // namespace flipscope
