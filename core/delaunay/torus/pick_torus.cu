#include "delaunay/torus/pick_torus.h"

#include <cmath>

#include "compute/primitives.h"

namespace flipscope {

namespace {

FLIPSCOPE_HD inline Point step_at(const TorusLinework& lines, uint32_t corner) {
    return lines.box.to_image(lines.positions[lines.triangles[corner]],
                              lines.positions[lines.triangles[next_corner(corner)]], lines.shifts[corner]);
}

struct NearestVertex : FindsNearest {
    TorusLinework lines;
    Point place;
    FLIPSCOPE_HD NearestElement operator()(uint32_t i) const {
        return {distance2(lines.box.shortest(place, lines.positions[i]), {0, 0}), i};
    }
};

constexpr int kImages = 2;  // sides by which an edge or a triangle can lead beyond the box

struct NearestEdge : FindsNearest {
    TorusLinework lines;
    Point place;
    FLIPSCOPE_HD NearestElement operator()(uint32_t e) const {
        const uint32_t corner = lines.corner_of[2 * e];
        if (lines.box.is_beyond(lines.shifts[corner])) return {INFINITY, kNone};
        const Point p = lines.positions[lines.triangles[corner]], d = step_at(lines, corner);
        NearestElement best{INFINITY, e};
        for (int y = -kImages; y <= kImages; ++y)
            for (int x = -kImages; x <= kImages; ++x) {
                const Point at{place.x + x * lines.box.sides.x - p.x, place.y + y * lines.box.sides.y - p.y};
                const double along = nearest_along({0, 0}, d, at);
                best = nearer(best, {distance2(at, {along * d.x, along * d.y}), e});
            }
        return best;
    }
};

struct HoldingTriangle {
    TorusLinework lines;
    Point place;
    FLIPSCOPE_HD uint32_t operator()(uint32_t t) const {
        for (uint32_t k = 0; k < 3; ++k)
            if (lines.box.is_beyond(lines.shifts[3 * t + k])) return kNone;
        const Point a = lines.positions[lines.triangles[3 * t]], ab = step_at(lines, 3 * t),
                    bc = step_at(lines, 3 * t + 1), ac{ab.x + bc.x, ab.y + bc.y};
        for (int y = -kImages; y <= kImages; ++y)
            for (int x = -kImages; x <= kImages; ++x) {
                const Point p{place.x + x * lines.box.sides.x - a.x, place.y + y * lines.box.sides.y - a.y};
                const auto left_of = [&](Point from, Point to) {
                    return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x) >= 0;
                };
                if (left_of({0, 0}, ab) && left_of(ab, ac) && left_of(ac, {0, 0})) return t;
            }
        return kNone;
    }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a < b ? a : b; }
};

constexpr NearestElement kNothing{INFINITY, kNone};

}  // namespace

TorusLinework TorusLinework::of(const TriangleMesh& mesh, const TorusBox& box) {
    const MeshView view = mesh.view();
    const size_t corners = 3 * size_t(mesh.triangle_count);
    return {box, view.positions.first(mesh.vertex_count), view.triangles.first(corners), view.shifts.first(corners),
            view.corner_of.first(2 * size_t(mesh.edge_count))};
}

NearestElement nearest_vertex(Context& context, const TorusLinework& lines, Point place) {
    return reduce(context, "pick.vertex", static_cast<uint32_t>(lines.positions.count), NearestVertex{{}, lines, place},
                  kNothing);
}

NearestElement nearest_edge(Context& context, const TorusLinework& lines, Point place) {
    return reduce(context, "pick.edge", static_cast<uint32_t>(lines.corner_of.count / 2), NearestEdge{{}, lines, place},
                  kNothing);
}

uint32_t holding_triangle(Context& context, const TorusLinework& lines, Point place) {
    return reduce(context, "pick.triangle", static_cast<uint32_t>(lines.triangles.count / 3),
                  HoldingTriangle{lines, place}, kNone);
}

Element pick_on_torus(Context& context, const TorusLinework& lines, const Probe& probe) {
    const Point p = probe.place, sides = lines.box.lengths();
    const double reach = probe.radius * probe.radius;
    // An element beyond a border can be near, too.
    const double x = lines.box.open == OpenAxis::kX ? probe.radius : 0,
                 y = lines.box.open == OpenAxis::kY ? probe.radius : 0;
    if (!(p.x >= -x && p.y >= -y && p.x <= sides.x + x && p.y <= sides.y + y)) return {};
    const NearestElement vertex = nearest_vertex(context, lines, p);
    if (vertex.id != kNone && vertex.distance2 <= reach) return {ElementKind::kVertex, vertex.id, probe.part};
    const NearestElement edge = nearest_edge(context, lines, p);
    if (edge.id != kNone && edge.distance2 <= reach / 4) return {ElementKind::kEdge, edge.id, probe.part};
    return {ElementKind::kTriangle, holding_triangle(context, lines, p), probe.part};
}

}  // namespace flipscope
