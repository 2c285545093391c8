// Parallel edge flips, one thread per edge, after Navarro, Hitschfeld and Scheihing (2011). One flip pass is three
// kernels over a worklist, the edges that may have become illegal:
//
//   claim   every edge of the worklist is tested. Those that are not legal are listed as candidates, and the kernels
//           that follow look at no others. An illegal edge claims both of its triangles; of several claims for one
//           triangle the lowest is granted.
//   flip    an edge whose claims are granted on both sides flips: two corners in the triangle array are overwritten.
//   All
//           other illegal edges are deferred to the next pass.
//   repair  a flip leaves the incidence of two outer edges stale, because they lie in the other triangle now: their
//           edge-triangle incidence is updated.
//
// flip_worklist.h collects the next worklist. Surfaces look at the neighbours before the flip (flip_around.h). State
// words for display are written by flip_marks.h and flip_display.h. flip_machine.h runs the passes, few candidates in
// one launch (flip_in_one_cluster.h).
//
// What we changed: a worklist instead of all edges, so that a pass costs what is left to flip; conflicts are settled by
// the lowest key instead of by the fastest thread, so that every run is the same; the exact in-circle test instead of
// angles. With lowest keys the illegal edge of the lowest one is always granted, so every pass flips an edge.
//
// A claim has the complement of its pass number in the high word, so a claim of an older pass is higher than any newer
// one, and the array of claims is never reset.
#pragma once

#include "compute/launch.h"
#include "delaunay/flip/flip_conflicts.h"
#include "delaunay/flip/flip_lanes.h"
#include "delaunay/flip/flip_marks.h"
#include "delaunay/flip/flip_rules.h"
#include "mesh/hash.h"
#include "mesh/surgery.h"

namespace flipscope {

enum class Outcome : uint8_t { kIllegal, kGranted, kDeferred, kPostponed };

/// An edge of a torus before it flipped: its ends, and which image of the second is meant.
struct EdgeBefore {
    uint32_t from, to;
    ImageShift shift;
};

/// A list of edges that every edge joins that flips, once. Empty: none is kept.
struct FlippedList {
    View<uint32_t> edges;   // room for all
    View<uint32_t> total;   // (1)
    View<uint32_t> stamps;  // (e) `stamp`: is on the list
    uint32_t stamp = 0;
    View<EdgeBefore> before;  // as `edges`: what they were before they flipped first; or empty

    FLIPSCOPE_HD void add(const MeshView& mesh, uint32_t edge) const {
        if (stamps[edge] == stamp) return;
        stamps[edge] = stamp;
        const uint32_t rank = atomic_take(total[0]);
        edges[rank] = edge;
        if (!before) return;
        const IndexPair ends = pair_at(mesh.edges, edge);
        before[rank] = {ends.first, ends.second, mesh.shifts[mesh.half_slots[2 * size_t(edge)]]};
    }
};

/// What all kernels of one flip pass share.
struct FlipPass {
    MeshView mesh;
    View<uint32_t> worklist;    // (w) edge ids, each once; empty: all edges, edge i at place i
    View<uint32_t> candidates;  // (c) of these, the ones that are not legal
    View<Outcome> outcomes;     // (c)
    View<uint64_t> claims;      // (t) lowest claim so far
    View<uint32_t> changed_in;  // (t) stamp of the pass that changed the triangle last
    View<uint8_t> marks;        // (e) 1: in the next worklist; or empty: CollectWorklist lists them
    View<uint8_t> calm;         // (e) of candidates, 1: Verdict::kCalm; or empty: the rule does not look around
    FlippedList flipped;        // or empty
    uint32_t stamp;             // 1, 2, … greater in every pass; the high word of a claim is its complement
    ConflictRule conflict;

