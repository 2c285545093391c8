// Parallel edge flips, one thread per edge, after Navarro, Hitschfeld and Scheihing (2011). One flip pass is three
// kernels over a list of suspects, the edges that can have become illegal:
//
//   bid     every suspect is tested; an illegal edge bids for both of its triangles, and the lowest bid stands; those
//           that are not legal are listed as contenders, and the kernels that follow look at no others;
//   flip    an edge that holds both its triangles turns them around: two corners of the triangle array are exchanged;
//   repair  edges that moved to the other triangle by that learn their new slot.
//
// Who is suspected next is collected by flip_suspects.h. Surfaces add a look around before the flip (flip_around.h),
// and what is displayed is written by flip_marks.h. flip_machine.h runs the passes.
//
// What we changed: a list instead of all edges, so that a pass costs what is left to flip; conflicts go to the lowest
// key instead of to the fastest thread, so that every run is the same; the exact in-circle test instead of angles. With
// these the lowest illegal edge always wins, so every pass makes progress.
//
// Bids carry the number of their pass in the high word, newer passes lower, so nothing is ever reset: an older bid
// loses against any newer one.
#pragma once

#include "compute/launch.h"
#include "delaunay/flip_conflicts.h"
#include "delaunay/flip_marks.h"
#include "delaunay/flip_rules.h"
#include "mesh/hash.h"
#include "mesh/surgery.h"

namespace flipscope {

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
    FLIPSCOPE_HD uint64_t bid_of(uint32_t edge) const { return (uint64_t(~stamp) << 32) | key_of(edge, conflict); }
    FLIPSCOPE_HD bool changed(uint32_t t) const { return turned[t] == stamp; }
    FLIPSCOPE_HD uint32_t triangle_at(uint32_t edge, uint32_t side) const {
        return triangle_of(atomic_load(mesh.half_slots[2 * edge + side]));  // FlipEdge tells why atomic
    }
    FLIPSCOPE_HD Quad quad(uint32_t edge) const {
        const uint32_t left = mesh.half_slots[2 * edge], right = mesh.half_slots[2 * edge + 1];
        return {mesh.from(left), mesh.from(right), mesh.apex(left), mesh.apex(right)};
    }
    /// The slot of one of the four edges around the two triangles at an edge, k = 0 … 3.
    FLIPSCOPE_HD uint32_t outer(uint32_t edge, uint32_t k) const {
        const uint32_t slot = mesh.half_slots[2 * edge + (k >> 1)];
        return k & 1 ? previous_slot(slot) : next_slot(slot);
    }
    /// Lists an edge that is not legal, at `rank`; an illegal one bids for its two triangles.
    FLIPSCOPE_HD void contend(uint32_t edge, uint32_t rank, Verdict verdict) const {
        const bool illegal = must_flip(verdict);
        contenders[rank] = edge;
        outcomes[rank] = illegal ? Outcome::kIllegal : Outcome::kDeferred;
        if (calm) calm[edge] = verdict == Verdict::kCalm;
        if (!illegal) return;
        const uint64_t bid = bid_of(edge);
        for (uint32_t side = 0; side < 2; ++side) place_bid(bids[triangle_at(edge, side)], bid, conflict);
    }
    FLIPSCOPE_HD bool holds_both(uint32_t edge) const {
        const uint64_t bid = bid_of(edge);
        return atomic_load(bids[triangle_at(edge, 0)]) == bid && atomic_load(bids[triangle_at(edge, 1)]) == bid;
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
        mark_judged(pass.mesh, pass.suspects, i, verdict);
        if (verdict != Verdict::kLegal) pass.contend(pass.suspect(i), rank, verdict);
    }
};

/// An edge that has won, or holds both its triangles if that is not settled yet, turns them around. With `marks`,
/// repair comes at once: an edge that moves has lost, to the winner that moves it, and loses on either side. Tallies: 0
/// won, 1 lost, 2 change of the mesh's hash (only when `tracks_hash`).
struct FlipEdge {
    FlipPass pass;
    bool tracks_hash;

    FLIPSCOPE_HD void operator()(uint32_t i, Tally& tally) const {
        const Outcome outcome = pass.outcomes[i];
        const MeshView& mesh = pass.mesh;
        const uint32_t edge = pass.contenders[i];
        if (outcome == Outcome::kDeferred) return suspect_next(edge);
        const uint32_t left = pass.triangle_at(edge, 0), right = pass.triangle_at(edge, 1);
        if (outcome == Outcome::kLost || (outcome == Outcome::kIllegal && !pass.holds_both(edge))) {
            pass.outcomes[i] = Outcome::kLost;
            mark_edge(mesh, edge, kStateIllegal | kStateLost);
            ++tally.value[1];
            return suspect_next(edge);
        }
        if (tracks_hash) tally.value[2] -= hash_of(left) + hash_of(right);
        turn_edge(mesh, edge);
        if (tracks_hash) tally.value[2] += hash_of(left) + hash_of(right);

        pass.outcomes[i] = Outcome::kWon;
        ++tally.value[0];
        if (pass.marks) {
            for (uint32_t k = 0; k < 4; ++k) suspect_next(mesh.slot_halves[pass.outer(edge, k)] >> 1);
            repair_turned(mesh, edge);
        } else {
            pass.turned[left] = pass.turned[right] = pass.stamp;
        }
        mark_flipped(mesh, edge, left, right);
    }
    FLIPSCOPE_HD void suspect_next(uint32_t edge) const {
        if (pass.marks) atomic_store(pass.marks[edge], uint8_t(1));  // from two sides, the same
    }
    FLIPSCOPE_HD uint64_t hash_of(uint32_t t) const {
        const View<uint32_t>& v = pass.mesh.triangles;
        return hash_triangle(v[3 * t], v[3 * t + 1], v[3 * t + 2]);
    }
};

/// The two edges that a flip moved to the other triangle learn where they are now.
struct RepairEdges {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kWon) return;
        repair_turned(pass.mesh, pass.contenders[i]);
        unmark_inconsistent(pass.mesh, pass.contenders[i]);
    }
};

}  // namespace flipscope
