#include "app/session/lasting_names.h"

#include <algorithm>

namespace flipscope::app {

namespace {

struct Corners {
    const Buffer<uint32_t>* ids = nullptr;  // (count, each) vertex ids; nullptr: an element is its own corner
    uint32_t count = 0, each = 1;
};

/// The corners of the mesh's elements; empty for kinds without corners.
Corners corners_in(const TriangleMesh& mesh, ElementKind kind) {
    if (kind == ElementKind::kVertex) return {nullptr, mesh.vertex_count, 1};
    if (kind == ElementKind::kEdge) return {&mesh.edges, mesh.edge_count, 2};
    if (kind == ElementKind::kTriangle) return {&mesh.triangles, mesh.triangle_count, 3};
    return {};
}

}  // namespace

std::vector<uint32_t> lasting_name(const SceneView& scene, const Element& element) {
    if (!scene.mesh) return {};
    const TriangleMesh& mesh = *scene.mesh;
    const Corners corners = corners_in(mesh, element.kind);
    if (element.id >= corners.count) return {};
    std::vector<uint32_t> name;
    for (uint32_t k = 0; k < corners.each; ++k) {
        const uint32_t vertex = corners.ids ? corners.ids->read(size_t(element.id) * corners.each + k) : element.id;
        name.push_back(vertex < mesh.infinite() && vertex < mesh.inputs.size() ? mesh.inputs.read(vertex) : kNone);
    }
    return name;
}

Element named_element(const SceneView& scene, ElementKind kind, const std::vector<uint32_t>& name, uint32_t part) {
    Element found{kind, kNone, part};
    if (!scene.mesh || scene.mesh->vertex_count == 0) return found;
    const TriangleMesh& mesh = *scene.mesh;
    const Corners corners = corners_in(mesh, kind);
    if (corners.each != name.size()) return found;
    const std::vector<uint32_t> inputs = mesh.inputs.download();
    const auto vertices = std::min<size_t>(mesh.infinite(), inputs.size());
    std::vector<uint32_t> wanted;  // ascending present ids of the corners
    for (const uint32_t point : name) {
        const auto end = inputs.begin() + static_cast<ptrdiff_t>(vertices);
        const auto at = std::find(inputs.begin(), end, point);
        if (point != kNone && at == end) return found;
        wanted.push_back(point == kNone ? mesh.infinite() : static_cast<uint32_t>(at - inputs.begin()));
    }
    if (kind == ElementKind::kVertex) {
        found.id = wanted[0] < vertices ? wanted[0] : kNone;
        return found;
    }
    std::sort(wanted.begin(), wanted.end());
    std::vector<uint32_t> all(size_t(corners.count) * corners.each), these(corners.each);
    corners.ids->download(all.data(), all.size());
    for (uint32_t id = 0; id < corners.count; ++id) {
        std::copy_n(all.begin() + static_cast<ptrdiff_t>(size_t(id) * corners.each), corners.each, these.begin());
        std::sort(these.begin(), these.end());
        if (these != wanted) continue;
        found.id = id;
        break;
    }
    return found;
}

}  // namespace flipscope::app
