// Flip passes and their counters, shared by engines that run in rounds.
#pragma once

#include "delaunay/constructions/construction.h"
#include "delaunay/flip/flip_machine.h"

namespace flipscope {

// Of an engine's counters the five from `queued` on are: queued, illegal, granted, deferred and flipped.

/// Runs a claim pass with `claim()`; afterwards only its flip marks are displayed. Returns the number of illegal edges.
template <class Claim>
uint64_t run_claim(Context& context, const TriangleMesh& mesh, const MeshView& view, uint32_t queued,
                   PassResult& result, const Claim& claim) {
    if (view.edge_states)
        launch(context, "watch.flips", mesh.edge_count,
               ForgetFlips{view.edge_states, view.triangle_states, mesh.edge_count, mesh.triangle_count});
    const FlipCounts counts = claim();
    result.counters[queued] = static_cast<int64_t>(counts.queued);
    result.counters[queued + 1] = static_cast<int64_t>(counts.illegal);
    return counts.illegal;
}

/// The flip pass that follows.
inline void run_flip(FlipMachine& flips, const MeshView& view, bool hashes, uint32_t queued, PassResult& result) {
    const FlipCounts counts = flips.flip(view, hashes);
    if (view.edge_states) flips.mark("watch.stale", MarkStale{flips.pass(view)});
    result.counters[queued + 2] = result.counters[queued + 4] = static_cast<int64_t>(counts.granted);
    result.counters[queued + 3] = static_cast<int64_t>(counts.deferred);
}

/// Adds a flip pass to the counters.
inline void count_flip_pass(const FlipCounts& counts, uint32_t queued, PassResult& result) {
    int64_t* const counters = &result.counters[queued];
    counters[0] += static_cast<int64_t>(counts.queued);
    counters[1] += static_cast<int64_t>(counts.illegal);
    counters[2] += static_cast<int64_t>(counts.granted);
    counters[3] += static_cast<int64_t>(counts.deferred);
    counters[4] += static_cast<int64_t>(counts.granted);
}

}  // namespace flipscope
