// Kernels for display, which run only where states are recorded.
#pragma once

#include "delaunay/flip.h"

namespace flipscope {

/// The two edges that a flip moved and whose incidence is stale (figure 5 of the paper).
struct MarkInconsistent {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kWon) return;
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t slot = moved_slot(pass.mesh, pass.contenders[i], side);
            State& state = pass.mesh.edge_states[pass.mesh.slot_halves[slot] >> 1];
            atomic_store(state, State(atomic_load(state) | kStateInconsistent));  // from both sides, to the same word
        }
    }
};

/// The illegal edges of a state that was seen before.
struct MarkCycle {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kDeferred)
            mark_edge(pass.mesh, pass.contenders[i], kStateIllegal | kStateCycling);
    }
};

/// The illegal edges that cannot flip, after a bid whose states were not recorded.
struct MarkBlocked {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] == Outcome::kDeferred) mark_edge(pass.mesh, pass.contenders[i], kStateBlocked);
    }
};

/// Clears the flip marks of the pass before, so that only what is new is seen.
struct ForgetFlips {
    View<State> edge_states, triangle_states;
    uint32_t edge_count, triangle_count;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        constexpr State forget =
            kStateWon | kStateLost | kStateFlipped | kStateInconsistent | kStateIllegal | kStateBlocked;
        if (i < edge_count) edge_states[i] = State(edge_states[i] & ~forget);
        if (i < triangle_count) triangle_states[i] = State(triangle_states[i] & ~(kStateFlipped | kStateTaken));
    }
};

}  // namespace flipscope
