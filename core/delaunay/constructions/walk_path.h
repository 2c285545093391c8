// Records the triangles of a walk (locate.h) for reports; the walk itself stores only the present one. Called by the
// constructions; reads the mesh and writes nothing.
#pragma once

#include <vector>

#include "compute/context.h"
#include "delaunay/constructions/locate.h"

namespace flipscope {

/// The triangles that `walk` enters on its way to p, including the first and the last, at most `most`. Waits for the
/// device.
std::vector<uint32_t> walk_path(Context& context, const Walk& walk, Point p, uint32_t start, uint32_t most);
/// The index of `value` in a list, or kNone. Waits for the device.
uint32_t place_in_list(Context& context, View<const uint32_t> list, uint32_t count, uint32_t value);

}  // namespace flipscope
