// The star of one vertex, for reports and lists: which triangles and neighbours it has, in order around it. Kernels
// that walk stars do so by themselves (star.h).
#pragma once

#include <vector>

#include "compute/context.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

struct Star {
    std::vector<uint32_t> spokes;  // slots that start at the vertex, clockwise, ghosts included; empty: no triangle
    bool whole = false;            // walking around has come back to the first
};

/// At most `most` spokes. Not whole, too, where the incidence is stale, so that a step leads to another vertex. Waits
/// for the device.
Star star_of(Context& context, const TriangleMesh& mesh, uint32_t vertex, size_t most);

}  // namespace flipscope
