#include "labs/build/torus_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compute/text.h"
#include "delaunay/torus/pick_torus.h"
#include "delaunay/torus/torus_checks.h"
#include "delaunay/torus/torus_rules.h"
#include "geometry/places.h"
#include "labs/triangle_words.h"

namespace flipscope {

namespace {

const char* const kLength = "world units";

/// An image of a vertex, as seen from the first corner of what is told of; that one lies in the box.
struct Corner {
    uint32_t id = 0, input = 0;
    ImageShift image;
    Point at;  // in the box, or beyond its border

    std::string name() const {
        const std::string point = "point " + std::to_string(input);
        if (image == ImageShift{}) return point;
        return point + " (image " + std::to_string(image.x) + ", " + std::to_string(image.y) + ")";
    }
};

Corner corner_at(const TorusInsertion& made, uint32_t slot, ImageShift image) {
    const TriangleMesh& mesh = made.mesh();
    const uint32_t id = mesh.triangles.read(slot);
    return {id, mesh.inputs.read(id), image, made.box().to_image({0, 0}, mesh.positions.read(id), image)};
}

std::array<Corner, 3> corners_of(const TorusInsertion& made, uint32_t triangle) {
    const ImageShift b = made.mesh().shifts.read(3 * size_t(triangle)),
                     c = -made.mesh().shifts.read(3 * size_t(triangle) + 2);
    return {corner_at(made, 3 * triangle, {}), corner_at(made, 3 * triangle + 1, b),
            corner_at(made, 3 * triangle + 2, c)};
}

struct EdgeCorners {
    Corner from, to, left, right;
    uint32_t triangles[2];
};

EdgeCorners corners_of_edge(const TorusInsertion& made, uint32_t edge) {
    const TriangleMesh& mesh = made.mesh();
    const uint32_t slot = mesh.half_slots.read(2 * size_t(edge)), twin = mesh.half_slots.read(2 * size_t(edge) + 1);
    return {corner_at(made, slot, {}),
            corner_at(made, next_slot(slot), mesh.shifts.read(slot)),
            corner_at(made, previous_slot(slot), -mesh.shifts.read(previous_slot(slot))),
            corner_at(made, previous_slot(twin), mesh.shifts.read(next_slot(twin))),
            {triangle_of(slot), triangle_of(twin)}};
}

Point minus(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }

Point3 in_world(const TorusInsertion& made, Point in_box) {
    const Point p = made.place_of(in_box);
    return {p.x, p.y, 0};
}

/// What crosses the border is highlighted on every side of it: `corners` are those of the element, in the box or
/// beyond.
void repeat_over_border(const TorusInsertion& made, const std::vector<Point>& corners,
                        std::vector<Highlight>& highlights) {
    constexpr int kReach = 2;  // sides by which an edge or a triangle can lead beyond the box
    const double side = made.box().side;
    Point low = corners.front(), high = low;
    for (const Point p : corners) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const auto meets = [&](double from, double to, int by) { return from + by * side < side && to + by * side > 0; };
    const std::vector<Highlight> once = highlights;
    for (int y = -kReach; y <= kReach; ++y)
        for (int x = -kReach; x <= kReach; ++x) {
            if ((x == 0 && y == 0) || !meets(low.x, high.x, x) || !meets(low.y, high.y, y)) continue;
            for (Highlight image : once) {
                for (Point3& place : image.places) place = {place.x + x * side, place.y + y * side, 0};
                highlights.push_back(std::move(image));
            }
        }
}

void tell_vertex(const TorusInsertion& made, uint32_t id, Properties& properties) {
    const uint32_t row = made.rows()[id];
    const Point at = made.place_of_row(row), given = made.given()->points[row];
    const bool wrapped = !(at == given);
    properties.add("Point", made.mesh().inputs.read(id), "index in the input, from 0");
    properties.add("x", Value::exactly(at.x, kLength), wrapped ? "where it is wrapped to" : "exactly as read");
    properties.add("y", Value::exactly(at.y, kLength));
    if (wrapped) properties.add("Given at", Value(given, kLength), "outside the periodic box");
    properties.add("Hilbert index", id, "its id during the construction");
}

void tell_edge(const TorusInsertion& made, uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) {
    const auto [from, to, left, right, triangles] = corners_of_edge(made, edge);
    const Point none{0, 0}, b = minus(to.at, from.at), l = minus(left.at, from.at), r = minus(right.at, from.at);
    properties.add("Edge", edge, from.name() + " to " + to.name());
    properties.add("Length", Value(std::hypot(b.x, b.y), kLength));
    if (!(to.image == ImageShift{}))
        properties.add("Across the border", std::vector<int64_t>{to.image.x, to.image.y},
                       "boxes to the right and upwards to the image that is meant");
    properties.add("Triangles", std::vector<int64_t>{triangles[0], triangles[1]},
                   "with " + left.name() + " and " + right.name() + " opposite");
    std::vector<int64_t> flat;
    if (orient2d(none, b, l) == 0) flat.push_back(triangles[0]);
    if (orient2d(none, b, r) == 0) flat.push_back(triangles[1]);
    if (!flat.empty())
        properties.add("Flat", flat,
                       flat.size() == 1 ? "this triangle's three points lie on one line, so it has no circle"
                                        : "each triangle's three points lie on one line, so they have no circle");
    const int sign = incircle(none, b, l, r);
    const bool no_circle = orient2d(none, b, l) == 0;
    properties.add("In-circle",
                   std::string(sign_name(sign)) + (no_circle  ? " (no circle)"
                                                   : sign > 0 ? " (inside)"
                                                   : sign < 0 ? " (outside)"
                                                              : " (on the circle)"),
                   right.name() + " against the circle of triangle " + std::to_string(triangles[0]) +
                       (no_circle ? ", which is flat: the sign of the determinant, exactly" : ", exactly"));
    properties.list.push_back(determinant_property(detail::incircle(none, b, l, r), sign));
    const bool illegal = flat.empty() && torus_incircle(b, l, r) > 0;
    if (!flat.empty()) {
        properties.add("Legal", "not decided", "flat triangles flip first");
    } else if (sign == 0) {
        properties.add("Legal", !illegal,
                       std::string(illegal ? "it must flip: " : "") +
                           "cocircular, and settled by distances that count x a little more than y: these put " +
                           right.name() + (illegal ? " inside" : " outside"));
    } else {
        properties.add("Legal", !illegal,
                       illegal ? "it must flip: " + right.name() + " lies inside the circle of triangle " +
                                     std::to_string(triangles[0])
                               : "by the in-circle test");
    }
    for (uint32_t side = 0; side < 2; ++side)
        if (auto circle = circumcircle(none, b, side ? r : l)) {
            const Point3 centre = in_world(made, {from.at.x + circle->centre.x, from.at.y + circle->centre.y});
            circle->centre = {centre.x, centre.y};
            highlight_circle(*circle, triangles[side], std::hypot(b.x, b.y), illegal ? Role::kIllegal : Role::kPlain,
                             highlights);
        }
    // The two triangles as they lie beside it, over any border.
    for (const Corner& apex : {left, right})
        for (const Corner& end : {from, to})
            highlights.push_back({Highlight::Kind::kLine,
                                  {in_world(made, end.at), in_world(made, apex.at)},
                                  0,
                                  Role::kExact,
                                  "side of one of its triangles"});
    highlights.push_back({Highlight::Kind::kLine,
                          {in_world(made, from.at), in_world(made, to.at)},
                          0,
                          Role::kPlain,
                          "edge " + std::to_string(edge)});
    repeat_over_border(made, {from.at, to.at}, highlights);
}

}  // namespace

Report inspect_torus(const TorusInsertion& made, const Element& element) {
    Report report;
    const TriangleMesh& mesh = made.mesh();
    if (element.id == kNone || mesh.triangle_count == 0) return report;
    Properties properties;
    if (element.kind == ElementKind::kVertex) {
        if (element.id < made.distinct()) tell_vertex(made, element.id, properties);
    } else if (element.kind == ElementKind::kEdge) {
        if (element.id < mesh.edge_count) tell_edge(made, element.id, properties, report.highlights);
    } else if (element.kind == ElementKind::kTriangle && element.id < mesh.triangle_count) {
        const std::array<Corner, 3> corners = corners_of(made, element.id);
        properties.add("Triangle", element.id, corners[0].name() + ", " + corners[1].name() + ", " + corners[2].name());
        tell_triangle(element.id, {corners[0].at, corners[1].at, corners[2].at}, made.corner(), properties,
                      report.highlights);
        report.highlights.push_back(
            {Highlight::Kind::kPolygon,
             {in_world(made, corners[0].at), in_world(made, corners[1].at), in_world(made, corners[2].at)},
             0,
             Role::kPlain,
             "triangle " + std::to_string(element.id)});
    }
    report.add(std::move(properties));
    return report;
}

Element pick_in_box(const TorusInsertion& made, Probe probe) {
    if (made.mesh().triangle_count == 0) return {};
    probe.place = minus(probe.place, made.corner());
    return pick_on_torus(made.context(), TorusLinework::of(made.mesh(), made.box()), probe);
}

CheckReport check_in_box(const TorusInsertion& made) {
    CheckReport report;
    if (made.mesh().triangle_count == 0) {
        report.passed = report.checked = made.done();
        report.sentence =
            report.passed ? "Delaunay on the torus: there is no triangle to check" : "there is no triangle yet";
        return report;
    }
    report = check_torus(made.context(), made.mesh(), made.box());
    for (CheckFailure& failure : report.failures) {
        if (failure.elements.size() != 1) continue;
        const auto& [kind, id, part] = failure.elements[0];
        if (kind == ElementKind::kVertex) {
            failure.places = {in_world(made, made.mesh().positions.read(id))};
        } else if (report.broken_references > 0) {
            for (Point3& place : failure.places) place = in_world(made, {place.x, place.y});
        } else if (kind == ElementKind::kEdge) {
            const EdgeCorners corners = corners_of_edge(made, id);
            failure.places = {in_world(made, corners.from.at), in_world(made, corners.to.at)};
        } else {
            failure.places.clear();
            for (const Corner& corner : corners_of(made, id)) failure.places.push_back(in_world(made, corner.at));
        }
    }
    if (const uint32_t waiting = made.waiting_count()) {
        report.passed = false;
        report.sentence =
            count_text(waiting, "point is not inserted yet; ", "points are not inserted yet; ") + report.sentence;
    }
    return report;
}

StepMessage box_message(const TorusInsertion& made) {
    StepMessage said;
    said.add("box", "The periodic box has side " + format_plainly(made.box().side) + " and begins at " +
                        place_text(made.corner()) + ".");
    said.add("wrapped", made.wrapped_count() == 0
                            ? ""
                            : count_text(made.wrapped_count(), "point lies outside it and is wrapped into it.",
                                         "points lie outside it and are wrapped into it."));
    return said;
}

}  // namespace flipscope
