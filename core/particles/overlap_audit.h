// Which particles overlap, found by cells alone: the check on what the pushes of a time step find along the edges of
// the triangulation. The Particles lab runs it on request, and so do tests; it changes nothing.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "compute/context.h"
#include "particles/measures.h"

namespace flipscope {

struct OverlapAudit {
    using Pair = std::array<uint32_t, 2>;  // particle ids, the lower first

    uint64_t pairs_overlapping = 0;   // nearest images closer than kTouching times the pair's mean diameter
    uint64_t missed_by_edges = 0;     // of these, pairs without a Delaunay edge as short as that
    std::vector<Pair> overlapping;    // the lowest pairs, sorted; as many as were asked for
    std::vector<Pair> missed;         // the same of those missed
    uint64_t in_walls = 0;            // discs that reach into a wall, with the same tolerance
    std::vector<uint32_t> into_wall;  // the lowest ids of these, as many as were asked for
    double smallest_distance = std::numeric_limits<double>::infinity();  // of any two, world units; infinite for one
    double smallest_ratio = std::numeric_limits<double>::infinity();     // of any two, in their mean diameters
};

/// Looks at all pairs, by nearest images; a particle and its own images are no pair. Without a triangulation in the
/// state no pair is called missed. Lists at most `most_listed` of each kind. Waits for the device.
OverlapAudit audit_overlaps(Context& context, const ParticleState& state, uint32_t most_listed = 1000);

}  // namespace flipscope
