// Flip passes on a torus: its two rules for edges, run by the machine of flip_machine.h.
#pragma once

#include <cstdint>
#include <functional>

#include "delaunay/flip/flip_machine.h"
#include "geometry/torus_box.h"

namespace flipscope {

/// When an edge flips: a triangle at it is inverted or flat, and the flip mends that (UprightRule); or it is not
/// Delaunay (TorusDelaunayRule), which requires upright triangles.
enum class TorusRule : uint8_t { kUpright, kDelaunay };

/// Tests the worklist; illegal edges claim their triangles. `settles` as FlipMachine::claim() has it.
FlipCounts claim_on_torus(FlipMachine& flips, const MeshView& mesh, const TorusBox& box, TorusRule rule, bool settles);
/// Runs all flip passes, until none is left; calls `after_pass` for each that tested something. Writes no state words,
/// which would be those of an unfinished run of passes.
void flip_all_on_torus(FlipMachine& flips, const TriangleMesh& mesh, const TorusBox& box, TorusRule rule,
                       const std::function<void(const FlipCounts&)>& after_pass);

/// The passes by kDelaunay that are left after FlipMachine::launch_passes().
void end_on_torus(FlipMachine& flips, const TriangleMesh& mesh, const TorusBox& box, FlipMachine::Passes& passes,
                  uint64_t tested, const FlipMachine::Words& seen,
                  const std::function<void(const FlipCounts&)>& after_pass);

}  // namespace flipscope
