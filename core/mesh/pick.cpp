#include "mesh/pick.h"

#include "compute/primitives.h"
#include "geometry/predicates.h"

namespace flipscope {

namespace {

struct Nearest {
    double distance2;  // world units, squared
    uint32_t id;
};

FLIPSCOPE_HD inline Nearest nearer(const Nearest& a, const Nearest& b) {
    return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.id < b.id) ? a : b;
}

FLIPSCOPE_HD inline double distance2(Point a, Point b) {
    const double dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy;
}

struct NearestVertex {
    View<const Point> positions;
    Point place;
    FLIPSCOPE_HD Nearest operator()(uint32_t v) const { return {distance2(positions[v], place), v}; }
    FLIPSCOPE_HD static Nearest combine(const Nearest& a, const Nearest& b) { return nearer(a, b); }
};

struct NearestEdge {
    MeshView mesh;
    Point place;
    double nothing;  // distance2 of an edge at infinity
    FLIPSCOPE_HD Nearest operator()(uint32_t e) const {
        const uint32_t from = mesh.edges[2 * e], to = mesh.edges[2 * e + 1];
        if (from == mesh.infinite || to == mesh.infinite) return {nothing, kNone};
        const Point a = mesh.positions[from], b = mesh.positions[to];
        const double length2 = distance2(a, b);
        double along = ((place.x - a.x) * (b.x - a.x) + (place.y - a.y) * (b.y - a.y)) / length2;
        along = along > 0 ? (along < 1 ? along : 1) : 0;
        return {distance2({a.x + along * (b.x - a.x), a.y + along * (b.y - a.y)}, place), e};
    }
    FLIPSCOPE_HD static Nearest combine(const Nearest& a, const Nearest& b) { return nearer(a, b); }
};

struct HoldingTriangle {
    MeshView mesh;
    Point place;
    FLIPSCOPE_HD uint32_t operator()(uint32_t t) const {
        if (mesh.is_ghost(t)) return kNone;
        for (uint32_t k = 0; k < 3; ++k)
            if (orient2d(mesh.positions[mesh.from(3 * t + k)], mesh.positions[mesh.to(3 * t + k)], place) < 0)
                return kNone;
        return t;
    }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a < b ? a : b; }
};

}  // namespace

Element pick_element(Context& context, const TriangleMesh& mesh, uint32_t point_count, const Probe& probe) {
    const auto [place, radius, view, part] = probe;
    const Nearest nothing{radius * radius, kNone};
    const Nearest vertex =
        reduce(context, "pick.vertex", point_count, NearestVertex{mesh.positions.view(), place}, nothing);
    if (vertex.id != kNone) return {ElementKind::kVertex, vertex.id, part};
    const Nearest none{radius * radius / 4, kNone};
    const Nearest edge =
        reduce(context, "pick.edge", mesh.edge_count, NearestEdge{mesh.view(), place, none.distance2}, none);
    if (edge.id != kNone) return {ElementKind::kEdge, edge.id, part};
    return {ElementKind::kTriangle,
            reduce(context, "pick.triangle", mesh.triangle_count, HoldingTriangle{mesh.view(), place}, kNone), part};
}

}  // namespace flipscope
