// For display: what the flip kernels write into state words, where there are any.
#pragma once

#include "compute/atomics.h"
#include "delaunay/flip_rules.h"
#include "mesh/surgery.h"

namespace flipscope {

/// Whether an edge is fresh or on the seam stays; the rest of its word is about the last pass.
FLIPSCOPE_HD inline void mark_edge(const MeshView& mesh, uint32_t edge, State state) {
    if (mesh.edge_states) mesh.edge_states[edge] = State((mesh.edge_states[edge] & (kStateFresh | kStateSeam)) | state);
}

/// What a rule said of suspect i; without a list of suspects that is edge i.
FLIPSCOPE_HD inline void mark_judged(const MeshView& mesh, const View<uint32_t>& suspects, uint32_t i,
                                     Verdict verdict) {
    if (mesh.edge_states)
        mark_edge(mesh, suspects ? suspects[i] : i,
                  must_flip(verdict)             ? kStateIllegal
                  : verdict == Verdict::kBlocked ? kStateBlocked
                                                 : 0);
}

/// An edge that has been flipped, and its two triangles.
FLIPSCOPE_HD inline void mark_flipped(const MeshView& mesh, uint32_t edge, uint32_t left, uint32_t right) {
    mark_edge(mesh, edge, kStateWon | kStateFlipped);
    if (!mesh.triangle_states) return;
    for (const uint32_t t : {left, right})
        mesh.triangle_states[t] = State((mesh.triangle_states[t] & ~kStateTaken) | kStateFlipped);
}

/// The two edges that a flip moved, which know again where they are.
FLIPSCOPE_HD inline void unmark_inconsistent(const MeshView& mesh, uint32_t edge) {
    for (uint32_t side = 0; mesh.edge_states && side < 2; ++side) {
        State& state = mesh.edge_states[mesh.slot_halves[moved_slot(mesh, edge, side)] >> 1];
        atomic_store(state, State(atomic_load(state) & ~kStateInconsistent));
    }
}

}  // namespace flipscope
