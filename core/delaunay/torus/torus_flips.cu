#include "delaunay/torus/torus_flips.h"

#include "delaunay/torus/torus_rules.h"

namespace flipscope {

namespace {

auto teller(const std::function<void(const FlipCounts&)>& after_pass) {
    return [&after_pass](const FlipCounts& counts) {
        after_pass(counts);
        return true;
    };
}

template <class Run>
auto with_rule(const TorusBox& box, TorusRule rule, const Run& run) {
    return with_static_box(box, [&]<class Box>(const Box& known) {
        return rule == TorusRule::kUpright ? run(UprightRule<Box>{known}) : run(TorusDelaunayRule<Box>{known});
    });
}

}  // namespace

FlipCounts claim_on_torus(FlipMachine& flips, const MeshView& mesh, const TorusBox& box, TorusRule rule, bool settles) {
    return with_rule(box, rule, [&](const auto& judge) { return flips.claim(mesh, judge, settles); });
}

void flip_all_on_torus(FlipMachine& flips, const TriangleMesh& mesh, const TorusBox& box, TorusRule rule,
                       const std::function<void(const FlipCounts&)>& after_pass) {
    with_rule(box, rule, [&](const auto& judge) {
        flips.run(without_states(mesh), mesh.edge_count, judge, kNone, teller(after_pass));
    });
}

void end_on_torus(FlipMachine& flips, const TriangleMesh& mesh, const TorusBox& box, FlipMachine::Passes& passes,
                  uint64_t tested, const FlipMachine::Words& seen,
                  const std::function<void(const FlipCounts&)>& after_pass) {
    with_rule(box, TorusRule::kDelaunay, [&](const auto& judge) {
        flips.end_passes(without_states(mesh), mesh.edge_count, judge, passes, tested, kNone, teller(after_pass),
                         &seen);
    });
}

}  // namespace flipscope
