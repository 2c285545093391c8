// Places and straight edges with state words: a drawn graph, without triangles and without a vertex at infinity.
// Kernels write the buffers and OpenGL draws them.
#pragma once

#include "compute/buffer.h"
#include "geometry/point.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

struct Linework {
    uint32_t vertex_count = 0;
    uint32_t edge_count = 0;  // edges in use; the buffers may have room for more

    Buffer<Point> positions{"positions", Residence::kDrawn};          // (v) world units
    Buffer<uint32_t> edges{"edges", Residence::kDrawn};               // (e, 2) indices of positions
    Buffer<State> vertex_states{"vertex states", Residence::kDrawn};  // (v) or empty: not recorded
    Buffer<State> edge_states{"edge states", Residence::kDrawn};      // (e) or empty

    bool records_states() const { return !edge_states.empty(); }
    /// No edges, room for `edge_room`, all states 0. The caller sizes the positions.
    void reset(Context& context, uint32_t vertices, size_t edge_room, bool with_states) {
        vertex_count = vertices;
        edge_count = 0;
        edges.resize(context, 2 * edge_room, false);
        vertex_states.fill(context, with_states ? vertices : 0, 0);
        edge_states.fill(context, with_states ? edge_room : 0, 0);
    }
};

}  // namespace flipscope
