// The edges of a triangulation on a torus as rows of neighbours, which the Events lab compares from frame to frame.
// Each neighbour is listed once, even if the two meet across several sides of the box, and no particle is its own
// neighbour. Written by kernels from the mesh's arrays, without copies to the host.
#pragma once

#include "delaunay/torus/torus_triangulation.h"
#include "voronoi/graph/adjacency.h"

namespace flipscope {

class ContactRows {
  public:
    /// Builds the rows of the present triangulation. `longest`: longer edges, world units, are not contacts; 0: every
    /// edge is a contact. Only launches kernels. The graph's `entry_count` is an upper bound.
    Adjacency& make(Context& context, const TorusTriangulation& triangulation, double longest);

  private:
    Adjacency rows_;
    Buffer<uint32_t> ranks_{"ranks of ends"};  // (e, 2) index of each end of an edge in the row of the other
    Buffer<uint32_t> starts_{"row starts, with repetitions"}, entries_{"rows, with repetitions"};
};

}  // namespace flipscope
