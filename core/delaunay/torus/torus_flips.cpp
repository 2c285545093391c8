#include "delaunay/torus/torus_flips.h"

#include "compute/primitives.h"
#include "delaunay/torus/torus_rules.h"

namespace flipscope {

FlipCounts claim_on_torus(FlipMachine& flips, const MeshView& mesh, const TorusBox& box, TorusRule rule, bool settles) {
    return rule == TorusRule::kUpright ? flips.claim(mesh, UprightRule{box}, settles)
                                       : flips.claim(mesh, TorusDelaunayRule{box}, settles);
}

void flip_all_on_torus(FlipMachine& flips, const TriangleMesh& mesh, const TorusBox& box, TorusRule rule,
                       const std::function<void(const FlipCounts&)>& after_pass) {
    MeshView view = mesh.view();
    view.vertex_states = view.edge_states = view.triangle_states = {};
    const auto told = [&](const FlipCounts& counts) {
        after_pass(counts);
        return true;
    };
    if (rule == TorusRule::kUpright)
        flips.run(view, mesh.edge_count, UprightRule{box}, kNone, told);
    else
        flips.run(view, mesh.edge_count, TorusDelaunayRule{box}, kNone, told);
}

}  // namespace flipscope
