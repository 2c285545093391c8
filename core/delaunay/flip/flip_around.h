// The extra step of flip passes on surfaces: before any edge flips, granted edges check their neighbours, because a
// flip there could change the geometry of their test. If states are recorded, it also marks granted edges first.
#pragma once

#include "delaunay/flip/flip.h"

namespace flipscope {

/// Whether an edge that holds both its triangles must be deferred for another: one that holds a triangle next to these,
/// unless both are calm, or one elsewhere on the surface that would make the same new edge. Of two the lower claim is
/// granted, so the lowest of all is granted in every pass.
template <class Rule>
FLIPSCOPE_HD bool must_yield(const FlipPass& pass, const Rule& rule, uint32_t edge) {
    const MeshView& mesh = pass.mesh;
    const uint64_t claim = pass.claim_of(edge);
    const bool calm = pass.calm[edge];
    // Claims of older passes are higher than all of this pass, so a claim lower than ours is of this pass, by the edge
    // that has precedence.
    const auto lower_at = [&](uint32_t t) {
        const uint64_t held = atomic_load(pass.claims[t]);
        return held < claim ? held : 0;
    };
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t corner = mesh.corner_of[2 * edge + (k >> 1)];
        const uint32_t t = triangle_of(mesh.across(k & 1 ? previous_corner(corner) : next_corner(corner)));
        const uint64_t held = lower_at(t);
        for (uint32_t place = 0; held && place < 3; ++place) {
            const uint32_t other = mesh.half_edge_at[3 * t + place] >> 1;
            if (pass.claim_of(other) == held && !(calm && pass.calm[other]) && pass.holds_both(other)) return true;
        }
    }
    // Around one end of the new edge: triangles whose neighbour beyond the opposite edge has the other end as its apex.
    return rule.stars(mesh, edge).any([&](uint32_t spoke, uint32_t other_end) {
        const uint64_t held = lower_at(triangle_of(spoke));
        if (!held) return false;
        const uint32_t opposite = next_corner(spoke), other = mesh.half_edge_at[opposite] >> 1;
        return other != edge && pass.claim_of(other) == held && mesh.apex(mesh.across(opposite)) == other_end &&
               pass.holds_both(other);
    });
}

/// Separates granted from deferred edges before any edge flips, where granted edges must check their neighbours
/// (Rule::kLooksAround), or where both are marked before the flip.
template <class Rule>
struct SettleClaims {
    FlipPass pass;
    Rule rule;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kIllegal) return;
        const uint32_t edge = pass.candidates[i];
        bool granted = pass.holds_both(edge);
        if constexpr (Rule::kLooksAround) granted = granted && !must_yield(pass, rule, edge);
        pass.outcomes[i] = granted ? Outcome::kGranted : Outcome::kDeferred;
        mark_edge(pass.mesh, edge, kStateIllegal | (granted ? kStateGranted : kStateDeferred));
        for (uint32_t side = 0; granted && pass.mesh.triangle_states && side < 2; ++side)
            pass.mesh.triangle_states[pass.triangle_at(edge, side)] |= kStateLocked;
    }
};

}  // namespace flipscope
