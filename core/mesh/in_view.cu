#include "mesh/pick.h"

#include <algorithm>

#include "compute/atomics.h"
#include "compute/launch.h"

namespace flipscope {

namespace {

struct ListInBox {
    MeshView mesh;
    ElementKind kind;
    Point low, high;
    View<uint32_t> list, total;  // `total` counts on where the list is full

    FLIPSCOPE_HD bool is_finite(uint32_t vertex) const { return vertex != mesh.infinite; }
    FLIPSCOPE_HD bool place(uint32_t i, Point& at) const {
        if (kind == ElementKind::kVertex) {
            at = mesh.positions[i];
            return true;
        }
        if (kind == ElementKind::kEdge) {
            const uint32_t a = mesh.edges[2 * size_t(i)], b = mesh.edges[2 * size_t(i) + 1];
            if (!is_finite(a) || !is_finite(b) || mesh.is_beyond(mesh.corner_of[2 * size_t(i)])) return false;
            at = {mesh.positions[a].x / 2 + mesh.positions[b].x / 2, mesh.positions[a].y / 2 + mesh.positions[b].y / 2};
            return true;
        }
        if (mesh.is_beyond_borders(i)) return false;
        at = {};
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t v = mesh.triangles[3 * size_t(i) + k];
            if (!is_finite(v)) return false;
            at.x += mesh.positions[v].x / 3;
            at.y += mesh.positions[v].y / 3;
        }
        return true;
    }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        Point at;
        if (!place(i, at)) return;
        if (!(at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y)) return;
        const uint32_t rank = atomic_reserve(total[0]);
        if (rank < list.count) list[rank] = i;
    }
};

}  // namespace

std::optional<std::vector<uint32_t>> elements_in_box(Context& context, const TriangleMesh& mesh, ElementKind kind,
                                                     uint32_t count, Point low, Point high, uint32_t most) {
    Buffer<uint32_t> list("in view"), total("in view");
    list.resize(context, most, false);
    total.fill(context, 1, 0);
    launch(context, "view.list", count, ListInBox{mesh.view(), kind, low, high, list.view(), total.view()});
    const uint32_t found = total.read(0);
    if (found > most) return std::nullopt;
    std::vector<uint32_t> ids = list.download(found);
    std::sort(ids.begin(), ids.end());
    return ids;
}

}  // namespace flipscope
