// Checks exactly whether a mesh is a Delaunay triangulation of a torus, and hashes it.
#pragma once

#include <cstdint>

#include "geometry/torus_box.h"
#include "mesh/checks.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// Checks references, images, Euler's count, that every triangle is upright and their areas add up to the box exactly
/// once, and that every edge is legal; all exactly. On a cylinder the areas are those of the triangles between its
/// borders, which are straight lines through the lowest and the highest vertex. Failures have the places of the
/// vertices in the box, not of their images. Waits for the device.
CheckReport check_torus(Context& context, const TriangleMesh& mesh, const TorusBox& box);
/// The same for a mesh without vertices, which needs no device.
CheckReport check_of_empty_torus();

/// The number of triangles and edges that do not cross the open axis of a cylinder; on a torus, of all.
struct TorusCounts {
    uint32_t triangles = 0, edges = 0;
};
TorusCounts count_within_borders(Context& context, const TriangleMesh& mesh);

/// Hash of the set of triangles with their images, over input indices, independent of their order; 0 without triangles.
/// On a cylinder only of the triangles between its borders.
uint64_t hash_torus(Context& context, const TriangleMesh& mesh);
/// Hash of the shifts in array order.
uint64_t hash_shifts(Context& context, const TriangleMesh& mesh);

}  // namespace flipscope
