// The fast versions of the kernels in flip.h. FastClaim does the same as ClaimForFlip, FlipAhead and FastFlip as
// FlipEdge; they serve CPU threads, passes that are launched together, and callers that follow flips.
//
// The gain of each measure. Times without another source are those of docs/benchmarks.md: a scrambled mesh of 10⁶
// triangles on two threads of an AMD EPYC, or on an H200 (GPU).
//
// - A worklist: with 1 % of the edges illegal 8.2 instead of 26.7 … 30.6 ms, and 0.15 instead of 0.54 ms on the GPU.
// - Hashed keys (flip_conflicts.h): on a surface of 30,000 edges whose ids run along the mesh, twelve iterations
//   instead of thousands, because an edge does not wait for the one before it.
// - The test apart from the claim, without a branch on the verdict: the test takes half the time.
// - Tests on the vector units while corners and positions are prefetched (flip_lanes.h), and a fixed share of every
//   launch for each thread (compute/context.cpp): together 26.7 … 30.6 instead of 40 ms.
// - Marks that flips set for the next worklist, and collecting and claiming in one kernel: half the work in the plane.
//   With calm edges, of which neighbours flip in the same pass, a quarter on surfaces.
// - Several passes of few candidates in one launch (flip_in_one_cluster.h): 0.58 instead of 0.89 ms for the quad of 10⁶
//   triangles on the GPU.
// - Regions of consecutive triangles first (flip_in_regions.h): strips of 10⁶ uniform points took 0.27 instead of 0.35
//   of CGAL's time, of clusters 0.49 instead of 0.71, smaller changes included.
// - The two claims of an edge without waiting between them: passes took up to a tenth longer on the GPU when the loop
//   in add_candidate() was not unrolled.
//
// No gain: marks of illegal edges instead of claims (10 % slower); prefetches of the edges that a flip moves.
#pragma once

#include "delaunay/flip/flip_lanes.h"
#include "delaunay/flip/flip_worklist.h"
#include "delaunay/flip/flipped_list.h"
#include "mesh/hash.h"

namespace flipscope {

/// A pass whose flips record more than the next worklist needs.
struct FastPass : FlipPass {
    View<uint8_t> marks;  // (e) 1: in the next worklist; empty: CollectWorklist lists it
    FlippedList flipped;  // or empty
};

/// ClaimForFlip, and on CPU threads many tests at a time.
template <class Rule>
struct FastClaim : ClaimForFlip<Rule> {
    /// The codes of edges `begin` … `end` - 1 of the worklist. Returns how many are candidates, or kNone where code()
    /// must be called for each edge. Prefetches the references of edges three groups ahead, the corners of those two
    /// ahead; EdgeLanes prefetches the positions of those one ahead.
    uint32_t codes(uint32_t begin, uint32_t end, uint8_t* made, BlockSums&) const {
        if constexpr (std::is_same_v<Rule, InCircleRule>) {
            if (!decides_in_lanes(this->rule)) return kNone;
            EdgeLanes lanes(this->pass.mesh, made);
            for (uint32_t i = begin; i < end; ++i) {
                if ((i - begin) % EdgeLanes::kLanes == 0 && end - i > 3 * EdgeLanes::kLanes)
                    prefetch_edges(i + 2 * EdgeLanes::kLanes);
                lanes.add(this->pass.worklist_edge(i), i - begin);
            }
            return lanes.end();
        } else {
            return kNone;
        }
    }
    /// The corners of a group of edges, and the references of the group after it.
    void prefetch_edges(uint32_t first) const {
        const MeshView& mesh = this->pass.mesh;
        for (uint32_t j = 0; j < EdgeLanes::kLanes; ++j) {
            __builtin_prefetch(&mesh.corner_of[2 * size_t(this->pass.worklist_edge(first + EdgeLanes::kLanes + j))]);
            const size_t edge = this->pass.worklist_edge(first + j);
            __builtin_prefetch(&mesh.triangles[mesh.corner_of[2 * edge]]);
            __builtin_prefetch(&mesh.triangles[mesh.corner_of[2 * edge + 1]]);
        }
    }
    /// The claims that emit() writes.
    void prefetch_emit(uint32_t i) const {
        const size_t edge = this->pass.worklist_edge(i);
        for (uint32_t side = 0; side < 2; ++side)
            __builtin_prefetch(&this->pass.claims[triangle_of(this->pass.mesh.corner_of[2 * edge + side])], 1);
    }
    /// emit() does nothing for legal edges where no states are recorded.
    bool leaves_out() const { return !this->pass.mesh.edge_states; }
};

/// FlipEdge with prefetches on CPU threads.
struct FlipAhead : FlipEdge {
    /// Prefetches the edge, and some turns later its triangles and their claims.
    void prefetch(uint32_t i, uint32_t stage) const {
        const size_t edge = pass.candidates[i];
        if (stage == 0) {
            __builtin_prefetch(&pass.mesh.corner_of[2 * edge], 1);
            __builtin_prefetch(&pass.mesh.edges[2 * edge], 1);
            return;
        }
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t corner = atomic_load(pass.mesh.corner_of[2 * edge + side]);
            __builtin_prefetch(&pass.claims[triangle_of(corner)]);
            __builtin_prefetch(&pass.mesh.triangles[corner], 1);
            __builtin_prefetch(&pass.mesh.half_edge_at[corner], 1);
        }
    }
};

