// Which elements of a triangulation lie within a box, as long as they are few: for labels, and for whatever else is
// done by hand with what is in view. Looks at all of them, in parallel.
#pragma once

#include <optional>
#include <vector>

#include "compute/context.h"
#include "mesh/pick.h"

namespace flipscope {

/// The ids, ascending, of those of the first `count` vertices, edges or triangles whose place lies in the box; of an
/// edge that is its middle, of a triangle the mean of its corners; ghosts have none. nullopt: they are more than
/// `most`. In the plane; waits for the device.
std::optional<std::vector<uint32_t>> elements_in_box(Context& context, const TriangleMesh& mesh, ElementKind kind,
                                                     uint32_t count, Point low, Point high, uint32_t most);

}  // namespace flipscope
