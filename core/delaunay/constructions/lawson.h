// Lawson's flips, one after the other on one core: the reference for parallel flips. It works on host copies of the
// same arrays with the same test and the same surgery, so a difference in time is a difference in method.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/cancel.h"
#include "delaunay/constructions/host_mesh.h"
#include "delaunay/flip/flip_rules.h"
#include "mesh/surgery.h"

namespace flipscope {

struct LawsonResult {
    uint64_t flips = 0;
    uint64_t tests = 0;    // of edges
    bool finished = true;  // false: the limit was reached first
};

/// Goes through the edges in the order of their ids, and flips those for which `must_flip(mesh, edge, quad)` is true;
/// after a flip the four outer edges come next if they have been tested already, the last one first (Lawson 1977). An
/// edge waits on the stack once at most. Nearby edges should have nearby ids, as in a mesh along a space-filling curve.
/// Ends when no edge must flip, or after `most_flips`, because a rule by rounded angles may cycle. All incidence is
/// valid afterwards, in both cases. `worklist`: the edges to start from, ascending; default all.
template <class Rule>
LawsonResult flip_sequentially(HostMesh& host, const Rule& must_flip, uint64_t most_flips = UINT64_MAX,
                               const std::vector<uint32_t>* worklist = nullptr) {
    const MeshView mesh = host.view();
    const uint32_t edge_count = host.edge_count();
    LawsonResult result;
    std::vector<uint8_t> waits(edge_count, worklist ? 0 : 1);
    if (worklist)
        for (const uint32_t edge : *worklist) waits[edge] = 1;
    std::vector<uint32_t> stack;
    const auto count = static_cast<uint32_t>(worklist ? worklist->size() : edge_count);
    CancelPoll poll(1024);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t edge = worklist ? (*worklist)[i] : i;
        for (;;) {
            poll();
            waits[edge] = 0;
            ++result.tests;
            const uint32_t left = mesh.corner_of[2 * size_t(edge)], right = mesh.corner_of[2 * size_t(edge) + 1];
            const Quad quad{mesh.from(left), mesh.to(left), mesh.apex(left), mesh.apex(right)};
            if (must_flip(mesh, edge, quad)) {
                if (result.flips == most_flips) {
                    result.finished = false;
                    return result;
                }
                const uint32_t outer[4] = {
                    mesh.half_edge_at[next_corner(left)] >> 1, mesh.half_edge_at[previous_corner(left)] >> 1,
                    mesh.half_edge_at[next_corner(right)] >> 1, mesh.half_edge_at[previous_corner(right)] >> 1};
                flip_edge(mesh, edge);
                repair_flipped(mesh, edge);
                ++result.flips;
                for (const uint32_t other : outer) {
                    if (waits[other]) continue;
                    waits[other] = 1;
                    stack.push_back(other);
                }
            }
            if (stack.empty()) break;
            edge = stack.back();
            stack.pop_back();
        }
    }
    return result;
}

/// With a rule of flip_rules.h, on surfaces, too: an edge that cannot flip at present (Verdict::kBlocked) is tested
/// again after the others have flipped, for as long as that flips any edge. Ends when no edge must flip, or after
/// `most_flips`.
template <class Rule>
LawsonResult flip_sequentially_by(HostMesh& host, const Rule& rule, uint64_t most_flips = UINT64_MAX) {
    LawsonResult all;
    std::vector<uint32_t> blocked, worklist;
    const auto must_flip = [&](const MeshView& mesh, uint32_t edge, const Quad& quad) {
        const Verdict verdict = rule.judge(mesh, edge, quad);
        if (verdict == Verdict::kBlocked) blocked.push_back(edge);
        return flipscope::must_flip(verdict);
    };
    for (bool first = true;; first = false) {
        const LawsonResult sweep =
            flip_sequentially(host, must_flip, most_flips - all.flips, first ? nullptr : &worklist);
        all.flips += sweep.flips;
        all.tests += sweep.tests;
        all.finished = sweep.finished;
        if (!sweep.finished || sweep.flips == 0 || blocked.empty()) return all;
        sort_distinct_or_cancel(blocked);
        worklist.swap(blocked);
        blocked.clear();
    }
}

}  // namespace flipscope
