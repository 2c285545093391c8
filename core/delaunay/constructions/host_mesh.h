// A TriangleMesh's arrays in host memory, for the little that is done serially: the same view, the same surgery.
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

/// Copies what exists of the mesh; waits for the device.
inline HostMesh download_mesh(const TriangleMesh& mesh) {
    const auto copy = [](const auto& buffer, auto& values, size_t count) {
        values.resize(count);
        buffer.download(values.data(), count);
    };
    HostMesh host;
    if (mesh.vertex_count == 0) return host;
    copy(mesh.positions, host.positions, mesh.positions.size());
    if (!mesh.heights.empty()) copy(mesh.heights, host.heights, mesh.heights.size());
    copy(mesh.inputs, host.inputs, mesh.inputs.size());
    copy(mesh.triangles, host.triangles, 3 * size_t(mesh.triangle_count));
    copy(mesh.half_edge_at, host.half_edge_at, 3 * size_t(mesh.triangle_count));
    copy(mesh.edges, host.edges, 2 * size_t(mesh.edge_count));
    copy(mesh.corner_of, host.corner_of, 2 * size_t(mesh.edge_count));
    if (mesh.records_states()) copy(mesh.edge_states, host.edge_states, mesh.edge_count);
    host.infinite = mesh.infinite();
    return host;
}

}  // namespace flipscope
