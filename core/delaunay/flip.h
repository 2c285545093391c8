// Parallel edge flips, one thread per edge, after Navarro, Hitschfeld and Scheihing (2011). One flip pass is three
// kernels over a list of suspects, the edges that can have become illegal:
//
//   bid     every suspect is tested; an illegal edge bids for both of its triangles, and the lowest bid stands; those
//           that are not legal are listed as contenders, and the kernels that follow look at nobody else;
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

enum class Outcome : uint8_t { kIllegal, kWon, kLost, kDeferred };

/// What all kernels of one flip pass share.
struct FlipPass {
    MeshView mesh;
    View<uint32_t> suspects;    // (s) edge ids, each once; empty: all edges, and suspect i is edge i
    View<uint32_t> contenders;  // (c) of these, the ones that are not legal, in the same order
    View<Outcome> outcomes;     // (c)
    View<uint64_t> bids;        // (t) best bid so far
    View<uint32_t> turned;      // (t) stamp of the pass that changed the triangle last
    View<uint8_t> marks;        // (e) 1: suspected next; or empty: CollectSuspects lists who is
    View<uint8_t> calm;         // (e) of contenders, 1: Verdict::kCalm; or empty: the rule does not look around
    uint32_t stamp;             // 1, 2, … greater in every pass; the high word of a bid is its complement
    ConflictRule conflict;

    FLIPSCOPE_HD uint32_t suspect(uint32_t i) const { return suspects ? suspects[i] : i; }
    FLIPSCOPE_HD uint64_t bid_of(uint32_t edge) const {
        const uint32_t key = conflict == ConflictRule::kHashedId ? scrambled(edge) : edge;
        return (uint64_t(~stamp) << 32) | key;
    }
    FLIPSCOPE_HD bool changed(uint32_t t) const { return turned[t] == stamp; }
    FLIPSCOPE_HD static uint32_t scrambled(uint32_t edge) {
        uint32_t v = edge + 1;  // a bijection
        v = (v ^ (v >> 15)) * 0x2C1B3C6Du;
        v = (v ^ (v >> 12)) * 0x297A2D39u;
        return v ^ (v >> 15);
    }
    FLIPSCOPE_HD uint32_t triangle_at(uint32_t edge, uint32_t side) const {
        return triangle_of(atomic_load(mesh.half_slots[2 * edge + side]));  // FlipEdge tells why atomic
    }
    FLIPSCOPE_HD uint32_t outer(uint32_t edge, uint32_t k) const {
        const uint32_t slot = mesh.half_slots[2 * edge + (k >> 1)];
        return k & 1 ? previous_slot(slot) : next_slot(slot);
    }
    /// Bids for both triangles of an illegal edge.
    FLIPSCOPE_HD void bid(uint32_t edge) const {
        const uint64_t bid = bid_of(edge);
        for (uint32_t side = 0; side < 2; ++side) {
            uint64_t& best = bids[triangle_at(edge, side)];
            if (conflict == ConflictRule::kFirstTaken)
                take_first(best, bid);  // the paper's rule: depends on who comes first
            else
                atomic_min(best, bid);
        }
    }
    FLIPSCOPE_HD static void take_first(uint64_t& place, uint64_t bid) {
        const uint64_t seen = atomic_load(place);
        if (seen >> 32 != bid >> 32) atomic_exchange_if(place, seen, bid);
    }
    /// Lists an edge that is not legal, at `rank`.
    FLIPSCOPE_HD void contend(uint32_t edge, uint32_t rank, Verdict verdict) const {
        const bool illegal = must_flip(verdict);
        contenders[rank] = edge;
        outcomes[rank] = illegal ? Outcome::kIllegal : Outcome::kDeferred;
        if (calm) calm[edge] = verdict == Verdict::kCalm;
        if (illegal) bid(edge);
    }
    FLIPSCOPE_HD Quad quad(uint32_t edge) const {
        const uint32_t left = mesh.half_slots[2 * edge], right = mesh.half_slots[2 * edge + 1];
        return {mesh.from(left), mesh.from(right), mesh.apex(left), mesh.apex(right)};
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

/// Tests the suspects and lists those that are not legal as contenders; illegal ones bid for their two triangles. Runs
/// by expand() or append(). The test comes without the bid, because half of its speed is that the processor need not
/// guess how it ends. A rule (flip_rules.h) judges.
template <class Rule>
struct BidForFlip {
    FlipPass pass;
    Rule rule;

    FLIPSCOPE_HD static uint32_t places(uint32_t token) { return token != uint32_t(Verdict::kLegal); }
    FLIPSCOPE_HD uint32_t token(uint32_t i) const {
        const uint32_t edge = pass.suspect(i);
        return uint32_t(rule.judge(pass.mesh, edge, pass.quad(edge)));
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t token) const {
        const Verdict verdict = static_cast<Verdict>(token);
        if (pass.mesh.edge_states)
            pass.mark(pass.suspect(i), must_flip(verdict)             ? kStateIllegal
                                       : verdict == Verdict::kBlocked ? kStateBlocked
                                                                      : 0);
        if (verdict != Verdict::kLegal) pass.contend(pass.suspect(i), rank, verdict);
    }
};

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

/// Whether an edge that holds both its triangles must let another go first: one that holds a triangle next to these,
/// unless both are calm, or one elsewhere on the surface that would make the same new edge. Of two the lower bid goes,
/// so the lowest of all always does.
template <class Rule>
FLIPSCOPE_HD bool must_yield(const FlipPass& pass, const Rule& rule, uint32_t edge) {
    const MeshView& mesh = pass.mesh;
    const uint64_t bid = pass.bid_of(edge);
    const bool calm = pass.calm[edge];
    // Of this pass or not: a lower bid than ours is of this pass, and stands for whoever goes first, if he does.
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
/// where somebody wants to see winners and losers before the flip.
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
        pass.mark(edge, kStateIllegal | (won ? kStateWon : kStateLost));
        for (uint32_t side = 0; won && pass.mesh.triangle_states && side < 2; ++side)
            pass.mesh.triangle_states[pass.triangle_at(edge, side)] |= kStateTaken;
    }
};

/// With marks, repair comes at once: an edge that moves has lost, to the winner that moves it, and loses on either
/// side. An edge that has won, or holds both its triangles if that is not settled yet, turns them around. Tallies: 0
/// won, 1 lost, 2 change of the mesh's hash (only when `tracks_hash`).
struct FlipEdge {
    FlipPass pass;
    bool tracks_hash;

