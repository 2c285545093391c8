#include "labs/build/torus_view.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compute/text.h"
#include "delaunay/torus/pick_torus.h"
#include "delaunay/torus/torus_checks.h"
#include "delaunay/torus/torus_rules.h"
#include "geometry/exact_values.h"
#include "geometry/places.h"
#include "instruments/explain.h"
#include "instruments/inspected_mesh.h"
#include "instruments/triangle_words.h"
#include "lab/element_links.h"

namespace flipscope {

namespace {

const char* const kLength = "world units";

Point minus(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }

Point3 in_world(const TorusInsertion& made, Point in_box) {
    const Point p = made.place_of(in_box);
    return {p.x, p.y, 0};
}

Report inspect_vertex(const TorusInsertion& made, const InspectedMesh& inspected, uint32_t id) {
    Report report;
    Properties properties;
    const uint32_t row = made.rows()[id];
    const Point at = made.place_of_row(row), given = made.given()->points[row];
    const bool wrapped = !(at == given);
    properties.add("Point", made.mesh().inputs.read(id), "index in the input, from 0");
    properties.add("x", Value::exactly(at.x, kLength), wrapped ? "where it is wrapped to" : "exactly as read");
    properties.add("y", Value::exactly(at.y, kLength));
    if (wrapped) properties.add("Given at", Value(given, kLength), "outside the periodic box");
    explain_vertex(inspected, id, properties, report.highlights);
    properties.add("Hilbert index", id, "its id during the construction");
    repeat_over_border(inspected, report.highlights);
    report.add(std::move(properties));
    return report;
}

Report inspect_edge(const TorusInsertion& made, const InspectedMesh& inspected, uint32_t edge) {
    Report report;
    Properties properties;
    const auto [from, to, left, right, triangles] = inspected.quad(edge);
    const Point begin = inspected.at(from), end = inspected.at(to), none{0, 0};
    const Point b = minus(end, begin), l = minus(inspected.at(left), begin), r = minus(inspected.at(right), begin);
    const std::string beyond = inspected.name(right);
    if (!inspected.is_finite(to)) {
        properties.add("Edge", edge, "from " + inspected.name(from) + " to " + inspected.name({to.id, {}}));
        properties.add("Beyond the borders", true,
                       "it joins them over the open axis, which has no end, and is no edge of the cylinder");
        report.add(std::move(properties));
        return report;
    }
    properties.add("Edge", edge, inspected.name(from) + " to " + inspected.name(to));
    properties.add("Length", Value(std::hypot(b.x, b.y), kLength));
    if (!(to.image == ImageShift{}))
        properties.add("Across the border", std::vector<int64_t>{to.image.x, to.image.y},
                       "boxes to the right and upwards to the image that is meant");
    properties.add("Triangles", std::vector<int64_t>{triangles[0], triangles[1]},
                   "with " + inspected.name(left) + " and " + beyond + " opposite");
    const bool at_border = !inspected.is_finite(left) || !inspected.is_finite(right);
    if (at_border) properties.add("On the border", true, "one of its triangles lies beyond the border of the cylinder");
    std::vector<int64_t> flat;
    if (inspected.is_finite(left) && orient2d(none, b, l) == 0) flat.push_back(triangles[0]);
    if (inspected.is_finite(right) && orient2d(none, b, r) == 0) flat.push_back(triangles[1]);
    add_flat(flat, properties);
    const std::string circle_of_left = "the circle of triangle " + std::to_string(triangles[0]);
    const int sign = at_border ? 0 : add_in_circle(none, b, l, r, beyond, circle_of_left, properties),
              decided = torus_incircle(made.box(), b, l, r);
    const bool illegal = flat.empty() && decided > 0;
    const std::string tie = "cocircular, and settled by distances that count x a little more than y: these put " +
                            beyond + (decided > 0 ? " inside" : " outside");
    if (!flat.empty()) {
        properties.add("Legal", "not decided", "flat triangles flip first");
    } else if (at_border) {
        properties.add("Legal", !illegal, illegal ? "the border is reflex here" : "the border is convex here");
    } else if (sign == 0) {
        properties.add("Legal", !illegal, std::string(illegal ? "it must flip: " : "") + tie);
    } else {
        properties.add(
            "Legal", !illegal,
            illegal ? "it must flip: " + beyond + " lies inside " + circle_of_left : "by the in-circle test");
    }
    for (uint32_t side = 0; side < 2; ++side)
        if (auto circle = circumcircle(none, b, side ? r : l); circle && inspected.is_finite(side ? right : left)) {
            circle->centre = made.place_of({begin.x + circle->centre.x, begin.y + circle->centre.y});
            highlight_circle(*circle, triangles[side], std::hypot(b.x, b.y), illegal ? Role::kIllegal : Role::kPlain,
                             report.highlights);
        }
    explain_edge(inspected, edge, properties, report.highlights);
    explain_last_pass(inspected, ElementKind::kEdge, edge, properties, report.highlights);
    order_of_edge(properties);
    report.highlights.push_back(
        Highlight::line(in_world(made, begin), in_world(made, end), Role::kPlain, "edge " + std::to_string(edge)));
    repeat_over_border(inspected, report.highlights, {begin, end});
    report.add(std::move(properties));
    if (at_border) return report;
    report.add("in-circle determinant",
               "From " + inspected.name(from) + ", " + inspected.name(to) + ", " + inspected.name(left) + ", " +
                   beyond + ", as seen from the first; above 0: the last lies in the circle of the others.",
               determinant_values(incircle_values(none, b, l, r), decided, sign == 0 && flat.empty() ? tie : ""));
    return report;
}

Report inspect_triangle(const TorusInsertion& made, const InspectedMesh& inspected, uint32_t triangle) {
    Report report;
    Properties properties;
    const auto [a, b, c] = inspected.corners(triangle);
    const std::string names = inspected.name(a) + ", " + inspected.name(b) + ", " + inspected.name(c);
    const std::array<Point, 3> at{inspected.at(a), inspected.at(b), inspected.at(c)};
    properties.add("Triangle", triangle, names);
    if (inspected.is_ghost(triangle)) {
        properties.add("Beyond the borders", true, "it leads over the open axis, and is no triangle of the cylinder");
        explain_triangle(inspected, triangle, properties);
        report.add(std::move(properties));
        return report;
    }
    describe_triangle(triangle, at, made.corner(), properties, report.highlights);
    explain_triangle(inspected, triangle, properties);
    explain_last_pass(inspected, ElementKind::kTriangle, triangle, properties, report.highlights);
    report.highlights.push_back(Highlight::polygon(inspected.places(std::array{a, b, c}), Role::kPlain,
                                                   "triangle " + std::to_string(triangle)));
    repeat_over_border(inspected, report.highlights, {at.begin(), at.end()});
    report.add(std::move(properties));
    report.add("orientation determinant", "Twice the signed area, from " + names + "; above 0: counter-clockwise.",
               determinant_values(orient2d_values(at[0], at[1], at[2]), orient2d(at[0], at[1], at[2]), ""));
    return report;
}

}  // namespace

Report inspect_torus(const TorusInsertion& made, const Element& element) {
    const TriangleMesh& mesh = made.mesh();
    if (element.id == kNone || mesh.triangle_count == 0) return {};
    const InspectedMesh inspected(made);
    if (element.kind == ElementKind::kVertex && element.id < made.distinct())
        return inspect_vertex(made, inspected, element.id);
    if (element.kind == ElementKind::kEdge && element.id < mesh.edge_count)
        return inspect_edge(made, inspected, element.id);
    if (element.kind == ElementKind::kTriangle && element.id < mesh.triangle_count)
        return inspect_triangle(made, inspected, element.id);
    return {};
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
        report.sentence = !report.passed             ? "there is no triangle yet"
                          : made.box().is_cylinder() ? "Delaunay on the cylinder: there is no triangle to check"
                                                     : "Delaunay on the torus: there is no triangle to check";
        return report;
    }
    report = check_torus(made.context(), made.mesh(), made.box());
    const InspectedMesh inspected(made);
    for (CheckFailure& failure : report.failures) {
        if (failure.elements.size() != 1) continue;
        const auto& [kind, id, part] = failure.elements[0];
        if (kind == ElementKind::kVertex) {
            failure.places = {in_world(made, made.mesh().positions.read(id))};
        } else if (report.broken_references > 0) {
            for (Point3& place : failure.places) place = in_world(made, {place.x, place.y});
        } else if (kind == ElementKind::kEdge) {
            const InspectedQuad quad = inspected.quad(id);
            failure.places = inspected.places(std::array{quad.from, quad.to});
        } else {
            failure.places = inspected.places(inspected.corners(id));
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
    StepMessage message;
    const TorusBox& box = made.box();
    const Point sides = box.sides;
    const Geometry& input = *made.given();
    const bool is_of_input =
        box.is_cylinder() ? (box.open == OpenAxis::kX ? input.box == Point{0, sides.y} : input.box == Point{sides.x, 0})
                          : input.box.x > 0 && input.box.y > 0 && TorusBox::of(input.box).sides == sides;
    if (box.is_cylinder()) {
        const bool along_y = box.open == OpenAxis::kX;
        message.add("box", std::string("The box is periodic along ") + (along_y ? "y" : "x") + ", with circumference " +
                               format_short(along_y ? sides.y : sides.x) + ", and begins at " +
                               place_text(made.corner(), 1e-9 * box.longer()) +
                               (is_of_input ? ", as " + input.name + " says. " : ". ") + "Along " +
                               (along_y ? "x" : "y") + " it is open, and the points span " + format_short(box.extent) +
                               ".");
    } else {
        message.add("box", "The periodic box " +
                               (made.box().is_square() ? "has side " : "is " + format_plainly(sides.x) + " by ") +
                               format_plainly(sides.y) + " and begins at " +
                               place_text(made.corner(), 1e-9 * box.longer()) +
                               (is_of_input ? ", as " + input.name + " says." : "."));
    }
    message.add("wrapped", made.wrapped_count() == 0
                               ? ""
                               : count_text(made.wrapped_count(), "point lies outside it and is wrapped into it.",
                                            "points lie outside it and are wrapped into it."));
    return message;
}

}  // namespace flipscope
