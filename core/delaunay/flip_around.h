// What surfaces add to a flip pass: before anything turns, winners look at their neighbours, because a flip there could
// change what they were judged by. Where states are recorded, this also records the winners before the flip.
#pragma once

#include "delaunay/flip.h"

namespace flipscope {

/// Whether an edge that holds both its triangles must let another go first: one that holds a triangle next to these,
/// unless both are calm, or one elsewhere on the surface that would make the same new edge. Of two the lower bid goes,
/// so the lowest of all always does.
template <class Rule>
FLIPSCOPE_HD bool must_yield(const FlipPass& pass, const Rule& rule, uint32_t edge) {
    const MeshView& mesh = pass.mesh;
    const uint64_t bid = pass.bid_of(edge);
    const bool calm = pass.calm[edge];
    // Of this pass or not: a lower bid than ours is of this pass, and stands for whichever edge goes first, if one
    // does.
    const auto lower_at = [&](uint32_t t) {
        const uint64_t held = atomic_load(pass.bids[t]);
        return held < bid ? held : 0;
    };
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t slot = mesh.half_slots[2 * edge + (k >> 1)];
        const uint32_t t = triangle_of(mesh.across(k & 1 ? previous_slot(slot) : next_slot(slot)));
        const uint64_t held = lower_at(t);
        for (uint32_t place = 0; held && place < 3; ++place) {
            const uint32_t other = mesh.slot_halves[3 * t + place] >> 1;
            if (pass.bid_of(other) == held && !(calm && pass.calm[other]) && pass.holds_both(other)) return true;
        }
    }
    // Around one end of the edge to be: who has the other end as the apex beyond the edge opposite?
    return rule.stars(mesh, edge).any([&](uint32_t spoke, uint32_t other_end) {
        const uint64_t held = lower_at(triangle_of(spoke));
        if (!held) return false;
        const uint32_t opposite = next_slot(spoke), other = mesh.slot_halves[opposite] >> 1;
        return other != edge && pass.bid_of(other) == held && mesh.apex(mesh.across(opposite)) == other_end &&
               pass.holds_both(other);
    });
}

/// Who has won? Decided before anything turns, where winners must look at their neighbours (Rule::kLooksAround), or
/// where the states of winners and losers are recorded before the flip.
template <class Rule>
struct SettleBids {
    FlipPass pass;
    Rule rule;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kIllegal) return;
        const uint32_t edge = pass.contenders[i];
        bool won = pass.holds_both(edge);
        if constexpr (Rule::kLooksAround) won = won && !must_yield(pass, rule, edge);
        pass.outcomes[i] = won ? Outcome::kWon : Outcome::kLost;
        mark_edge(pass.mesh, edge, kStateIllegal | (won ? kStateWon : kStateLost));
        for (uint32_t side = 0; won && pass.mesh.triangle_states && side < 2; ++side)
            pass.mesh.triangle_states[pass.triangle_at(edge, side)] |= kStateTaken;
    }
};

}  // namespace flipscope
