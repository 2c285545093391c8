#include "mesh/triangle_mesh.h"

#include <array>

namespace flipscope {

namespace {

// Euler: a closed mesh of v vertices has 2v - 4 triangles and 3v - 6 edges.
size_t triangles_of(uint32_t vertices) { return vertices >= 4 ? 2 * size_t(vertices) - 4 : 0; }
size_t edges_of(uint32_t vertices) { return vertices >= 4 ? 3 * size_t(vertices) - 6 : 0; }

}  // namespace

void TriangleMesh::reset(Context& context, uint32_t finite_vertices, bool with_states) {
    const uint32_t vertices = finite_vertices + 1;
    reset(context, finite_vertices, triangles_of(vertices), edges_of(vertices), with_states);
}

void TriangleMesh::reset(Context& context, uint32_t finite_vertices, size_t triangle_room, size_t edge_room,
                         bool with_states) {
    on_torus_ = false;
    open_ = OpenAxis::kNone;
    vertex_count = finite_vertices + 1;
    make_room(context, triangle_room, edge_room);
    shifts.release();
    reset_states(context, with_states);
}

void TriangleMesh::reset_torus(Context& context, uint32_t vertices, bool with_states, OpenAxis open) {
    on_torus_ = true;
    open_ = open;
    vertex_count = vertices;
    make_room(context, 2 * size_t(vertices), 3 * size_t(vertices));
    heights.release();
    shifts.resize(context, 6 * size_t(vertices), false);
    reset_states(context, with_states);
}

void TriangleMesh::make_room(Context& context, size_t triangle_room, size_t edge_room) {
    triangle_count = edge_count = 0;
    triangles.resize(context, 3 * triangle_room, false);
    half_edge_at.resize(context, 3 * triangle_room, false);
    edges.resize(context, 2 * edge_room, false);
    corner_of.resize(context, 2 * edge_room, false);
}

void TriangleMesh::reset_states(Context& context, bool with_states) {
    vertex_states.resize(context, with_states ? vertex_count : 0, false);
    edge_states.resize(context, with_states ? edges.size() / 2 : 0, false);
    triangle_states.resize(context, with_states ? triangles.size() / 3 : 0, false);
    clear_states();
}

void TriangleMesh::start(Context& context, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t inf = infinite();
    // Triangle 0 is a b c; ghost i lies across its edge i. Edges 0…2 are the triangle's, 3…5 lead from a, b, c to
    // infinity.
    const std::array<uint32_t, 12> corners{a, b, c, b, a, inf, c, b, inf, a, c, inf};
    const std::array<uint32_t, 12> half_edges{0, 2, 4, 1, 6, 9, 3, 8, 11, 5, 10, 7};
    const std::array<uint32_t, 12> ends{a, b, b, c, c, a, a, inf, b, inf, c, inf};
    std::array<uint32_t, 12> half_edge_corners{};
    for (uint32_t corner = 0; corner < 12; ++corner) half_edge_corners[half_edges[corner]] = corner;
    const auto write = [&](const std::array<uint32_t, 12>& from, const Buffer<uint32_t>& to) {
        context.copy(to.view().data, from.data(), sizeof from);
    };
    write(corners, triangles);
    write(half_edges, half_edge_at);
    write(ends, edges);
    write(half_edge_corners, corner_of);
    triangle_count = 4;
    edge_count = 6;
}

MeshView TriangleMesh::view() const {
    MeshView mesh;
    mesh.positions = positions.view();
    if (!heights.empty()) mesh.heights = heights.view();
    mesh.inputs = inputs.view();
    mesh.triangles = triangles.view();
    mesh.half_edge_at = half_edge_at.view();
    mesh.edges = edges.view();
    mesh.corner_of = corner_of.view();
    if (on_torus_) mesh.shifts = shifts.view(), mesh.open = open_;
    if (records_states()) {
        mesh.vertex_states = vertex_states.view();
        mesh.edge_states = edge_states.view();
        mesh.triangle_states = triangle_states.view();
    }
    mesh.infinite = infinite();
    return mesh;
}

void TriangleMesh::clear_states() {
    vertex_states.fill_bytes(0);
    edge_states.fill_bytes(0);
    triangle_states.fill_bytes(0);
}

}  // namespace flipscope
