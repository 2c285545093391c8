// Finds overlapping particles by cells alone, to verify the overlaps that a time step finds along edges of the
// triangulation. Run by the Particles lab on request, and by tests.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "compute/context.h"
#include "mesh/checks.h"
#include "particles/dynamics.h"
#include "particles/measures.h"

namespace flipscope {

struct OverlapAudit {
    using Pair = std::array<uint32_t, 2>;  // particle ids, the lower first

    uint64_t pairs_overlapping = 0;   // nearest images closer than kTouching times the pair's mean diameter
    uint64_t missed_by_edges = 0;     // of these, pairs without a Delaunay edge that short
    std::vector<Pair> overlapping;    // the lowest pairs, sorted; at most most_listed
    std::vector<Pair> missed;         // the same for missed pairs
    uint64_t in_walls = 0;            // discs that reach into a wall, with the same tolerance
    std::vector<uint32_t> into_wall;  // the lowest ids of these, at most most_listed
    double smallest_distance = std::numeric_limits<double>::infinity();  // of any two, world units; infinite for one
};

/// Tests all pairs by nearest images; a particle and its own images are not a pair. Without a triangulation in the
/// state no pair counts as missed. Lists at most `most_listed` of each kind. Waits for the device.
OverlapAudit audit_overlaps(Context& context, const ParticleState& state, uint32_t most_listed = 1000);

/// Between two time steps the triangulation of particles is Delaunay, no two of them overlap, and none reaches into a
/// wall. Lists "overlap", "overlap-without-edge", "in-wall", and failures of the triangulation's own check. Overlaps
/// are not a failure of a model that does not resolve them, unless none of them has an edge. `found`: the audit of this
/// state. `corner`: of the box, world units, the origin of failures' places. Waits for the device.
CheckReport verify_particles(const ParticleDynamics& dynamics, const OverlapAudit& found, Point corner);

}  // namespace flipscope
