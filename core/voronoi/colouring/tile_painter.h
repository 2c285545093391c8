// The exact colouring on CPU threads, tile by tile. Not kernels: they keep their lists on the stack, which suits only a
// core and its cache. Called by Colouring.
#pragma once

#include "voronoi/colouring/bins.h"

namespace flipscope {

/// Writes the label of the nearest site of every pixel to `out` (h, w): kMaxLink on obstacles ((h, w), 1: obstacle, or
/// empty), kNone without sites. The bins must be in CPU memory. Timed under `label`. `most_lanes`: pixels compared at
/// once, 4, or 8 if the processor supports it; the result is the same.
void paint_tiles(Context& context, const char* label, const BinsView& bins, View<const uint8_t> obstacles,
                 View<uint32_t> out, uint32_t most_lanes);

/// The same for evenly spread sites with small cells, with loops over sites instead of pixels: if that is faster for
/// these bins. Otherwise does nothing and returns false.
bool paint_stamps(Context& context, const BinsView& bins, View<const uint8_t> obstacles, View<uint32_t> out,
                  uint32_t most_lanes);

}  // namespace flipscope
