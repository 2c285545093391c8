// What a flip pass leaves to the next one: how many edges are illegal, and the next worklist.
#pragma once

#include "delaunay/flip/flip.h"

namespace flipscope {

/// Sums: 0 illegal edges, 1 an order-free hash of them, 2 those that were not tested or must not flip.
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
/// once, without looking at others: an outer edge between two changed triangles is listed from its side 0, and an edge
/// that was not flipped lists itself only when neither of its triangles changed.
struct CollectWorklist {
    FlipPass pass;
    View<uint32_t> next;  // room for one entry per edge

    FLIPSCOPE_HD bool lists(uint32_t slot) const {
        // Both conditions are evaluated, without a branch: a prediction of the first would be wrong every other time.
        const uint32_t half = pass.mesh.slot_halves[slot];
        return ((half & 1) == 0) | !pass.changed(triangle_of(pass.mesh.half_slots[half ^ 1]));
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
            found[count] = pass.mesh.slot_halves[pass.outer(edge, k)] >> 1;
            count += code >> k & 1;
        }
        for (uint32_t k = 0; k < count; ++k) {
            next[rank + k] = found[k];
            mark_edge(pass.mesh, found[k], kStateQueued);  // listed once, so written once
        }
    }
};

/// When no states are recorded: the edges of the next worklist are tested as soon as they are collected, while their
/// triangles are in the cache, and only candidates are listed, with their claims. Runs over the four sides of every
/// candidate: 4 i + k, its k-th outer edge when it has flipped; else itself, where k is 0. Sum 0: edges tested.
template <class Rule>
struct CollectAndClaim {
    CollectWorklist collect;  // of the pass that ends
    FlipPass next;            // the pass that begins
    Rule rule;

    /// The edge that is tested at a side, or kNone. Of the flips that have been made, none makes this another one.
    FLIPSCOPE_HD uint32_t edge_at(uint32_t side) const {
        const FlipPass& pass = collect.pass;
        const uint32_t i = side / 4, k = side % 4, edge = pass.candidates[i];
        if (pass.outcomes[i] != Outcome::kGranted) {
            const bool stays =
                k == 0 && !pass.changed(pass.triangle_at(edge, 0)) && !pass.changed(pass.triangle_at(edge, 1));
            return stays ? edge : kNone;
        }
        const uint32_t slot = pass.outer(edge, k);
        return collect.lists(slot) ? pass.mesh.slot_halves[slot] >> 1 : kNone;
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return code != uint32_t(Verdict::kLegal); }
    bool leaves_out() const { return true; }
    /// On CPU threads: the codes of sides `begin` … `end` - 1, as of ClaimForFlip.
    uint32_t codes(uint32_t begin, uint32_t end, uint8_t* made, BlockSums& sums) const {
        if constexpr (std::is_same_v<Rule, InCircleRule>) {
            if (!decides_in_lanes(rule)) return kNone;
            EdgeLanes lanes(next.mesh, made);
            for (uint32_t side = begin; side < end; ++side) {
                if (side % 4 == 0) ask_for_candidates(side / 4, end / 4);
                made[side - begin] = static_cast<uint8_t>(Verdict::kLegal);
                const uint32_t edge = edge_at(side);
                if (edge == kNone) continue;
                ++sums.value[0];
                lanes.add(edge, side - begin);
            }
            return lanes.end();
        } else {
            return kNone;
        }
    }
    void ask_for_candidates(uint32_t i, uint32_t end) const {
        const FlipPass& pass = collect.pass;
        constexpr uint32_t kTurns = 6;
        if (i + 2 * kTurns < end)
            __builtin_prefetch(&pass.mesh.half_slots[2 * size_t(pass.candidates[i + 2 * kTurns])]);
        if (i + kTurns >= end) return;
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t slot = pass.mesh.half_slots[2 * size_t(pass.candidates[i + kTurns]) + side];
            __builtin_prefetch(&pass.mesh.slot_halves[slot]);
            __builtin_prefetch(&pass.changed_in[triangle_of(slot)]);
        }
    }
    FLIPSCOPE_HD uint32_t code(uint32_t side, BlockSums& sums) const {
        const uint32_t edge = edge_at(side);
        if (edge == kNone) return uint32_t(Verdict::kLegal);
        ++sums.value[0];
        return uint32_t(rule.judge(next.mesh, edge, next.quad(edge)));
    }
    FLIPSCOPE_HD void emit(uint32_t side, uint32_t rank, uint32_t code) const {
        const auto verdict = static_cast<Verdict>(code);
        if (verdict != Verdict::kLegal) next.add_candidate(edge_at(side), rank, verdict);
    }
};

}  // namespace flipscope
