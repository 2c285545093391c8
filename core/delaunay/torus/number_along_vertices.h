// Triangles and edges in the order of the vertices that they join.
#pragma once

#include "compute/context.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// Renumbers the triangles and edges of a triangulation on a torus in the order of their lowest vertices. If nearby
/// vertices have nearby numbers, kernels over all elements then find shared data in the cache. The triangulation and
/// the images of its edges stay the same. Clears state words.
void number_along_vertices(Context& context, TriangleMesh& mesh);

}  // namespace flipscope
