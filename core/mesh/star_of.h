// The star of one vertex on the host, for reports and lists: its triangles and neighbours in order. Kernels walk stars
// by star.h.
#pragma once

#include <vector>

#include "compute/context.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

struct Star {
    std::vector<uint32_t> spokes;  // corners that start at the vertex, clockwise, ghosts included; empty: no triangle
    bool whole = false;            // the walk has returned to the first spoke
};

/// At most `most` spokes. Stale incidence, where a step leads to another vertex, also makes it not whole. Waits for the
/// device.
Star star_of(Context& context, const TriangleMesh& mesh, uint32_t vertex, size_t most);

}  // namespace flipscope
