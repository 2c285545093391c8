#include "mesh/pick.h"

#include <cmath>

#include "compute/primitives.h"
#include "flipscope/predicates.h"
#include "mesh/nearest.h"

namespace flipscope {

namespace {

// ---- in the plane ---------------------------------------------------------------------------------------------------

struct NearestVertex : FindsNearest {
    View<const Point> positions;
    Point place;
    FLIPSCOPE_HD NearestElement operator()(uint32_t v) const { return {distance2(positions[v], place), v}; }
};

struct NearestEdge : FindsNearest {
    View<const Point> positions;
    View<const uint32_t> edges;
    uint32_t infinite;  // kNone: there is no such vertex
    Point place;
    double nothing;  // distance2 of an edge at infinity
    FLIPSCOPE_HD NearestElement operator()(uint32_t e) const {
        const uint32_t from = edges[2 * e], to = edges[2 * e + 1];
        if (from == infinite || to == infinite) return {nothing, kNone};
        const Point a = positions[from], b = positions[to];
        const double along = nearest_along(a, b, place);
        return {distance2({a.x + along * (b.x - a.x), a.y + along * (b.y - a.y)}, place), e};
    }
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

Element pick_vertex_or_edge(Context& context, View<const Point> positions, uint32_t point_count,
                            View<const uint32_t> edges, uint32_t edge_count, uint32_t infinite, const Probe& probe) {
    const NearestElement nothing{probe.radius * probe.radius, kNone};
    const NearestElement vertex =
        reduce(context, "pick.vertex", point_count, NearestVertex{{}, positions, probe.place}, nothing);
    if (vertex.id != kNone) return {ElementKind::kVertex, vertex.id, probe.part};
    const NearestElement none{probe.radius * probe.radius / 4, kNone};
    const NearestElement edge = reduce(context, "pick.edge", edge_count,
                                       NearestEdge{{}, positions, edges, infinite, probe.place, none.distance2}, none);
    return {ElementKind::kEdge, edge.id, probe.part};
}

Element pick_in_plane(Context& context, const TriangleMesh& mesh, uint32_t point_count, const Probe& probe) {
    const Element found = pick_vertex_or_edge(context, mesh.positions.view(), point_count, mesh.edges.view(),
                                              mesh.edge_count, mesh.infinite(), probe);
    if (found.id != kNone) return found;
    return {ElementKind::kTriangle,
            reduce(context, "pick.triangle", mesh.triangle_count, HoldingTriangle{mesh.view(), probe.place}, kNone),
            probe.part};
}

// ---- in space -------------------------------------------------------------------------------------------------------

/// A projected place relative to the probe, world units: in the picture, and towards the camera. The probe's place is
/// subtracted first, which keeps precision far from the origin.
struct Seen {
    double x, y, near;
};

struct Eye {
    MeshView mesh;
    ViewAxes view;
    Point3 origin;  // a place that is seen where the probe points
    uint32_t triangle_count;

