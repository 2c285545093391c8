// The exact colouring on CPU threads for evenly spread sites with small cells: loops over sites instead of pixels. Not
// a kernel: it keeps the keys and lists of a tile on the stack. Called by tile_painter.cpp.
#pragma once

#include "voronoi/colouring/bins.h"

namespace flipscope {

/// Colours as paint_tiles() if that is faster for these bins; otherwise does nothing and returns false.
bool paint_stamps(Context& context, const BinsView& bins, View<const uint8_t> obstacles, View<uint32_t> out,
                  uint32_t most_lanes);

}  // namespace flipscope
