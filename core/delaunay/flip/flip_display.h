// Kernels for display, which run only where states are recorded.
#pragma once

#include "delaunay/flip/flip.h"

namespace flipscope {

/// The two edges that a flip moved and whose incidence is stale (figure 5 of the paper).
struct MarkStale {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kGranted) return;
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t corner = moved_corner(pass.mesh, pass.candidates[i], side);
            State& state = pass.mesh.edge_states[pass.mesh.half_edge_at[corner] >> 1];
            atomic_store(state, State(atomic_load(state) | kStateStale));  // from both sides, to the same word
        }
    }
};

/// The illegal edges of a state that was seen before.
struct MarkCycle {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kPostponed)
            mark_edge(pass.mesh, pass.candidates[i], kStateIllegal | kStateCycling);
    }
};

/// The illegal edges that cannot flip, after a claim whose states were not recorded.
struct MarkBlocked {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] == Outcome::kPostponed) mark_edge(pass.mesh, pass.candidates[i], kStateBlocked);
    }
};

struct MarkVertices {
    View<const uint32_t> ids;
    View<State> states;
    State state;
    FLIPSCOPE_HD void operator()(uint32_t i) const { states[ids[i]] = state; }
};

/// Clears the flip marks of the pass before, so that only new ones are displayed.
struct ForgetFlips {
    View<State> edge_states, triangle_states;
    uint32_t edge_count, triangle_count;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        constexpr State forget =
            kStateGranted | kStateDeferred | kStateFlipped | kStateStale | kStateIllegal | kStateBlocked;
        if (i < edge_count) edge_states[i] = State(edge_states[i] & ~forget);
        if (i < triangle_count) triangle_states[i] = State(triangle_states[i] & ~(kStateFlipped | kStateLocked));
    }
};

}  // namespace flipscope
