// The exact colouring on CPU threads where sites lie evenly and cells are not large: from the sites, not from the
// pixels. Not a kernel: it keeps keys and lists of a tile on the stack. Called by tile_painter.cpp.
#pragma once

#include "voronoi/colouring/bins.h"

namespace flipscope {

/// Colours as paint_tiles() does, if that is quicker for such bins; else does nothing and returns false.
bool paint_stamps(Context& context, const BinsView& bins, View<const uint8_t> obstacles, View<uint32_t> out,
                  uint32_t most_lanes);

}  // namespace flipscope
