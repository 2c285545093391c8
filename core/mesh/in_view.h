// Finds the elements of a triangulation within a box, if they are few: for labels and manual work with the elements in
// view. Tests all elements in parallel.
#pragma once

#include <optional>
#include <vector>

#include "compute/context.h"
#include "mesh/pick.h"

namespace flipscope {

/// The ids, ascending, of the elements among the first `count` whose place lies in the box: a vertex, the midpoint of
/// an edge, or the centroid of a triangle; ghosts have no place. nullopt: more than `most`. Planar meshes only. Waits
/// for the device.
std::optional<std::vector<uint32_t>> elements_in_box(Context& context, const TriangleMesh& mesh, ElementKind kind,
                                                     uint32_t count, Point low, Point high, uint32_t most);

}  // namespace flipscope
