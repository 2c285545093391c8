#include "lab/element_labels.h"

#include "mesh/pick.h"

namespace flipscope {

namespace {

/// On a torus or a cylinder, positions in the mesh are relative to this corner of the box.
Point corner_of_box(const SceneView& view) {
    return view.mesh->on_torus() && view.periodic() ? view.periodic()->low : Point{0, 0};
}

void add_vertices(const SceneView& view, const std::vector<uint32_t>& ids, const std::vector<std::string>& names,
                  uint32_t part, std::vector<ElementLabel>& labels) {
    const Point corner = corner_of_box(view);
    for (const uint32_t id : ids) {
        const uint32_t input = view.mesh->inputs.read(id);
        const bool named = input < names.size() && !names[input].empty();
        const Point p = view.mesh->positions.read(id);
        labels.push_back({{ElementKind::kVertex, id, part},
                          {corner.x + p.x, corner.y + p.y},
                          named ? names[input] : std::to_string(input)});
    }
}

void add_others(const SceneView& view, ElementKind kind, const std::vector<uint32_t>& ids, uint32_t part,
                std::vector<ElementLabel>& labels) {
    for (const uint32_t id : ids) {
        const Element element{kind, id, part};
        Point middle;
        const std::vector<Point3> corners = view.corners_of(element);
        if (corners.empty()) continue;  // drawn in pieces, or not at all
        for (const Point3& corner : corners) {
            middle.x += corner.x / static_cast<double>(corners.size());
            middle.y += corner.y / static_cast<double>(corners.size());
        }
        labels.push_back({element, middle, (kind == ElementKind::kEdge ? "e" : "t") + std::to_string(id)});
    }
}

}  // namespace

std::vector<ElementLabel> labels_in_view(Context& context, const Scene& scene, const std::vector<std::string>& names,
                                         const std::vector<InView>& shown) {
    std::vector<ElementLabel> labels;
    for (const InView& box : shown) {
        const SceneView& view = scene.view(box.part);
        if (!view.mesh || view.in_space || box.part >= scene.view_count()) continue;
        const Point corner = corner_of_box(view), low{box.low.x - corner.x, box.low.y - corner.y},
                    high{box.high.x - corner.x, box.high.y - corner.y};
        const auto ids = [&](ElementKind kind, uint32_t most) {
            return elements_in_box(context, *view.mesh, kind, view.count_of(kind), low, high, most);
        };
        const auto vertices = ids(ElementKind::kVertex, kMostLabels);
        if (!vertices) continue;
        add_vertices(view, *vertices, names, box.part, labels);
        if (vertices->size() > kMostWithEdges) continue;
        for (const ElementKind kind : {ElementKind::kTriangle, ElementKind::kEdge})
            if (const auto found = ids(kind, 4 * kMostWithEdges)) add_others(view, kind, *found, box.part, labels);
    }
    return labels;
}

}  // namespace flipscope
