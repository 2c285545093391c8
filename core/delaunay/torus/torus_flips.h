// Flip passes on a torus: what makes an edge flip, and the machine of flip_machine.h run by these rules.
#pragma once

#include <cstdint>
#include <functional>

#include "delaunay/flip/flip_machine.h"
#include "geometry/torus_box.h"

namespace flipscope {

/// What makes an edge flip: a triangle at it is inverted or flat, and would not be any more (UprightRule); or it is not
/// Delaunay (TorusDelaunayRule), which is asked of upright triangles alone.
enum class TorusRule : uint8_t { kUpright, kDelaunay };

/// Tests the worklist; illegal edges claim their triangles. `settles` as FlipMachine::claim() has it.
FlipCounts claim_on_torus(FlipMachine& flips, const MeshView& mesh, const TorusBox& box, TorusRule rule, bool settles);
/// All flip passes, until none is left; `after_pass` is told of each that tested something. Writes no state words: they
/// would be those of a pass amid others.
void flip_all_on_torus(FlipMachine& flips, const TriangleMesh& mesh, const TorusBox& box, TorusRule rule,
                       const std::function<void(const FlipCounts&)>& after_pass);

/// All passes by kDelaunay that are left after FlipMachine::launch_passes().
void end_on_torus(FlipMachine& flips, const TriangleMesh& mesh, const TorusBox& box, FlipMachine::Passes& passes,
                  uint64_t tested, const FlipMachine::Words& seen,
                  const std::function<void(const FlipCounts&)>& after_pass);

}  // namespace flipscope
