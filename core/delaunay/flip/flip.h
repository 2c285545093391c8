// Parallel edge flips, after Navarro, Hitschfeld and Scheihing (2011). A flip pass goes through a worklist, the edges
// that may have become illegal, with three kernels:
//
//   claim   An illegal edge claims its two triangles. Of several claims for one triangle the lowest is granted.
//   flip    An edge flips if both its claims are granted, so no two threads write the same triangle. All other illegal
//           edges are deferred to the next pass.
//   repair  A flip leaves the incidence of two outer edges stale, because they lie in the other triangle now. It is
//           updated.
//
// What we changed: a worklist instead of all edges, so a pass costs what is left to flip; the lowest claim instead of
// the fastest thread, so every run is the same; the exact in-circle test instead of angles. The illegal edge with the
// lowest key is always granted, so every pass flips an edge. flip_worklist.h collects the next worklist, and
// flip_machine.h runs the passes. flip_fast.h makes them fast and says by how much.
#pragma once

#include "compute/launch.h"
#include "delaunay/flip/flip_conflicts.h"
#include "delaunay/flip/flip_marks.h"
#include "delaunay/flip/flip_rules.h"
#include "mesh/surgery.h"

namespace flipscope {

enum class Outcome : uint8_t { kIllegal, kGranted, kDeferred, kPostponed };

/// Shared by all kernels of one flip pass.
struct FlipPass {
    MeshView mesh;
    View<uint32_t> worklist;    // (w) edge ids, each once; empty: all edges, edge i at place i
    View<uint32_t> candidates;  // (c) the edges of the worklist that are not legal
    View<Outcome> outcomes;     // (c)
    View<uint64_t> claims;      // (t) the lowest claim so far
    View<uint32_t> changed_in;  // (t) stamp of the last pass that changed the triangle
    View<uint8_t> calm;         // (e) of candidates, 1: Verdict::kCalm; empty in the plane
    uint32_t stamp;             // of the pass: 1, 2, …
    ConflictRule conflict;

    FLIPSCOPE_HD uint32_t worklist_edge(uint32_t i) const { return worklist ? worklist[i] : i; }
    /// The high word is the complement of the stamp: a claim of an older pass is higher than any newer one, so the
    /// array of claims is never reset.
    FLIPSCOPE_HD uint64_t claim_of(uint32_t edge) const { return (uint64_t(~stamp) << 32) | key_of(edge, conflict); }
    FLIPSCOPE_HD bool changed(uint32_t t) const { return changed_in[t] == stamp; }
    /// Atomic, because a flip that repairs at once may be writing it (FastFlip).
    FLIPSCOPE_HD uint32_t triangle_at(uint32_t edge, uint32_t side) const {
        return triangle_of(atomic_load(mesh.corner_of[2 * edge + side]));
    }
    FLIPSCOPE_HD Quad quad(uint32_t edge) const {
        const uint32_t left = mesh.corner_of[2 * edge], right = mesh.corner_of[2 * edge + 1];
        return {mesh.from(left), mesh.from(right), mesh.apex(left), mesh.apex(right)};
    }
    /// The corner of one of the four edges around the two triangles at an edge, k = 0 … 3.
    FLIPSCOPE_HD uint32_t outer(uint32_t edge, uint32_t k) const {
        const uint32_t corner = mesh.corner_of[2 * edge + (k >> 1)];
        return k & 1 ? previous_corner(corner) : next_corner(corner);
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
    FLIPSCOPE_HD bool holds(uint32_t edge, uint32_t t) const { return atomic_load(claims[t]) == claim_of(edge); }
    FLIPSCOPE_HD bool holds_both(uint32_t edge) const {
        return holds(edge, triangle_at(edge, 0)) && holds(edge, triangle_at(edge, 1));
    }
};

/// Tests the edges of the worklist by a rule (flip_rules.h) and lists those that are not legal as candidates. Illegal
/// ones claim their triangles. Runs by compact(): code() for every edge, then emit() with the candidate's rank.
template <class Rule>
struct ClaimForFlip {
    FlipPass pass;
    Rule rule;

    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return code != uint32_t(Verdict::kLegal); }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const uint32_t edge = pass.worklist_edge(i);
        return uint32_t(rule.judge(pass.mesh, edge, pass.quad(edge)));
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        const Verdict verdict = static_cast<Verdict>(code);
        mark_judged(pass.mesh, pass.worklist, i, verdict);
        if (verdict != Verdict::kLegal) pass.add_candidate(pass.worklist_edge(i), rank, verdict);
    }
};

/// Flips the candidates whose claims are granted and defers the other illegal ones. Sums: 0 granted, 1 deferred.
struct FlipEdge {
    FlipPass pass;

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const Outcome outcome = pass.outcomes[i];
        if (outcome == Outcome::kPostponed) return;
        const uint32_t edge = pass.candidates[i];
        const uint32_t left = pass.triangle_at(edge, 0), right = pass.triangle_at(edge, 1);
        if (!is_granted(outcome, edge, left, right)) return defer(i, edge, sums);
        flip(i, edge, sums);
        pass.changed_in[left] = pass.changed_in[right] = pass.stamp;
        mark_flipped(pass.mesh, edge, left, right);
    }
    /// If no kernel has settled the claims before (flip_around.h), the edge reads them.
    FLIPSCOPE_HD bool is_granted(Outcome outcome, uint32_t edge, uint32_t left, uint32_t right) const {
        if (outcome != Outcome::kIllegal) return outcome == Outcome::kGranted;
        return pass.holds(edge, left) && pass.holds(edge, right);
    }
    FLIPSCOPE_HD void flip(uint32_t i, uint32_t edge, BlockSums& sums) const {
        flip_edge(pass.mesh, edge);
        pass.outcomes[i] = Outcome::kGranted;
        ++sums.value[0];
    }
    FLIPSCOPE_HD void defer(uint32_t i, uint32_t edge, BlockSums& sums) const {
        pass.outcomes[i] = Outcome::kDeferred;
        mark_edge(pass.mesh, edge, kStateIllegal | kStateDeferred);
        ++sums.value[1];
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
