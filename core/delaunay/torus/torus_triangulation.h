// The Delaunay triangulation of points on a flat torus, on the mesh's own arrays: v vertices, 2v triangles, 3v edges,
// no vertex at infinity and no boundary. Which image of a vertex a triangle means is stored with the triangle, as a
// shift of each of its edges, so edges may be longer than half the box and lead from a vertex to an image of itself:
// one point has a triangulation too, of two triangles and three edges, and no covering of the torus is needed. Flips
// carry the shifts along. That flipping ends in the Delaunay triangulation on a flat torus as in the plane is shown by
// V. Despré, J.-M. Schlenker and M. Teillaud, Flipping geometric triangulations on hyperbolic surfaces (2020).
//
// Exact, as torus_box.h explains. Ties of cocircular points are settled by an infinitesimal change of the metric
// instead of by indices, because images of one point can be cocircular: distances count x a little more than y, and
// what then is left x·y. The result depends on the set of points alone.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/torus_box.h"
#include "mesh/checks.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

class TorusTriangulation {
  public:
    const TorusBox& box() const { return box_; }
    /// Vertex i is point i. `mesh().shifts` (t, 3): of the edge at each slot, which image of the vertex it leads to is
    /// meant, as seen from the one where it begins.
    const TriangleMesh& mesh() const { return mesh_; }
    uint32_t count() const { return mesh_.vertex_count; }

  private:
    TorusBox box_;
    TriangleMesh mesh_;
};

}  // namespace flipscope
