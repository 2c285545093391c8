// The edges of a triangulation on a torus as rows of neighbours: who touches whom, as the Events lab compares it from
// frame to frame. Each neighbour is listed once, on however many sides of the box the two meet, and no particle is its
// own neighbour. Written by kernels from the mesh's own arrays; the host is told nothing.
#pragma once

#include "delaunay/torus/torus_triangulation.h"
#include "voronoi/graph/adjacency.h"

namespace flipscope {

class ContactRows {
  public:
    /// Of the triangulation as it is. `longest`: longer edges, world units, are no contacts; 0: every edge is one. Only
    /// launches. The graph's `entry_count` is how many entries there can be.
    Adjacency& make(Context& context, const TorusTriangulation& triangulation, double longest);

  private:
    Adjacency rows_;
    Buffer<uint32_t> degrees_{"row lengths"};  // (n)
    Buffer<uint32_t> tiles_{"row tiles"};      // entries in the rows of each tile
    Buffer<uint32_t> ranks_{"ranks of ends"};  // (e, 2) where in the row of the other each end of an edge stands
    Buffer<uint32_t> starts_{"row starts, with repetitions"}, entries_{"rows, with repetitions"};
};

}  // namespace flipscope