    FLIPSCOPE_HD Seen see(uint32_t vertex) const {
        const Point3 off = mesh.place(vertex) - origin;
        return {dot(off, view.right), dot(off, view.up), dot(off, view.toward)};
    }
    /// The nearness of triangle t at (x, y); false: it does not cover (x, y). Flat triangles cover nothing.
    FLIPSCOPE_HD bool covers(uint32_t t, double x, double y, double& near) const {
        const Seen a = see(mesh.triangles[3 * t]), b = see(mesh.triangles[3 * t + 1]),
                   c = see(mesh.triangles[3 * t + 2]);
        const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        const double of_b = (x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x);
        const double of_c = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
        const double u = of_b / area, v = of_c / area;
        // A place exactly behind a corner must not slip between the triangles there by rounding. NaN covers nothing.
        constexpr double kRounding = 1e-9;
        if (!(u >= -kRounding && v >= -kRounding && u + v <= 1 + kRounding)) return false;
        near = a.near + u * (b.near - a.near) + v * (c.near - a.near);
        return true;
    }
};

struct Front {
    double near;
    uint32_t id;
};

/// The triangle in front of all others that cover a place. `but_a`, `but_b`: triangles at both these vertices do not
/// count; one vertex twice: those at this vertex.
struct FrontTriangle {
    Eye eye;
    double x, y;  // from the probe's place
    uint32_t but_a = kNone, but_b = kNone;
    FLIPSCOPE_HD Front operator()(uint32_t t) const {
        Front front{0, kNone};
        if (eye.mesh.is_ghost(t)) return front;
        bool has_a = false, has_b = false;
        for (uint32_t k = 0; k < 3; ++k) {
            has_a |= eye.mesh.triangles[3 * t + k] == but_a;
            has_b |= eye.mesh.triangles[3 * t + k] == but_b;
        }
        if (has_a && has_b) return front;
        if (eye.covers(t, x, y, front.near)) front.id = t;
        return front;
    }
    FLIPSCOPE_HD static Front combine(const Front& a, const Front& b) {
        if (a.id == kNone || b.id == kNone) return a.id == kNone ? b : a;
        if (a.near != b.near) return a.near > b.near ? a : b;
        return a.id < b.id ? a : b;
    }
};

/// Candidates: near enough to the probe, not far behind the surface, and after `last` in the order.
struct Candidates : FindsNearest {
    Eye eye;
    NearestElement last;  // candidates up to here have been found hidden
    double radius;        // world units
    double near_least;    // not farther from the eye than this
    FLIPSCOPE_HD NearestElement nothing() const { return {radius * radius, kNone}; }
    FLIPSCOPE_HD NearestElement take(double x, double y, double near, uint32_t id) const {
        const NearestElement found{x * x + y * y, id};
        const bool takes = found.distance2 <= radius * radius && near >= near_least && before(last, found);
        return takes ? found : nothing();
    }
};

struct VertexCandidates : Candidates {
    FLIPSCOPE_HD NearestElement operator()(uint32_t v) const {
        const Seen seen = eye.see(v);
        return take(seen.x, seen.y, seen.near, v);
    }
};

/// The place of an edge that lies nearest to the probe's.
FLIPSCOPE_HD inline Seen place_on_edge(const Eye& eye, uint32_t e) {
    const Seen a = eye.see(eye.mesh.edges[2 * e]), b = eye.see(eye.mesh.edges[2 * e + 1]);
    const double along = nearest_along({a.x, a.y}, {b.x, b.y}, {0, 0});
    return {a.x + along * (b.x - a.x), a.y + along * (b.y - a.y), a.near + along * (b.near - a.near)};
}

struct EdgeCandidates : Candidates {
    FLIPSCOPE_HD NearestElement operator()(uint32_t e) const {
        if (eye.mesh.edges[2 * e] == eye.mesh.infinite || eye.mesh.edges[2 * e + 1] == eye.mesh.infinite)
            return nothing();
        const Seen seen = place_on_edge(eye, e);
        return take(seen.x, seen.y, seen.near, e);
    }
};

/// Reads one element's place back from the device.
struct WhereIs {
    Eye eye;
    ElementKind kind;
    uint32_t id;
    struct Answer {
        Seen seen;
        uint32_t a, b;  // its ends; of a vertex twice itself
    };
    FLIPSCOPE_HD Answer operator()(uint32_t) const {
        if (kind == ElementKind::kVertex) return {eye.see(id), id, id};
        return {place_on_edge(eye, id), eye.mesh.edges[2 * id], eye.mesh.edges[2 * id + 1]};
    }
    FLIPSCOPE_HD static Answer combine(const Answer&, const Answer& b) { return b; }
};

constexpr int kMostTries = 12;  // hidden candidates before the triangle is picked

/// The nearest visible candidate, or kNone.
template <class Kernel>
uint32_t nearest_visible(Context& context, const char* label, uint32_t count, Kernel kernel, ElementKind kind) {
    for (int i = 0; i < kMostTries; ++i) {
        const NearestElement found = reduce(context, label, count, kernel, kernel.nothing());
        if (found.id == kNone) return kNone;
        const auto at =
            reduce(context, "pick.place", 1, WhereIs{kernel.eye, kind, found.id}, WhereIs::Answer{{}, kNone, kNone});
        const Front cover = reduce(context, "pick.cover", kernel.eye.triangle_count,
                                   FrontTriangle{kernel.eye, at.seen.x, at.seen.y, at.a, at.b}, Front{0, kNone});
        // Neighbours that merely touch it there lie as near as it does, but for rounding.
        const double tolerance = 1e-6 * kernel.radius + 1e-13 * std::abs(at.seen.near);
        if (cover.id == kNone || cover.near <= at.seen.near + tolerance) return found.id;
        kernel.last = found;
    }
    return kNone;
}

}  // namespace

Element pick_in_space(Context& context, const MeshView& mesh, uint32_t triangle_count, uint32_t edge_count,
                      uint32_t point_count, const Probe& probe) {
    const Point3 origin = probe.place.x * probe.view.right + probe.place.y * probe.view.up;
    const Eye eye{mesh, probe.view, origin, triangle_count};
    const Front front = reduce(context, "pick.front", triangle_count, FrontTriangle{eye, 0, 0}, Front{0, kNone});
    // Skips elements far behind the surface, mostly on the other side of a thick body.
    constexpr double kSteepest = 16;  // depths to a width, of a surface as it is seen
    const double near_least = front.id == kNone ? -1e300 : front.near - kSteepest * probe.radius;
    const NearestElement none{-1, 0};
    const uint32_t vertex =
        nearest_visible(context, "pick.vertex", point_count,
                        VertexCandidates{{{}, eye, none, probe.radius, near_least}}, ElementKind::kVertex);
    if (vertex != kNone) return {ElementKind::kVertex, vertex, probe.part};
    const uint32_t edge =
        nearest_visible(context, "pick.edge", edge_count, EdgeCandidates{{{}, eye, none, probe.radius / 2, near_least}},
                        ElementKind::kEdge);
    if (edge != kNone) return {ElementKind::kEdge, edge, probe.part};
    return {ElementKind::kTriangle, front.id, probe.part};
}

Element pick_element(Context& context, const TriangleMesh& mesh, uint32_t point_count, const Probe& probe) {
    return mesh.heights.empty()
               ? pick_in_plane(context, mesh, point_count, probe)
               : pick_in_space(context, mesh.view(), mesh.triangle_count, mesh.edge_count, point_count, probe);
}

Element pick_element(Context& context, const Linework& lines, uint32_t point_count, const Probe& probe) {
    return pick_vertex_or_edge(context, lines.positions.view(), point_count, lines.edges.view(), lines.edge_count,
                               kNone, probe);
}

}  // namespace flipscope
