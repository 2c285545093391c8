// Finds the element under the cursor on a mesh that is drawn in space at heights which are not its own.
#pragma once

#include "compute/context.h"
#include "mesh/pick.h"

namespace flipscope {

/// As pick_element() on a surface, for a view of the mesh with heights.
Element pick_in_space(Context& context, const MeshView& mesh, uint32_t triangle_count, uint32_t edge_count,
                      uint32_t point_count, const Probe& probe);

}  // namespace flipscope
