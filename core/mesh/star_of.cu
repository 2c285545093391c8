#include "mesh/star_of.h"

#include "compute/primitives.h"
#include "mesh/star.h"

namespace flipscope {

Star star_of(Context& context, const TriangleMesh& mesh, uint32_t vertex, size_t most) {
    Star star;
    const uint32_t first =
        reduce(context, "explain.spoke", mesh.triangle_count, FindSpoke{mesh.view(), vertex}, uint32_t(kNone));
    if (first == kNone) return star;
    for (uint32_t spoke = first; star.spokes.size() < most;) {
        star.spokes.push_back(spoke);
        spoke = next_corner(mesh.corner_of.read(mesh.half_edge_at.read(spoke) ^ 1u));
        if (spoke / 3 >= mesh.triangle_count || mesh.triangles.read(spoke) != vertex) return star;
        if (spoke == first) {
            star.whole = true;
            return star;
        }
    }
    return star;
}

}  // namespace flipscope
