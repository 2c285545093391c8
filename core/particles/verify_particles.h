// Between two time steps the triangulation of particles is Delaunay, no two of them overlap, and none reaches into a
// wall. The Particles lab checks its state with it.
#pragma once

#include "mesh/checks.h"
#include "particles/dynamics.h"
#include "particles/overlap_audit.h"

namespace flipscope {

/// Lists "overlap", "overlap-without-edge", "in-wall", and failures of the triangulation's own check. Overlaps are not
/// a failure of a model that does not resolve them, unless none of them has an edge. `found`: the audit of this state.
/// `corner`: of the box, world units, the origin of failures' places. Waits for the device.
CheckReport verify_particles(const ParticleDynamics& dynamics, const OverlapAudit& found, Point corner);

}  // namespace flipscope