/// FlipAhead, with options of its pass and its caller. With `repairs` the incidence is updated at once: an edge that
/// another flip moves is deferred, since that flip holds one of its triangles, and it reads as deferred before and
/// after the update. Sum 2: change of the mesh's hash, with `tracks_hash`.
struct FastFlip : FlipAhead {
    View<uint8_t> marks;  // these two as of FastPass
    FlippedList flipped;
    bool tracks_hash, repairs;

    FLIPSCOPE_HD FastFlip(const FastPass& pass, bool hashes, bool at_once)
        : FlipAhead{{pass}}, marks(pass.marks), flipped(pass.flipped), tracks_hash(hashes), repairs(at_once) {}

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const Outcome outcome = pass.outcomes[i];
        const MeshView& mesh = pass.mesh;
        const uint32_t edge = pass.candidates[i];
        if (outcome == Outcome::kPostponed) return mark_next(edge);
        const uint32_t left = pass.triangle_at(edge, 0), right = pass.triangle_at(edge, 1);
        if (!is_granted(outcome, edge, left, right)) {
            defer(i, edge, sums);
            return mark_next(edge);
        }
        if (tracks_hash) sums.value[2] -= hash_of(left) + hash_of(right);
        if (flipped.edges) flipped.add(mesh, edge);
        flip(i, edge, sums);
        if (tracks_hash) sums.value[2] += hash_of(left) + hash_of(right);
        if (marks)
            for (uint32_t k = 0; k < 4; ++k) mark_next(mesh.half_edge_at[pass.outer(edge, k)] >> 1);
        else
            pass.changed_in[left] = pass.changed_in[right] = pass.stamp;
        if (repairs) repair_flipped(mesh, edge);
        mark_flipped(mesh, edge, left, right);
    }
    FLIPSCOPE_HD void mark_next(uint32_t edge) const {
        if (marks) atomic_store(marks[edge], uint8_t(1));  // both sides may write the same
    }
    FLIPSCOPE_HD uint64_t hash_of(uint32_t t) const {
        const View<uint32_t>& v = pass.mesh.triangles;
        return hash_triangle(v[3 * t], v[3 * t + 1], v[3 * t + 2]);
    }
};

/// CollectWorklist and the next claim in one kernel, when no states are recorded: edges are tested while their
/// triangles are in the cache, and only candidates are listed. Runs over the four sides of every candidate: 4 i + k is
/// its k-th outer edge if it has flipped, else the candidate itself, where k is 0. Sum 0: edges tested.
template <class Rule>
struct CollectAndClaim {
    CollectWorklist collect;  // of the pass that ends
    FlipPass next;            // the pass that begins
    Rule rule;

    /// The edge that is tested at a side, or kNone.
    FLIPSCOPE_HD uint32_t edge_at(uint32_t side) const {
        const FlipPass& pass = collect.pass;
        const uint32_t i = side / 4, k = side % 4, edge = pass.candidates[i];
        if (pass.outcomes[i] != Outcome::kGranted) {
            const bool stays =
                k == 0 && !pass.changed(pass.triangle_at(edge, 0)) && !pass.changed(pass.triangle_at(edge, 1));
            return stays ? edge : kNone;
        }
        const uint32_t corner = pass.outer(edge, k);
        return collect.lists(corner) ? pass.mesh.half_edge_at[corner] >> 1 : kNone;
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return code != uint32_t(Verdict::kLegal); }
    bool leaves_out() const { return true; }
    /// On CPU threads: the codes of sides `begin` … `end` - 1, as of FastClaim.
    uint32_t codes(uint32_t begin, uint32_t end, uint8_t* made, BlockSums& sums) const {
        if constexpr (std::is_same_v<Rule, InCircleRule>) {
            if (!decides_in_lanes(rule)) return kNone;
            EdgeLanes lanes(next.mesh, made);
            for (uint32_t side = begin; side < end; ++side) {
                if (side % 4 == 0) prefetch_candidates(side / 4, end / 4);
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
    void prefetch_candidates(uint32_t i, uint32_t end) const {
        const FlipPass& pass = collect.pass;
        constexpr uint32_t kTurns = 6;
        if (i + 2 * kTurns < end) __builtin_prefetch(&pass.mesh.corner_of[2 * size_t(pass.candidates[i + 2 * kTurns])]);
        if (i + kTurns >= end) return;
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t corner = pass.mesh.corner_of[2 * size_t(pass.candidates[i + kTurns]) + side];
            __builtin_prefetch(&pass.mesh.half_edge_at[corner]);
            __builtin_prefetch(&pass.changed_in[triangle_of(corner)]);
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
