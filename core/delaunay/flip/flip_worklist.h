// Counts the results of a claim pass, and collects the next worklist after a flip pass.
#pragma once

#include "delaunay/flip/flip.h"
#include "mesh/hash.h"

namespace flipscope {

/// Sums: 0 illegal edges, 1 an order-free hash of them, 2 edges that were not tested or must not flip.
struct CountCandidates {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const bool illegal = pass.outcomes[i] != Outcome::kPostponed;
        sums.value[0] += illegal;
        if (illegal) sums.value[1] += mix64(pass.candidates[i]);
        sums.value[2] += !illegal;
    }
};

/// The next worklist: the four outer edges of every flip, and every candidate that did not flip. Each is listed exactly
/// once: an outer edge between two changed triangles is listed from its side 0, and an edge that did not flip lists
/// itself only if neither of its triangles changed.
struct CollectWorklist {
    FlipPass pass;
    View<uint32_t> next;  // room for one entry per edge

    FLIPSCOPE_HD bool lists(uint32_t corner) const {
        // Evaluates both conditions without a branch, which would be mispredicted every other time.
        const uint32_t half_edge = pass.mesh.half_edge_at[corner];
        return ((half_edge & 1) == 0) | !pass.changed(triangle_of(pass.mesh.corner_of[half_edge ^ 1]));
    }
    // Code: for an edge that stays, kItself; for a flipped one, a bit for each outer edge that it lists.
    static constexpr uint32_t kItself = 16;
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) {
        return (code & 1) + (code >> 1 & 1) + (code >> 2 & 1) + (code >> 3 & 1) + (code >> 4);
    }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const Outcome outcome = pass.outcomes[i];
        const uint32_t edge = pass.candidates[i];
        if (outcome != Outcome::kGranted)
            return pass.changed(pass.triangle_at(edge, 0)) || pass.changed(pass.triangle_at(edge, 1)) ? 0 : kItself;
        uint32_t listed = 0;
        for (uint32_t k = 0; k < 4; ++k) listed |= uint32_t(lists(pass.outer(edge, k))) << k;
        return listed;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (code == 0) return;
        const uint32_t edge = pass.candidates[i];
        if (code == kItself) {
            next[rank] = edge;
            return;
        }
        uint32_t found[4], count = 0;
        for (uint32_t k = 0; k < 4; ++k) {
            found[count] = pass.mesh.half_edge_at[pass.outer(edge, k)] >> 1;
            count += code >> k & 1;
        }
        for (uint32_t k = 0; k < count; ++k) {
            next[rank + k] = found[k];
            mark_edge(pass.mesh, found[k], kStateQueued);  // listed once, so written once
        }
    }
};

}  // namespace flipscope
