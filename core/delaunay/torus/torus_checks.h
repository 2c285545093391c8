// Whether a mesh is a Delaunay triangulation of a torus, exactly, and hashes of it: for those that keep such a mesh.
#pragma once

#include <cstdint>

#include "geometry/torus_box.h"
#include "mesh/checks.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// References, images, Euler's count, that every triangle is upright and their areas add up to the box exactly once,
/// and every edge's legality; all exactly. On a cylinder the areas are those of the triangles between its borders,
/// which are straight lines through the lowest and the highest vertex. Places of failures are those of the vertices in
/// the box, whatever image is meant. Waits for the device.
CheckReport check_torus(Context& context, const TriangleMesh& mesh, const TorusBox& box);
/// The same of a mesh without a vertex, for which there need not be a device yet.
CheckReport check_of_empty_torus();

/// The triangles and edges of a cylinder that do not lead over its open axis; on a torus all.
struct TorusCounts {
    uint32_t triangles = 0, edges = 0;
};
TorusCounts count_within_borders(Context& context, const TriangleMesh& mesh);

/// Of the set of triangles with the images they mean, over input indices, whatever their order; 0 without a triangle.
/// On a cylinder of those between its borders.
uint64_t hash_torus(Context& context, const TriangleMesh& mesh);
/// Of the shifts as they lie.
uint64_t hash_shifts(Context& context, const TriangleMesh& mesh);

}  // namespace flipscope
