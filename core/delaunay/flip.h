// Parallel edge flips, one thread per edge, after Navarro, Hitschfeld and Scheihing (2011). One flip pass is three
// kernels over a list of suspects, the edges that can have become illegal:
//
//   bid     every suspect is tested; an illegal edge bids for both of its triangles, and the lowest bid stands;
//   flip    an edge that holds both its triangles turns them around: two corners of the triangle array are exchanged;
//   repair  edges that moved to the other triangle by that learn their new slot, and the next suspects are collected.
//
// What we changed: a list instead of all edges, so that a pass costs what is left to flip; conflicts go to the lowest
// key instead of to the fastest thread, so that every run is the same; the exact in-circle test instead of angles. With
// these the lowest illegal edge always wins, so every pass makes progress.
//
// Bids carry the number of their pass in the high word, newer passes lower, so nothing is ever reset: an older bid
// loses against any newer one.
#pragma once

#include "compute/launch.h"
#include "delaunay/flip_rules.h"
#include "mesh/hash.h"
#include "mesh/surgery.h"

namespace flipscope {

enum class ConflictRule : uint32_t { kLowestId, kHashedId, kFirstTaken };

enum class Outcome : uint8_t { kLegal, kIllegal, kWon, kLost, kDeferred };

/// What all kernels of one flip pass share.
struct FlipPass {
    MeshView mesh;
    View<uint32_t> suspects;  // (s) edge ids, each once; empty: all edges, and suspect i is edge i
    View<Outcome> outcomes;   // (s)
    View<uint64_t> bids;      // (t)
    uint32_t stamp;           // greater in every pass; the high word of a bid is its complement
    ConflictRule conflict;

    FLIPSCOPE_HD uint32_t suspect(uint32_t i) const { return suspects ? suspects[i] : i; }
    FLIPSCOPE_HD uint64_t bid_of(uint32_t edge) const {
        // Both keys are at least 1: key 0 marks a triangle that was changed in this pass.
        const uint32_t key = conflict == ConflictRule::kHashedId ? scrambled(edge) : edge + 1;
        return (uint64_t(~stamp) << 32) | key;
    }
    FLIPSCOPE_HD uint64_t changed_mark() const { return uint64_t(~stamp) << 32; }
    FLIPSCOPE_HD bool changed(uint32_t t) const { return atomic_load(bids[t]) == changed_mark(); }
    FLIPSCOPE_HD static uint32_t scrambled(uint32_t edge) {
        // A bijection that maps 0 to 0, of edge + 1: never 0.
        uint32_t v = edge + 1;
        v = (v ^ (v >> 15)) * 0x2C1B3C6Du;
        v = (v ^ (v >> 12)) * 0x297A2D39u;
        return v ^ (v >> 15);
    }
    FLIPSCOPE_HD uint32_t triangle_at(uint32_t edge, uint32_t side) const {
        return triangle_of(mesh.half_slots[2 * edge + side]);
    }
    FLIPSCOPE_HD bool holds_both(uint32_t edge) const {
        const uint64_t bid = bid_of(edge);
        return atomic_load(bids[triangle_at(edge, 0)]) == bid && atomic_load(bids[triangle_at(edge, 1)]) == bid;
    }
    FLIPSCOPE_HD void mark(uint32_t edge, State state) const {
        if (mesh.edge_states)
            mesh.edge_states[edge] = State((mesh.edge_states[edge] & (kStateFresh | kStateSeam)) | state);
    }
};

/// Tests a suspect; if it is illegal, bids for its two triangles. Tallies: 0 illegal edges, 1 suspects tested, or with
/// `hashes` an order-free hash of the illegal ones, 2 blocked edges (only when asked for). A rule (flip_rules.h)
/// judges.
template <class Rule>
struct BidForFlip {
    FlipPass pass;
    Rule rule;
    bool hashes, counts_blocked;

