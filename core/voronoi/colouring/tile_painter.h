// The exact colouring on CPU threads, tile by tile. Not a kernel: it recurses and keeps its lists on the stack, which
// suits a core and its cache only. Called by Colouring.
#pragma once

#include "voronoi/colouring/bins.h"

namespace flipscope {

/// The label of the nearest site for every pixel, kMaxLink on obstacles ((h, w), 1: obstacle, or empty), kNone without
/// a site, into `out` (h, w). The bins lie in memory of the CPU. Timed under `label`.
/// `most_lanes`: pixels compared at once, 4 or, where the processor can, 8; the result is the same.
void paint_tiles(Context& context, const char* label, const BinsView& bins, View<const uint8_t> obstacles,
                 View<uint32_t> out, uint32_t most_lanes);

}  // namespace flipscope
