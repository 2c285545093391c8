// Triangles and edges in the order of the vertices that they join.
#pragma once

#include "compute/context.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// Numbers the triangles and edges of a triangulation on a torus anew, in the order of their lowest vertices. Kernels
/// that go through all of them then find what neighbours share in the cache, where vertices that lie near each other
/// have numbers near each other. The triangulation stays the same, as do the images that its edges mean. State words
/// are cleared.
void number_along_vertices(Context& context, TriangleMesh& mesh);

}  // namespace flipscope