    FLIPSCOPE_HD void operator()(uint32_t i, Tally& tally) const {
        const uint32_t edge = pass.suspect(i);
        tally.value[1] += !hashes;
        const uint32_t left = pass.mesh.half_slots[2 * edge], right = pass.mesh.half_slots[2 * edge + 1];
        const Quad quad{pass.mesh.from(left), pass.mesh.from(right), pass.mesh.apex(left), pass.mesh.apex(right)};
        const Verdict verdict = rule.judge(pass.mesh, edge, quad);
        if (verdict != Verdict::kIllegal) {
            pass.outcomes[i] = verdict == Verdict::kLegal ? Outcome::kLegal : Outcome::kDeferred;
            tally.value[2] += counts_blocked && verdict == Verdict::kBlocked;
            pass.mark(edge, verdict == Verdict::kBlocked ? kStateBlocked : 0);
            return;
        }
        pass.outcomes[i] = Outcome::kIllegal;
        pass.mark(edge, kStateIllegal);
        ++tally.value[0];
        if (hashes) tally.value[1] += mix64(edge);
        const uint64_t bid = pass.bid_of(edge);
        if (pass.conflict == ConflictRule::kFirstTaken) {  // the paper's rule: depends on who comes first
            take_first(pass.bids[triangle_of(left)], bid);
            take_first(pass.bids[triangle_of(right)], bid);
        } else {
            atomic_min(pass.bids[triangle_of(left)], bid);
            atomic_min(pass.bids[triangle_of(right)], bid);
        }
    }
    FLIPSCOPE_HD static void take_first(uint64_t& place, uint64_t bid) {
        const uint64_t seen = atomic_load(place);
        if (seen >> 32 != bid >> 32) atomic_exchange_if(place, seen, bid);
    }
};

/// Whether an edge that holds both its triangles must let another go first: one that holds a triangle next to these, or
/// one elsewhere on the surface that would make the same new edge. Of two the lower bid goes, so the lowest of all
/// always does.
template <class Rule>
FLIPSCOPE_HD bool must_yield(const FlipPass& pass, const Rule& rule, uint32_t edge) {
    const MeshView& mesh = pass.mesh;
    const uint64_t bid = pass.bid_of(edge);
    const auto goes_first = [&](uint32_t other) { return pass.bid_of(other) < bid && pass.holds_both(other); };
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t slot = mesh.half_slots[2 * edge + (k >> 1)];
        const uint32_t t = triangle_of(mesh.across(k & 1 ? previous_slot(slot) : next_slot(slot)));
        for (uint32_t place = 0; place < 3; ++place)
            if (const uint32_t other = mesh.slot_halves[3 * t + place] >> 1; other != edge && goes_first(other))
                return true;
    }
    // Around one end of the edge to be: who has the other end as the apex beyond the edge opposite?
    return rule.stars(mesh, edge).any([&](uint32_t spoke, uint32_t other_end) {
        const uint32_t opposite = next_slot(spoke), other = mesh.slot_halves[opposite] >> 1;
        return other != edge && mesh.apex(mesh.across(opposite)) == other_end && goes_first(other);
    });
}

/// Who has won? Decided before anything turns, where winners must look at their neighbours (Rule::kLooksAround), or
/// where somebody wants to see winners and losers before the flip.
template <class Rule>
struct SettleBids {
    FlipPass pass;
    Rule rule;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kIllegal) return;
        const uint32_t edge = pass.suspect(i);
        bool won = pass.holds_both(edge);
        if constexpr (Rule::kLooksAround) won = won && !must_yield(pass, rule, edge);
        pass.outcomes[i] = won ? Outcome::kWon : Outcome::kLost;
        pass.mark(edge, kStateIllegal | (won ? kStateWon : kStateLost));
        for (uint32_t side = 0; won && pass.mesh.triangle_states && side < 2; ++side)
            pass.mesh.triangle_states[pass.triangle_at(edge, side)] |= kStateTaken;
    }
};

/// An edge that has won, or holds both its triangles if that is not settled yet, turns them around. Tallies: 0 won,
/// 1 lost, 3 change of the mesh's hash (only when `tracks_hash`).
struct FlipEdge {
    FlipPass pass;
    bool tracks_hash;
    uint32_t place;  // of the first count among the tallies

    FLIPSCOPE_HD void operator()(uint32_t i, Tally& tally) const {
        const Outcome outcome = pass.outcomes[i];
        if (outcome == Outcome::kLegal || outcome == Outcome::kDeferred) return;
        const MeshView& mesh = pass.mesh;
        const uint32_t edge = pass.suspect(i);
        const uint32_t left_triangle = pass.triangle_at(edge, 0), right_triangle = pass.triangle_at(edge, 1);
        if (outcome == Outcome::kLost || (outcome == Outcome::kIllegal && !pass.holds_both(edge))) {
            pass.outcomes[i] = Outcome::kLost;
            pass.mark(edge, kStateIllegal | kStateLost);
            ++tally.value[place + 1];
            return;
        }
        if (tracks_hash) tally.value[3] -= hash_of(left_triangle) + hash_of(right_triangle);
        turn_edge(mesh, edge);
        if (tracks_hash) tally.value[3] += hash_of(left_triangle) + hash_of(right_triangle);

        pass.outcomes[i] = Outcome::kWon;
        ++tally.value[place];
        atomic_store(pass.bids[left_triangle], pass.changed_mark());
        atomic_store(pass.bids[right_triangle], pass.changed_mark());
        pass.mark(edge, kStateWon | kStateFlipped);
        if (mesh.triangle_states) {
            for (const uint32_t t : {left_triangle, right_triangle})
                mesh.triangle_states[t] = State((mesh.triangle_states[t] & ~kStateTaken) | kStateFlipped);
        }
    }
    FLIPSCOPE_HD uint64_t hash_of(uint32_t t) const {
        const View<uint32_t>& v = pass.mesh.triangles;
        return hash_triangle(v[3 * t], v[3 * t + 1], v[3 * t + 2]);
    }
};

