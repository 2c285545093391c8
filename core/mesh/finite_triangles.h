// The finite triangles of a mesh as arrays over the points of the input, with neighbours and the hull: a plain result
// without ghosts and half-edges. Only the hull is copied to the host. Used by library calls for their results.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/triangle_mesh.h"

namespace flipscope {

class FiniteTriangles {
  public:
    /// `triangles` becomes (t, 3) MeshView::inputs of the corners, in the order of the mesh. Returns t. Waits for the
    /// device. The mesh must have triangles.
    uint32_t collect(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& triangles);
    /// After collect() of the same mesh: `neighbours` becomes (t, 3) the triangle opposite to corner k; kNone: a ghost.
    void find_neighbours(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& neighbours);
    /// After collect() of a mesh with one outline: MeshView::inputs of its vertices, counter-clockwise from the lowest,
    /// sorted on the host. Waits for the device.
    std::vector<uint32_t> outline(Context& context, const TriangleMesh& mesh);

  private:
    Buffer<uint32_t> numbers_{"triangle numbers"};  // by triangle of the mesh: finite ones before it
    Buffer<uint32_t> ring_{"outline"}, total_{"total"};
    uint32_t finite_ = 0;
};

}  // namespace flipscope
