// A TriangleMesh's arrays in host memory, for the few serial algorithms: the same view, the same surgery.
#pragma once

#include <vector>

#include "mesh/triangle_mesh.h"

namespace flipscope {

struct HostMesh {
    std::vector<Point> positions;
    std::vector<double> heights;  // empty: in the plane
    std::vector<uint32_t> inputs, triangles, half_edge_at, edges, corner_of;
    std::vector<State> edge_states;  // empty: no states were recorded
    uint32_t infinite = kNone;

    uint32_t edge_count() const { return static_cast<uint32_t>(edges.size() / 2); }
    uint32_t triangle_count() const { return static_cast<uint32_t>(triangles.size() / 3); }

    /// Valid until a vector is resized. Without vertex and triangle states.
    MeshView view() {
        MeshView mesh;
        mesh.positions = over(positions);
        if (!heights.empty()) mesh.heights = over(heights);
        mesh.inputs = over(inputs);
        mesh.triangles = over(triangles);
        mesh.half_edge_at = over(half_edge_at);
        mesh.edges = over(edges);
        mesh.corner_of = over(corner_of);
        if (!edge_states.empty()) mesh.edge_states = over(edge_states);
        mesh.infinite = infinite;
        return mesh;
    }

  private:
    template <class T>
    static View<T> over(std::vector<T>& values) {
        return {values.data(), values.size()};
    }
};

/// Copies the allocated arrays of the mesh; waits for the device.
inline HostMesh download_mesh(const TriangleMesh& mesh) {
    if (mesh.vertex_count == 0) return {};
    const size_t corners = 3 * size_t(mesh.triangle_count), half_edges = 2 * size_t(mesh.edge_count);
    return {.positions = mesh.positions.download(),
            .heights = mesh.heights.download(),
            .inputs = mesh.inputs.download(),
            .triangles = mesh.triangles.download(corners),
            .half_edge_at = mesh.half_edge_at.download(corners),
            .edges = mesh.edges.download(half_edges),
            .corner_of = mesh.corner_of.download(half_edges),
            .edge_states = mesh.records_states() ? mesh.edge_states.download(mesh.edge_count) : std::vector<State>{},
            .infinite = mesh.infinite()};
}

}  // namespace flipscope
