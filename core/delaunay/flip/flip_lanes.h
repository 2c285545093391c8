// The in-circle tests of a flip pass on CPU threads, many edges at a time: the corners of all are gathered first, so
// that their loads overlap, and then decided on the vector units. Verdicts are those of InCircleRule.
#pragma once

#include <utility>

#include "delaunay/flip/flip_rules.h"
#include "geometry/incircle_lanes.h"

namespace flipscope {

/// Whether the rule is the exact in-circle test of all edges, which decide_quads() computes.
inline bool decides_in_lanes(const InCircleRule& rule) {
    return rule.mode == PredicateMode::kExact && rule.scope == FlipScope::kAll && !rule.fixed_outline;
}

/// Verdicts of at most IncircleLanes::kLanes edges by their quadrilaterals.
inline void decide_quads(const MeshView& mesh, const Quad* quads, uint32_t count, Verdict* verdicts) {
    constexpr uint32_t kLanes = IncircleLanes::kLanes;
    const Point* const at = mesh.positions.data;
    IncircleLanes lanes;
    for (uint32_t j = 0; j < count; ++j) {
        lanes.corners[0][j] = at[quads[j].from];
        lanes.corners[1][j] = at[quads[j].to];
        lanes.corners[2][j] = at[quads[j].left];
        lanes.corners[3][j] = at[quads[j].right];
    }
    for (uint32_t j = count; j < kLanes; ++j)
        for (auto& corner : lanes.corners) corner[j] = {};
    decide_incircle(lanes);
    uint32_t undecided = 0;
    for (uint32_t j = 0; j < count; ++j) {
        verdicts[j] = lanes.sign[j] > 0 ? Verdict::kIllegal : Verdict::kLegal;
        undecided |= uint32_t((lanes.sign[j] == 0) | touches_infinity(mesh, quads[j])) << j;
    }
    for (; undecided != 0; undecided &= undecided - 1) {
        const auto j = static_cast<uint32_t>(__builtin_ctz(undecided));
        verdicts[j] = is_illegal(mesh, quads[j], PredicateMode::kExact) ? Verdict::kIllegal : Verdict::kLegal;
    }
}

/// Tests edges in groups as they are added: the corners of one group are gathered, and their positions prefetched,
/// before the previous group is decided.
class EdgeLanes {
  public:
    static constexpr uint32_t kLanes = IncircleLanes::kLanes;

    /// The verdict of an edge that is added for `place` goes to codes[place].
    EdgeLanes(const MeshView& mesh, uint8_t* codes) : mesh_(mesh), codes_(codes) {}
    void add(uint32_t edge, uint32_t place) {
        Group& group = groups_[turn_];
        group.places[gathered_] = place;
        group.edges[gathered_] = edge;
        if (++gathered_ == kLanes) take_turns();
    }
    /// Returns how many are illegal.
    uint32_t end() {
        take_turns();
        take_turns();
        return illegal_;
    }

  private:
    struct Group {
        Quad quads[kLanes];
        uint32_t places[kLanes], edges[kLanes];
        uint32_t count = 0;
    };
    void take_turns() {
        Group& group = groups_[turn_];
        for (uint32_t j = 0; j < gathered_; ++j) {
            const size_t half_edge = 2 * size_t(group.edges[j]);
            const uint32_t left = mesh_.corner_of[half_edge], right = mesh_.corner_of[half_edge + 1];
            const Quad quad{mesh_.from(left), mesh_.from(right), mesh_.apex(left), mesh_.apex(right)};
            for (const uint32_t v : {quad.from, quad.to, quad.left, quad.right})
                __builtin_prefetch(&mesh_.positions[v]);
            group.quads[j] = quad;
        }
        group.count = std::exchange(gathered_, 0);
        turn_ ^= 1;
        const Group& before = groups_[turn_];
        Verdict verdicts[kLanes];
        decide_quads(mesh_, before.quads, before.count, verdicts);
        for (uint32_t j = 0; j < before.count; ++j) {
            codes_[before.places[j]] = static_cast<uint8_t>(verdicts[j]);
            illegal_ += verdicts[j] == Verdict::kIllegal;
        }
    }

    const MeshView mesh_;
    uint8_t* const codes_;
    Group groups_[2];
    uint32_t gathered_ = 0, turn_ = 0, illegal_ = 0;
};

}  // namespace flipscope
