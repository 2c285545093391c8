// The in-circle tests of a flip pass on CPU threads, many edges at a time: corners of all are gathered first, so that
// the processor waits for several of them at once, and then decided on the vector units. Verdicts are those of
// InCircleRule, edge by edge.
#pragma once

#include "delaunay/flip_rules.h"
#include "geometry/incircle_lanes.h"

namespace flipscope {

/// Whether the rule is the exact in-circle test of all edges, which decide_edges() knows.
inline bool decides_in_lanes(const InCircleRule& rule) {
    return rule.mode == PredicateMode::kExact && rule.scope == FlipScope::kAll && !rule.fixed_outline;
}

/// Verdicts of at most IncircleLanes::kLanes edges by their quadrilaterals.
inline void decide_quads(const MeshView& mesh, const Quad* quads, uint32_t count, Verdict* verdicts) {
    constexpr uint32_t kLanes = IncircleLanes::kLanes;
    IncircleLanes lanes;
    const auto place = [&](uint32_t k, uint32_t j, uint32_t v) {
        const Point p = mesh.positions[v];
        lanes.x[k][j] = p.x;
        lanes.y[k][j] = p.y;
    };
    for (uint32_t j = 0; j < count; ++j) {
        place(0, j, quads[j].from);
        place(1, j, quads[j].to);
        place(2, j, quads[j].left);
        place(3, j, quads[j].right);
    }
    for (uint32_t j = count; j < kLanes; ++j)
        for (uint32_t k = 0; k < 4; ++k) lanes.x[k][j] = lanes.y[k][j] = 0;
    decide_incircle(lanes);
    for (uint32_t j = 0; j < count; ++j) {
        const bool decided = (lanes.sign[j] != 0) & !touches_infinity(mesh, quads[j]);
        const bool illegal = decided ? lanes.sign[j] > 0 : is_illegal(mesh, quads[j], PredicateMode::kExact);
        verdicts[j] = illegal ? Verdict::kIllegal : Verdict::kLegal;
    }
}

/// Verdicts of at most IncircleLanes::kLanes edges: codes[j] of edges[j]. `each_illegal(left, right)` is called with
/// the two triangles of every edge that must flip.
template <class EachIllegal>
void decide_edges(const MeshView& mesh, const uint32_t* edges, uint32_t count, uint8_t* codes,
                  const EachIllegal& each_illegal) {
    constexpr uint32_t kLanes = IncircleLanes::kLanes;
    uint32_t left[kLanes], right[kLanes];
    for (uint32_t j = 0; j < count; ++j) {
        left[j] = mesh.half_slots[2 * size_t(edges[j])];
        right[j] = mesh.half_slots[2 * size_t(edges[j]) + 1];
    }
    Quad quads[kLanes];
    for (uint32_t j = 0; j < count; ++j)
        quads[j] = {mesh.from(left[j]), mesh.from(right[j]), mesh.apex(left[j]), mesh.apex(right[j])};
    Verdict verdicts[kLanes];
    decide_quads(mesh, quads, count, verdicts);
    for (uint32_t j = 0; j < count; ++j) {
        const Verdict verdict = verdicts[j];
        codes[j] = static_cast<uint8_t>(verdict);
        if (verdict == Verdict::kIllegal) each_illegal(triangle_of(left[j]), triangle_of(right[j]));
    }
}

}  // namespace flipscope
