// A TriangleMesh's arrays in host memory, for the little that is done serially: the same view, the same surgery.
#pragma once

#include <vector>

#include "mesh/triangle_mesh.h"

namespace flipscope {

struct HostMesh {
    std::vector<Point> positions;
    std::vector<double> heights;  // empty: in the plane
    std::vector<uint32_t> inputs, triangles, slot_halves, edges, half_slots;
    std::vector<State> edge_states;  // empty: nobody was watching
    uint32_t infinite = kNone;

    uint32_t edge_count() const { return static_cast<uint32_t>(edges.size() / 2); }
    uint32_t triangle_count() const { return static_cast<uint32_t>(triangles.size() / 3); }

    /// Valid until a vector is resized. Without vertex and triangle states.
    MeshView view() {
        const auto over = [](auto& values) { return View{values.data(), values.size()}; };
        MeshView mesh;
        mesh.positions = over(positions);
        if (!heights.empty()) mesh.heights = over(heights);
        mesh.inputs = over(inputs);
        mesh.triangles = over(triangles);
        mesh.slot_halves = over(slot_halves);
        mesh.edges = over(edges);
        mesh.half_slots = over(half_slots);
        if (!edge_states.empty()) mesh.edge_states = over(edge_states);
        mesh.infinite = infinite;
        return mesh;
    }
};

/// Copies what exists of the mesh; waits for the device.
inline HostMesh download_mesh(const TriangleMesh& mesh) {
    const auto copy = [](const auto& buffer, size_t count) {
        std::vector<decltype(buffer.read(0))> values(count);
        buffer.download(values.data(), count);
        return values;
    };
    HostMesh host;
    if (mesh.vertex_count == 0) return host;
    host.positions = copy(mesh.positions, mesh.positions.size());
    if (!mesh.heights.empty()) host.heights = copy(mesh.heights, mesh.heights.size());
    host.inputs = copy(mesh.inputs, mesh.inputs.size());
    host.triangles = copy(mesh.triangles, 3 * size_t(mesh.triangle_count));
    host.slot_halves = copy(mesh.slot_halves, 3 * size_t(mesh.triangle_count));
    host.edges = copy(mesh.edges, 2 * size_t(mesh.edge_count));
    host.half_slots = copy(mesh.half_slots, 2 * size_t(mesh.edge_count));
    if (mesh.watched()) host.edge_states = copy(mesh.edge_states, mesh.edge_count);
    host.infinite = mesh.infinite();
    return host;
}

}  // namespace flipscope
