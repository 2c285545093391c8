// A list of flipped edges, so that a caller need not search all edges for them. The particles' engine updates overlaps
// by it.
#pragma once

#include "compute/atomics.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// An edge of a torus before it flipped: its ends, and the image of the second.
struct EdgeBefore {
    uint32_t from, to;
    ImageShift shift;
};

/// Each edge that flips is added once. Empty: no list is kept.
struct FlippedList {
    View<uint32_t> edges;   // room for all
    View<uint32_t> total;   // (1)
    View<uint32_t> stamps;  // (e) `stamp`: listed
    uint32_t stamp = 0;
    View<EdgeBefore> before;  // as `edges`, before their first flip; or empty

    FLIPSCOPE_HD void add(const MeshView& mesh, uint32_t edge) const {
        if (stamps[edge] == stamp) return;
        stamps[edge] = stamp;
        const uint32_t rank = atomic_reserve(total[0]);
        edges[rank] = edge;
        if (!before) return;
        const IndexPair ends = pair_at(mesh.edges, edge);
        before[rank] = {ends.first, ends.second, mesh.shifts[mesh.corner_of[2 * size_t(edge)]]};
    }
};

}  // namespace flipscope
