// Whom a flip pass leaves to the next one: how many are illegal, and the list of suspects.
#pragma once

#include "delaunay/flip.h"

namespace flipscope {

/// Tallies: 0 illegal edges, 1 an order-free hash of them, 2 those that were not tested or must not flip.
struct CountContenders {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i, Tally& tally) const {
        const bool illegal = pass.outcomes[i] != Outcome::kDeferred;
        tally.value[0] += illegal;
        if (illegal) tally.value[1] += mix64(pass.contenders[i]);
        tally.value[2] += !illegal;
    }
};

/// Who is suspected next: the four outer edges of every flip, and every edge that is still illegal. Each exactly once,
/// without looking at others: an outer edge between two changed triangles is spoken for by its side 0, and an edge that
/// was not flipped speaks for itself only when neither of its triangles changed.
struct CollectSuspects {
    FlipPass pass;
    View<uint32_t> next;  // as long as the edges are many

    FLIPSCOPE_HD bool speaks_for(uint32_t slot) const {
        // Both are asked, always: a guess about the first would be wrong every other time.
        const uint32_t half = pass.mesh.slot_halves[slot];
        return ((half & 1) == 0) | !pass.changed(triangle_of(pass.mesh.half_slots[half ^ 1]));
    }
    // Token: for an edge that stays, kItself; for a flipped one, a bit for each outer edge it speaks for.
    static constexpr uint32_t kItself = 16;
    FLIPSCOPE_HD static uint32_t places(uint32_t token) {
        return (token & 1) + (token >> 1 & 1) + (token >> 2 & 1) + (token >> 3 & 1) + (token >> 4);
    }
    FLIPSCOPE_HD uint32_t token(uint32_t i) const {
        const Outcome outcome = pass.outcomes[i];
        const uint32_t edge = pass.contenders[i];
        if (outcome != Outcome::kWon)
            return pass.changed(pass.triangle_at(edge, 0)) || pass.changed(pass.triangle_at(edge, 1)) ? 0 : kItself;
        uint32_t speaks = 0;
        for (uint32_t k = 0; k < 4; ++k) speaks |= uint32_t(speaks_for(pass.outer(edge, k))) << k;
        return speaks;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t token) const {
        if (token == 0) return;
        const uint32_t edge = pass.contenders[i];
        if (token == kItself) {
            next[rank] = edge;
            return;
        }
        uint32_t found[4], count = 0;
        for (uint32_t k = 0; k < 4; ++k) {
            found[count] = pass.mesh.slot_halves[pass.outer(edge, k)] >> 1;
            count += token >> k & 1;
        }
        for (uint32_t k = 0; k < count; ++k) {
            next[rank + k] = found[k];
            mark_edge(pass.mesh, found[k], kStateSuspect);  // spoken for once, so written once
        }
    }
};

/// When no states are recorded: the next suspects are tested as soon as they are collected, while the triangles at them
/// are at hand, and only contenders are listed, with their bids. Tally 0: suspects.
template <class Rule>
struct CollectAndBid {
    CollectSuspects collect;  // of the pass that ends
    FlipPass next;            // the pass that begins
    Rule rule;

    // Token: two bits of verdict for each outer edge of a flip, or for the edge itself when it did not flip.
    FLIPSCOPE_HD static uint32_t places(uint32_t token) {
        const uint32_t some = (token | token >> 1) & 0x55;
        return (some & 1) + (some >> 2 & 1) + (some >> 4 & 1) + (some >> 6);
    }
    FLIPSCOPE_HD uint32_t judge(uint32_t edge, Tally& tally) const {
        ++tally.value[0];
        return uint32_t(rule.judge(next.mesh, edge, next.quad(edge)));
    }
    FLIPSCOPE_HD uint32_t token(uint32_t i, Tally& tally) const {
        const uint32_t speaks = collect.token(i), edge = collect.pass.contenders[i];
        if (speaks == CollectSuspects::kItself) return judge(edge, tally);
        uint32_t verdicts = 0;
        for (uint32_t k = 0; k < 4; ++k)
            if (speaks >> k & 1)
                verdicts |= judge(next.mesh.slot_halves[collect.pass.outer(edge, k)] >> 1, tally) << 2 * k;
        return verdicts;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t token) const {
        if (token == 0) return;
        const uint32_t edge = collect.pass.contenders[i];
        if (collect.pass.outcomes[i] != Outcome::kWon) return next.contend(edge, rank, static_cast<Verdict>(token));
        for (uint32_t k = 0; k < 4; ++k)
            if (const uint32_t verdict = token >> 2 * k & 3)
                next.contend(next.mesh.slot_halves[collect.pass.outer(edge, k)] >> 1, rank++,
                             static_cast<Verdict>(verdict));
    }
};

}  // namespace flipscope
