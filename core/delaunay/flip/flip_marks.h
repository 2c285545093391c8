// For display: the state words written by kernels of flips and splits, where states are recorded.
#pragma once

#include "compute/atomics.h"
#include "delaunay/flip/flip_rules.h"
#include "mesh/surgery.h"

namespace flipscope {

/// Fresh edges and edges on the seam stay marked; the rest of the word is about the last pass.
FLIPSCOPE_HD inline void mark_edge(const MeshView& mesh, uint32_t edge, State state) {
    if (mesh.edge_states) mesh.edge_states[edge] = State((mesh.edge_states[edge] & (kStateFresh | kStateSeam)) | state);
}

/// The rule's verdict on edge i of the worklist; without a list, on edge i of the mesh.
FLIPSCOPE_HD inline void mark_judged(const MeshView& mesh, const View<uint32_t>& worklist, uint32_t i,
                                     Verdict verdict) {
    if (mesh.edge_states)
        mark_edge(mesh, worklist ? worklist[i] : i,
                  must_flip(verdict)             ? kStateIllegal
                  : verdict == Verdict::kBlocked ? kStateBlocked
                                                 : 0);
}

/// An edge that has been flipped, and its two triangles.
FLIPSCOPE_HD inline void mark_flipped(const MeshView& mesh, uint32_t edge, uint32_t left, uint32_t right) {
    mark_edge(mesh, edge, kStateGranted | kStateFlipped);
    if (!mesh.triangle_states) return;
    for (const uint32_t t : {left, right})
        mesh.triangle_states[t] = State((mesh.triangle_states[t] & ~kStateLocked) | kStateFlipped);
}

/// Triangle t was split at p into itself, u and u + 1, with the new edges e … e + 2.
FLIPSCOPE_HD inline void mark_split(const MeshView& mesh, uint32_t t, uint32_t p, uint32_t u, uint32_t e) {
    if (!mesh.vertex_states) return;
    mesh.vertex_states[p] = kStateFresh;
    for (uint32_t k = 0; k < 3; ++k) mesh.edge_states[e + k] = kStateFresh;
    mesh.triangle_states[t] = mesh.triangle_states[u] = mesh.triangle_states[u + 1] = kStateFresh;
}

/// The two edges that a flip moved, whose incidence is up to date again.
FLIPSCOPE_HD inline void unmark_stale(const MeshView& mesh, uint32_t edge) {
    for (uint32_t side = 0; mesh.edge_states && side < 2; ++side) {
        State& state = mesh.edge_states[mesh.half_edge_at[moved_corner(mesh, edge, side)] >> 1];
        atomic_store(state, State(atomic_load(state) & ~kStateStale));
    }
}

}  // namespace flipscope