/// For the eye: the two edges that a flip moved, and that do not know it yet (figure 5 of the paper).
struct MarkInconsistent {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kWon) return;
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t slot = moved_slot(pass.mesh, pass.suspect(i), side);
            State& state = pass.mesh.edge_states[pass.mesh.slot_halves[slot] >> 1];
            atomic_store(state, State(atomic_load(state) | kStateInconsistent));  // from both sides, to the same word
        }
    }
};

/// The two edges that a flip moved to the other triangle learn where they are now.
struct RepairEdges {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kWon) return;
        const uint32_t edge = pass.suspect(i);
        repair_turned(pass.mesh, edge);
        for (uint32_t side = 0; pass.mesh.edge_states && side < 2; ++side) {
            State& state = pass.mesh.edge_states[pass.mesh.slot_halves[moved_slot(pass.mesh, edge, side)] >> 1];
            atomic_store(state, State(atomic_load(state) & ~kStateInconsistent));
        }
    }
};

/// Who is suspected next: the four outer edges of every flip, and every edge that is still illegal. Each exactly once,
/// without asking anybody: an outer edge between two changed triangles is spoken for by its side 0, and an edge that
/// was not flipped speaks for itself only when neither of its triangles changed.
struct CollectSuspects {
    FlipPass pass;
    View<uint32_t> next;  // as long as the edges are many

    FLIPSCOPE_HD bool speaks_for(uint32_t slot) const {
        const uint32_t half = pass.mesh.slot_halves[slot];
        return (half & 1) == 0 || !pass.changed(triangle_of(pass.mesh.half_slots[half ^ 1]));
    }
    // Token: for an edge that stays, kItself; for a flipped one, a bit for each outer edge it speaks for.
    static constexpr uint32_t kItself = 16;
    FLIPSCOPE_HD static uint32_t places(uint32_t token) {
        return (token & 1) + (token >> 1 & 1) + (token >> 2 & 1) + (token >> 3 & 1) + (token >> 4);
    }
    FLIPSCOPE_HD uint32_t outer(uint32_t edge, uint32_t k) const {
        const uint32_t slot = pass.mesh.half_slots[2 * edge + (k >> 1)];
        return k & 1 ? previous_slot(slot) : next_slot(slot);
    }
    FLIPSCOPE_HD uint32_t token(uint32_t i) const {
        const Outcome outcome = pass.outcomes[i];
        if (outcome == Outcome::kLegal) return 0;
        const uint32_t edge = pass.suspect(i);
        if (outcome != Outcome::kWon)
            return pass.changed(pass.triangle_at(edge, 0)) || pass.changed(pass.triangle_at(edge, 1)) ? 0 : kItself;
        uint32_t speaks = 0;
        for (uint32_t k = 0; k < 4; ++k) speaks |= uint32_t(speaks_for(outer(edge, k))) << k;
        return speaks;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t token) const {
        if (token == 0) return;
        const uint32_t edge = pass.suspect(i);
        if (token == kItself) {
            next[rank] = edge;
            return;
        }
        for (uint32_t k = 0; k < 4; ++k) {
            if (!(token >> k & 1)) continue;
            const uint32_t suspect = pass.mesh.slot_halves[outer(edge, k)] >> 1;
            next[rank++] = suspect;
            pass.mark(suspect, kStateSuspect);  // spoken for once, so written once
        }
    }
};

/// For the eye: the illegal edges of a state that was seen before.
struct MarkCycle {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] == Outcome::kIllegal) pass.mark(pass.suspect(i), kStateIllegal | kStateCycling);
    }
};

/// For the eye: the illegal edges that cannot flip, after a bid that nobody watched.
struct MarkBlocked {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] == Outcome::kDeferred) pass.mark(pass.suspect(i), kStateBlocked);
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