    FLIPSCOPE_HD uint32_t worklist_edge(uint32_t i) const { return worklist ? worklist[i] : i; }
    FLIPSCOPE_HD uint64_t claim_of(uint32_t edge) const { return (uint64_t(~stamp) << 32) | key_of(edge, conflict); }
    FLIPSCOPE_HD bool changed(uint32_t t) const { return changed_in[t] == stamp; }
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
    /// Lists an edge that is not legal, at `rank`; an illegal one claims its two triangles.
    FLIPSCOPE_HD void add_candidate(uint32_t edge, uint32_t rank, Verdict verdict) const {
        const bool illegal = must_flip(verdict);
        candidates[rank] = edge;
        outcomes[rank] = illegal ? Outcome::kIllegal : Outcome::kPostponed;
        if (calm) calm[edge] = verdict == Verdict::kCalm;
        if (!illegal) return;
        const uint64_t claim = claim_of(edge);
        for (uint32_t side = 0; side < 2; ++side) place_claim(claims[triangle_at(edge, side)], claim, conflict);
    }
    FLIPSCOPE_HD bool holds_both(uint32_t edge) const {
        const uint64_t claim = claim_of(edge);
        return atomic_load(claims[triangle_at(edge, 0)]) == claim && atomic_load(claims[triangle_at(edge, 1)]) == claim;
    }
};

/// Tests the edges of the worklist and lists those that are not legal as candidates; illegal ones claim their two
/// triangles. Runs by compact() or append_unordered(). The test and the claim are apart, because the test is twice as
/// fast without a branch on its result. A rule (flip_rules.h) judges.
template <class Rule>
struct ClaimForFlip {
    FlipPass pass;
    Rule rule;

    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return code != uint32_t(Verdict::kLegal); }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const uint32_t edge = pass.worklist_edge(i);
        return uint32_t(rule.judge(pass.mesh, edge, pass.quad(edge)));
    }
    /// On CPU threads: the codes of edges `begin` … `end` - 1 of the worklist. Returns how many are listed, or kNone
    /// where one at a time has to be asked. What one group of edges needs is asked for while those before it are
    /// decided: references three groups ahead, corners two, places one.
    uint32_t codes(uint32_t begin, uint32_t end, uint8_t* made, BlockSums&) const {
        if constexpr (std::is_same_v<Rule, InCircleRule>) {
            if (!decides_in_lanes(rule)) return kNone;
            EdgeLanes lanes(pass.mesh, made);
            for (uint32_t i = begin; i < end; ++i) {
                if ((i - begin) % EdgeLanes::kLanes == 0 && end - i > 3 * EdgeLanes::kLanes)
                    ask_for_edges(i + 2 * EdgeLanes::kLanes);
                lanes.add(pass.worklist_edge(i), i - begin);
            }
            return lanes.end();
        } else {
            return kNone;
        }
    }
    /// For the corners of a group of edges, and for references of the one after it.
    void ask_for_edges(uint32_t first) const {
        for (uint32_t j = 0; j < EdgeLanes::kLanes; ++j) {
            __builtin_prefetch(&pass.mesh.half_slots[2 * size_t(pass.worklist_edge(first + EdgeLanes::kLanes + j))]);
            const size_t edge = pass.worklist_edge(first + j);
            __builtin_prefetch(&pass.mesh.triangles[pass.mesh.half_slots[2 * edge]]);
            __builtin_prefetch(&pass.mesh.triangles[pass.mesh.half_slots[2 * edge + 1]]);
        }
    }
    /// For the claims that emit() is about to place.
    void ask_to_emit(uint32_t i) const {
        const size_t edge = pass.worklist_edge(i);
        for (uint32_t side = 0; side < 2; ++side)
            __builtin_prefetch(&pass.claims[triangle_of(pass.mesh.half_slots[2 * edge + side])], 1);
    }
    /// Where there are no marks, legal edges leave nothing behind.
    bool leaves_out() const { return !pass.mesh.edge_states; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        const Verdict verdict = static_cast<Verdict>(code);
        mark_judged(pass.mesh, pass.worklist, i, verdict);
        if (verdict != Verdict::kLegal) pass.add_candidate(pass.worklist_edge(i), rank, verdict);
    }
};

/// Flips an edge whose claims are granted; where that is not settled yet, it reads its own claim in both triangles.
/// With `repairs`, repair comes at once: an edge that another flip moves is deferred itself, since that flip holds one
/// of its triangles, and it reads as deferred before and after the update. Sums: 0 granted, 1 deferred, 2 change of the
/// mesh's hash (only when `tracks_hash`).
struct FlipEdge {
    FlipPass pass;
    bool tracks_hash, repairs;

    /// On CPU threads, some turns ahead: the edge at stage 0, its triangles and their claims at stage 1.
    void ask_ahead(uint32_t i, uint32_t stage) const {
        const size_t edge = pass.candidates[i];
        if (stage == 0) {
            __builtin_prefetch(&pass.mesh.half_slots[2 * edge], 1);
            __builtin_prefetch(&pass.mesh.edges[2 * edge], 1);
            return;
        }
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t slot = atomic_load(pass.mesh.half_slots[2 * edge + side]);
            __builtin_prefetch(&pass.claims[triangle_of(slot)]);
            __builtin_prefetch(&pass.mesh.triangles[slot], 1);
            __builtin_prefetch(&pass.mesh.slot_halves[slot], 1);
        }
    }
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const Outcome outcome = pass.outcomes[i];
        const MeshView& mesh = pass.mesh;
        const uint32_t edge = pass.candidates[i];
        if (outcome == Outcome::kPostponed) return queue_next(edge);
        const uint32_t left = pass.triangle_at(edge, 0), right = pass.triangle_at(edge, 1);
        if (outcome == Outcome::kDeferred || (outcome == Outcome::kIllegal && !pass.holds_both(edge))) {
            pass.outcomes[i] = Outcome::kDeferred;
            mark_edge(mesh, edge, kStateIllegal | kStateDeferred);
            ++sums.value[1];
            return queue_next(edge);
        }
        if (tracks_hash) sums.value[2] -= hash_of(left) + hash_of(right);
        if (pass.flipped.edges) pass.flipped.add(mesh, edge);
        flip_edge(mesh, edge);
        if (tracks_hash) sums.value[2] += hash_of(left) + hash_of(right);

        pass.outcomes[i] = Outcome::kGranted;
        ++sums.value[0];
        if (pass.marks)
            for (uint32_t k = 0; k < 4; ++k) queue_next(mesh.slot_halves[pass.outer(edge, k)] >> 1);
        else
            pass.changed_in[left] = pass.changed_in[right] = pass.stamp;
        if (repairs) repair_flipped(mesh, edge);
        mark_flipped(mesh, edge, left, right);
    }
    FLIPSCOPE_HD void queue_next(uint32_t edge) const {
        if (pass.marks) atomic_store(pass.marks[edge], uint8_t(1));  // both sides may write, the same
    }
    FLIPSCOPE_HD uint64_t hash_of(uint32_t t) const {
        const View<uint32_t>& v = pass.mesh.triangles;
        return hash_triangle(v[3 * t], v[3 * t + 1], v[3 * t + 2]);
    }
};

/// Updates the edge-triangle incidence of the two edges that a flip moved to the other triangle.
struct RepairEdges {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (pass.outcomes[i] != Outcome::kGranted) return;
        repair_flipped(pass.mesh, pass.candidates[i]);
        unmark_stale(pass.mesh, pass.candidates[i]);
    }
};

}  // namespace flipscope
