// Renumbers the triangles and edges of a triangulation on a torus in the order of their lowest vertices. If nearby
// vertices have nearby numbers, kernels over all elements then find shared data in the cache. The triangulation and
// the images of its edges stay the same.

#include <algorithm>
#include <bit>

#include "compute/primitives.h"
#include "delaunay/torus/torus_triangulation.h"

namespace flipscope {

namespace {

struct KeyByLowestVertex {
    View<const uint32_t> vertices;  // (n, corners)
    uint32_t corners;
    View<uint64_t> keys;
    View<uint32_t> order;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        uint32_t lowest = vertices[size_t(corners) * i];
        for (uint32_t k = 1; k < corners; ++k) {
            const uint32_t other = vertices[size_t(corners) * i + k];
            if (other < lowest) lowest = other;
        }
        keys[i] = lowest;
        order[i] = i;
    }
};

struct Invert {
    View<const uint32_t> order;
    View<uint32_t> numbers;
    FLIPSCOPE_HD void operator()(uint32_t i) const { numbers[order[i]] = i; }
};

struct MoveEdge {
    View<const uint32_t> order, edges;
    View<uint32_t> moved;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        moved[2 * i] = edges[2 * order[i]];
        moved[2 * i + 1] = edges[2 * order[i] + 1];
    }
};

struct MoveTriangle {
    MeshView mesh;
    View<const uint32_t> order, edge_numbers;
    View<uint32_t> triangles, half_edge_at, corner_of;
    View<ImageShift> shifts;
    FLIPSCOPE_HD void operator()(uint32_t t) const {
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t corner = 3 * t + k, before = 3 * order[t] + k, half_edge = mesh.half_edge_at[before];
            const uint32_t now = 2 * edge_numbers[half_edge >> 1] + (half_edge & 1);
            triangles[corner] = mesh.triangles[before];
            shifts[corner] = mesh.shifts[before];
            half_edge_at[corner] = now;
            corner_of[now] = corner;
        }
    }
};

/// order[new number] = old number.
Buffer<uint32_t> order_of(Context& context, View<const uint32_t> vertices, uint32_t corners, uint32_t n, int bits) {
    Buffer<uint64_t> keys("numbering keys");
    Buffer<uint32_t> order("numbering");
    keys.resize(context, n, false);
    order.resize(context, n, false);
    launch(context, "torus.number", n, KeyByLowestVertex{vertices, corners, keys.view(), order.view()});
    sort_by_key(context, "torus.number", keys, order, bits);
    return order;
}

}  // namespace

void TorusTriangulation::number_along_vertices() {
    Context& context = *context_;
    TriangleMesh& mesh = mesh_;
    const uint32_t triangles = mesh.triangle_count, edges = mesh.edge_count;
    if (triangles == 0) return;
    const int bits = std::max(1, static_cast<int>(std::bit_width(mesh.vertex_count - 1)));
    const MeshView view = mesh.view();
    Buffer<uint32_t> numbers("edge numbers"), moved("moved"), half_edges("moved half-edges"), corners("moved corners");
    Buffer<ImageShift> shifts("moved shifts");
    moved.resize(context, 3 * size_t(triangles), false);  // for edges as well: as many numbers
    {
        const Buffer<uint32_t> order = order_of(context, view.edges, 2, edges, bits);
        numbers.resize(context, edges, false);
        launch(context, "torus.number", edges, Invert{order.view(), numbers.view()});
        launch(context, "torus.number", edges, MoveEdge{order.view(), view.edges, moved.view()});
        context.copy(view.edges.data, moved.view().data, 2 * size_t(edges) * sizeof(uint32_t));
    }
    const Buffer<uint32_t> order = order_of(context, view.triangles, 3, triangles, bits);
    half_edges.resize(context, 3 * size_t(triangles), false);
    corners.resize(context, 2 * size_t(edges), false);
    shifts.resize(context, 3 * size_t(triangles), false);
    launch(context, "torus.number", triangles,
           MoveTriangle{view, order.view(), numbers.view(), moved.view(), half_edges.view(), corners.view(),
                        shifts.view()});
    context.copy(view.triangles.data, moved.view().data, 3 * size_t(triangles) * sizeof(uint32_t));
    context.copy(view.half_edge_at.data, half_edges.view().data, 3 * size_t(triangles) * sizeof(uint32_t));
    context.copy(view.corner_of.data, corners.view().data, 2 * size_t(edges) * sizeof(uint32_t));
    context.copy(view.shifts.data, shifts.view().data, 3 * size_t(triangles) * sizeof(ImageShift));
    mesh.clear_states();
}

}  // namespace flipscope