    FLIPSCOPE_HD void operator()(uint32_t i, Tally& tally) const {
        const Outcome outcome = pass.outcomes[i];
        const MeshView& mesh = pass.mesh;
        const uint32_t edge = pass.contenders[i];
        if (outcome == Outcome::kDeferred) return mark(edge);
        const uint32_t left_triangle = pass.triangle_at(edge, 0), right_triangle = pass.triangle_at(edge, 1);
        if (outcome == Outcome::kLost || (outcome == Outcome::kIllegal && !pass.holds_both(edge))) {
            pass.outcomes[i] = Outcome::kLost;
            pass.mark(edge, kStateIllegal | kStateLost);
            ++tally.value[1];
            return mark(edge);
        }
        if (tracks_hash) tally.value[2] -= hash_of(left_triangle) + hash_of(right_triangle);
        turn_edge(mesh, edge);
        if (tracks_hash) tally.value[2] += hash_of(left_triangle) + hash_of(right_triangle);

        pass.outcomes[i] = Outcome::kWon;
        ++tally.value[0];
        if (pass.marks) {
            for (uint32_t k = 0; k < 4; ++k) mark(mesh.slot_halves[pass.outer(edge, k)] >> 1);
            repair_turned(mesh, edge);
        } else {
            pass.turned[left_triangle] = pass.turned[right_triangle] = pass.stamp;
        }
        pass.mark(edge, kStateWon | kStateFlipped);
        if (mesh.triangle_states) {
            for (const uint32_t t : {left_triangle, right_triangle})
                mesh.triangle_states[t] = State((mesh.triangle_states[t] & ~kStateTaken) | kStateFlipped);
        }
    }
    FLIPSCOPE_HD void mark(uint32_t edge) const {
        if (pass.marks) atomic_store(pass.marks[edge], uint8_t(1));  // from two sides, the same
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
            const uint32_t slot = moved_slot(pass.mesh, pass.contenders[i], side);
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
        const uint32_t edge = pass.contenders[i];
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
            pass.mark(found[k], kStateSuspect);  // spoken for once, so written once
        }
    }
};

/// When nobody watches: the next suspects are tested as soon as they are collected, while the triangles at them are at
/// hand, and only contenders are listed, with their bids. Tally 0: suspects.
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

/// For the eye: the illegal edges of a state that was seen before.
struct MarkCycle {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kDeferred) pass.mark(pass.contenders[i], kStateIllegal | kStateCycling);
    }
};

/// For the eye: the illegal edges that cannot flip, after a bid that nobody watched.
struct MarkBlocked {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] == Outcome::kDeferred) pass.mark(pass.contenders[i], kStateBlocked);
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
