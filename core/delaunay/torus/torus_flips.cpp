#include "delaunay/torus/torus_flips.h"

#include "compute/primitives.h"
#include "delaunay/torus/torus_rules.h"

namespace flipscope {

FlipCounts claim_on_torus(FlipMachine& flips, const MeshView& mesh, const TorusBox& box, TorusRule rule, bool settles) {
    return rule == TorusRule::kUpright ? flips.claim(mesh, UprightRule{box}, settles)
                                       : flips.claim(mesh, TorusDelaunayRule{box}, settles);
}

MeshView without_states(const TriangleMesh& mesh) {
    MeshView view = mesh.view();
    view.vertex_states = view.edge_states = view.triangle_states = {};
    return view;
}

namespace {

auto teller(const std::function<void(const FlipCounts&)>& after_pass) {
    return [&after_pass](const FlipCounts& counts) {
        after_pass(counts);
        return true;
    };
}

}  // namespace

void flip_all_on_torus(FlipMachine& flips, const TriangleMesh& mesh, const TorusBox& box, TorusRule rule,
                       const std::function<void(const FlipCounts&)>& after_pass) {
    const MeshView view = without_states(mesh);
    if (rule == TorusRule::kUpright)
        flips.run(view, mesh.edge_count, UprightRule{box}, kNone, teller(after_pass));
    else
        flips.run(view, mesh.edge_count, TorusDelaunayRule{box}, kNone, teller(after_pass));
}

void end_on_torus(FlipMachine& flips, const TriangleMesh& mesh, const TorusBox& box, FlipMachine::Passes& passes,
                  uint64_t tested, const FlipMachine::Words& seen,
                  const std::function<void(const FlipCounts&)>& after_pass) {
    flips.end_passes(without_states(mesh), mesh.edge_count, TorusDelaunayRule{box}, passes, tested, kNone,
                     teller(after_pass), &seen);
}

}  // namespace flipscope
