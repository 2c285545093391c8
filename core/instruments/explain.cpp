#include "instruments/explain.h"

#include <algorithm>
#include <cmath>

#include "compute/text.h"
#include "delaunay/torus/pick_torus.h"
#include "flipscope/predicates.h"
#include "geometry/places.h"
#include "instruments/triangle_words.h"
#include "lab/element_links.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "mesh/star_of.h"

namespace flipscope {

namespace {

constexpr size_t kMostSpokes = 2048;  // a fan may have a million

bool all_finite(const InspectedMesh& inspected, const std::array<InspectedCorner, 4>& corners) {
    return std::all_of(corners.begin(), corners.end(),
                       [&](const InspectedCorner& one) { return inspected.is_finite(one); });
}

/// An edge as it lies at one of these triangles; another edge as it lies itself.
Highlight line_of_edge(const InspectedMesh& inspected, uint32_t edge,
                       const std::vector<std::array<InspectedCorner, 3>>& triangles,
                       const std::vector<uint32_t>& first_corners, Role role, std::string name) {
    Highlight line{Highlight::Kind::kLine, {}, 0, role, std::move(name)};
    for (size_t i = 0; i < first_corners.size(); ++i)
        for (uint32_t k = 0, corner = first_corners[i]; k < 3; ++k, corner = next_corner(corner))
            if (line.places.empty() && inspected.edge_at(corner) == edge)
                line.places = inspected.places(std::array{triangles[i][k], triangles[i][(k + 1) % 3]});
    if (!line.places.empty()) return line;
    const InspectedQuad quad = inspected.quad(edge);
    line.places = inspected.places(std::array{quad.from, quad.to});
    return line;
}

struct Cell {
    std::vector<Point> corners;  // clockwise around the vertex
    bool bounded = true;
    bool known = true;  // every triangle has a circumcircle in doubles
};

/// The circumcentres of the star's finite triangles; for a vertex of the hull from one ghost to the other.
Cell cell_of(const InspectedMesh& inspected, std::vector<uint32_t> spokes) {
    Cell cell;
    for (size_t i = 0; i < spokes.size(); ++i)
        if (inspected.is_ghost(triangle_of(spokes[i]))) {
            cell.bounded = false;
            const size_t next = (i + 1) % spokes.size();
            if (inspected.is_ghost(triangle_of(spokes[next]))) continue;
            std::rotate(spokes.begin(), spokes.begin() + static_cast<std::ptrdiff_t>(next), spokes.end());
            break;
        }
    for (const uint32_t spoke : spokes) {
        if (inspected.is_ghost(triangle_of(spoke))) continue;
        const auto [a, b, c] = inspected.corners_from(spoke);
        const auto circle = circumcircle(inspected.at(a), inspected.at(b), inspected.at(c));
        cell.known = cell.known && circle;
        if (circle) cell.corners.push_back(circle->centre);
    }
    return cell;
}

/// Whether an edge between finite triangles passes the in-circle test; true for other edges.
bool is_delaunay(const InspectedMesh& inspected, uint32_t corner) {
    const InspectedQuad quad = inspected.quad(inspected.edge_at(corner));
    if (!all_finite(inspected, quad.all())) return true;
    return incircle(inspected.at(quad.from), inspected.at(quad.to), inspected.at(quad.left),
                    inspected.at(quad.right)) <= 0;
}

void explain_cell(const InspectedMesh& inspected, const std::vector<uint32_t>& spokes, Properties& properties,
                  std::vector<Highlight>& highlights) {
    const Cell cell = cell_of(inspected, spokes);
    if (!cell.known) {
        properties.add("Voronoi cell", "not known", "a triangle around it is flat, or too nearly so for doubles");
        return;
    }
    const bool legal =
        std::all_of(spokes.begin(), spokes.end(), [&](uint32_t spoke) { return is_delaunay(inspected, spoke); });
    if (!legal) {
        properties.add("Voronoi cell", "none yet", "an edge here is not Delaunay, so the circumcentres bound no cell");
        return;
    }
    const std::string why = inspected.waiting_count() > 0 ? "among the points inserted so far" : "";
    if (cell.bounded) {
        properties.add("Voronoi cell", Value(area_of_polygon(cell.corners), "world units squared"),
                       "area" + (why.empty() ? "" : "; " + why));
    } else {
        properties.add("Voronoi cell", "unbounded",
                       std::string(inspected.on_cylinder() ? "a vertex of the border" : "a vertex of the hull") +
                           ": two of its sides are infinite" + (why.empty() ? "" : "; " + why));
    }
    if (cell.corners.size() < 2) return;
    Highlight drawn{cell.bounded ? Highlight::Kind::kPolygon : Highlight::Kind::kLine,
                    {},
                    0,
                    Role::kExact,
                    cell.bounded ? "Voronoi cell" : "bounded part of the Voronoi cell",
                    0,
                    Highlight::Style::kThin};
    for (const Point corner : cell.corners) {
        const Point at = inspected.in_world(corner);
        drawn.places.push_back({at.x, at.y, 0});
    }
    highlights.push_back(std::move(drawn));
}

void explain_waiting(const InspectedMesh& inspected, uint32_t vertex, const std::vector<uint32_t>& walk,
                     Properties& properties, std::vector<Highlight>& highlights) {
    const uint32_t last = walk.back();
    const bool cut = walk.size() >= Construction::kMostWalked;
    properties.add_links("Waits in", {triangle_link(last)},
                         cut                        ? "where the search is after so many triangles"
                         : inspected.is_ghost(last) ? "a ghost: it lies beyond the hull, and sees its edge"
                                                    : "the triangle that it lies in, now");
    highlights.push_back(outline_of_triangle(last, inspected.places(inspected.corners(last)), Role::kWaiting));
    const size_t steps = walk.size() - 1;
    std::vector<Link> links;
    for (const uint32_t t : walk) links.push_back(triangle_link(t));
    add_cut_links("Walk", std::move(links), properties,
                  steps == 0 ? "it is where the search begins"
                             : count_text(steps, "step", "steps") + " from where the search begins");
    if (steps == 0) return;
    Highlight way{Highlight::Kind::kLine, {}, 0, Role::kWaiting, "walk to " + inspected.name({vertex, {}}), 0,
                  Highlight::Style::kThin};
    for (size_t i = 0; i + 1 < walk.size(); ++i) {
        const std::vector<Point3> corners = inspected.places(inspected.corners(walk[i]));
        Point3 middle;
        for (const Point3& corner : corners) middle = middle + (1.0 / static_cast<double>(corners.size())) * corner;
        if (!corners.empty()) way.places.push_back(middle);
    }
    way.places.push_back(inspected.place({vertex, {}}));
    if (way.places.size() > 1) highlights.push_back(std::move(way));
}

/// On a torus there is no walk: only the triangle that contains the point.
void explain_waiting_in_box(const InspectedMesh& inspected, uint32_t vertex, Properties& properties,
                            std::vector<Highlight>& highlights) {
    const Point at = inspected.at(vertex);
    const uint32_t holder =
        holding_triangle(inspected.context(), TorusLinework::of(inspected.mesh(), *inspected.box()), at);
    if (holder == kNone) {
        if (inspected.on_cylinder()) properties.add("Waits", "beyond the border", "of the points inserted so far");
        return;
    }
    properties.add_links("Waits in", {triangle_link(holder)}, "the triangle that it lies in, now");
    for (int8_t y = -1; y <= 1; ++y)
        for (int8_t x = -1; x <= 1; ++x) {
            const std::array<InspectedCorner, 3> corners = inspected.corners_from(3 * holder, {x, y});
            const Point a = inspected.at(corners[0]), b = inspected.at(corners[1]), c = inspected.at(corners[2]);
            if (orient2d(a, b, at) >= 0 && orient2d(b, c, at) >= 0 && orient2d(c, a, at) >= 0)
                highlights.push_back(outline_of_triangle(holder, inspected.places(corners), Role::kWaiting));
        }
}

}  // namespace

void explain_edge(const InspectedMesh& inspected, uint32_t edge, Properties& properties,
                  std::vector<Highlight>& highlights) {
    const InspectedQuad quad = inspected.quad(edge);
    const auto& [from, to, left, right, triangles] = quad;
    std::vector<Link> ends, apexes;
    for (const InspectedCorner& end : {from, to})
        if (inspected.is_finite(end)) ends.push_back(inspected.link(end.id));
    for (const InspectedCorner& apex : {left, right})
        if (inspected.is_finite(apex)) apexes.push_back(inspected.link(apex.id));
    add_edge_links({triangle_link(triangles[0]), triangle_link(triangles[1])}, std::move(ends), std::move(apexes),
                   properties);
    const bool ghost = !inspected.is_finite(from) || !inspected.is_finite(to);
    for (const uint32_t side : {0u, 1u})
        if (const InspectedCorner& apex = side ? right : left; !ghost && inspected.is_finite(apex))
            highlights.push_back(outline_of_triangle(
                triangles[side], inspected.places(side ? std::array{to, from, apex} : std::array{from, to, apex})));
    for (const InspectedCorner& apex : {left, right})
        if (!ghost && inspected.is_finite(apex))
            highlights.push_back(Highlight::point(inspected.place(apex), Role::kPlain, inspected.name(apex)));
    if (!ghost && !inspected.in_space() && !inspected.box())
        explain_structures(inspected, edge, properties, highlights);
    if (!all_finite(inspected, quad.all()) || (left.id == right.id && left.image == right.image)) return;
    const bool fits = inspected.in_space() || other_diagonal_fits(inspected.at(from), inspected.at(to),
                                                                  inspected.at(left), inspected.at(right));
    add_other_diagonal(inspected.name(left) + " to " + inspected.name(right), fits, inspected.place(left),
                       inspected.place(right), properties, highlights);
}

void explain_triangle(const InspectedMesh& inspected, uint32_t triangle, Properties& properties) {
    const std::array<InspectedCorner, 3> v = inspected.corners(triangle);
    std::vector<Link> corners, neighbours, edges;
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t corner = 3 * triangle + k;
        if (inspected.is_finite(v[k])) corners.push_back(inspected.link(v[k].id));
        neighbours.push_back(triangle_link(triangle_of(inspected.across(corner))));
        edges.push_back(edge_link(inspected.edge_at(corner)));
    }
    add_triangle_links(std::move(corners), std::move(edges), std::move(neighbours), properties);
    if (inspected.in_space() || inspected.is_ghost(triangle)) return;
    const std::array<Point, 3> at{inspected.at(v[0]), inspected.at(v[1]), inspected.at(v[2])};
    if (orient2d(at[0], at[1], at[2]) != 0) add_angles(at, properties);
}

void explain_vertex(const InspectedMesh& inspected, uint32_t vertex, Properties& properties,
                    std::vector<Highlight>& highlights) {
    if (inspected.mesh().triangle_count == 0) return;
    const Construction* const made = inspected.construction();
    if (const std::vector<uint32_t> walk = made ? made->walk_to(vertex) : std::vector<uint32_t>{}; !walk.empty())
        return explain_waiting(inspected, vertex, walk, properties, highlights);
    const Star star = star_of(inspected.context(), inspected.mesh(), vertex, kMostSpokes);
    if (star.spokes.empty()) {
        if (inspected.box()) explain_waiting_in_box(inspected, vertex, properties, highlights);
        return;
    }
    if (!star.whole) {
        properties.add("Degree", "not known",
                       star.spokes.size() == kMostSpokes
                           ? "more than " + std::to_string(kMostSpokes) + " edges end here"
                           : "the incidence around it is not up to date in this state");
        return;
    }
    std::vector<Link> neighbours, triangles;
    std::vector<InspectedCorner> ring;
    bool at_infinity = false;  // or at the border of a cylinder
    for (const uint32_t spoke : star.spokes) {
        const InspectedCorner end = inspected.corners_from(spoke)[1];
        at_infinity |= !inspected.is_finite(end);
        if (!inspected.is_finite(end)) continue;
        neighbours.push_back(inspected.link(end.id));
        ring.push_back(end);
        if (const uint32_t t = triangle_of(spoke); !inspected.is_ghost(t)) triangles.push_back(triangle_link(t));
    }
    add_vertex_links(std::move(neighbours), std::move(triangles),
                     at_infinity ? inspected.in_space()      ? "edges that end here; it is on the boundary"
                                   : inspected.on_cylinder() ? "edges that end here; it is on the border"
                                                             : "edges that end here; it is on the hull"
                                 : "edges that end here",
                     "clockwise", properties);
    if (!inspected.in_space()) explain_cell(inspected, star.spokes, properties, highlights);
    if (at_infinity) {  // from one end of the gap to the other, by way of the vertex
        size_t gap = 0;
        while (inspected.is_finite(inspected.corners_from(star.spokes[gap])[1])) ++gap;
        ring.clear();
        for (size_t i = 1; i < star.spokes.size(); ++i) {
            const InspectedCorner end = inspected.corners_from(star.spokes[(gap + i) % star.spokes.size()])[1];
            if (inspected.is_finite(end)) ring.push_back(end);
        }
        ring.push_back({vertex, {}});
    }
    if (std::vector<Point3> corners = inspected.places(ring); corners.size() > 2)
        highlights.push_back(Highlight::polygon(std::move(corners), Role::kPlain,
                                                "star of " + inspected.name({vertex, {}}), Highlight::Style::kThin));
}

namespace {

TriangleClaims claims_of(const InspectedMesh& inspected) {
    return inspected.construction() ? inspected.construction()->triangle_claims() : TriangleClaims{};
}

struct Holder {
    uint32_t edge, triangle;
};

/// The edges that hold the triangles of a deferred edge; if the claims are not available, by the state words: other
/// granted edges of these triangles.
std::vector<Holder> holders_before(const InspectedMesh& inspected, uint32_t edge) {
    const TriangleClaims claims = claims_of(inspected);
    const TriangleMesh& mesh = inspected.mesh();
    std::vector<Holder> found;
    for (uint32_t side = 0; side < 2; ++side) {
        const uint32_t t = triangle_of(inspected.corner_of(edge, side));
        const uint32_t holder = claims.holder(t);
        if (holder != kNone && holder != edge && holder < mesh.edge_count) found.push_back({holder, t});
    }
    if (!found.empty()) return found;
    for (uint32_t side = 0; side < 2; ++side) {
        const uint32_t t = triangle_of(inspected.corner_of(edge, side));
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t other = inspected.edge_at(3 * t + k);
            if (other != edge && (mesh.edge_states.read(other) & kStateGranted)) found.push_back({other, t});
        }
    }
    if (!found.empty()) return found;
    // One edge holds both: on a surface an edge beside the two triangles may have precedence.
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t corner = inspected.corner_of(edge, k >> 1);
        const uint32_t t = triangle_of(inspected.across(k & 1 ? previous_corner(corner) : next_corner(corner)));
        const uint32_t holder = claims.holder(t);
        if (holder == kNone || holder == edge || holder >= mesh.edge_count) continue;
        if (mesh.edge_states.read(holder) & kStateGranted) found.push_back({holder, t});
    }
    return found;
}

}  // namespace

void explain_last_pass(const InspectedMesh& inspected, ElementKind kind, uint32_t id, Properties& properties,
                       std::vector<Highlight>& highlights) {
    const TriangleMesh& mesh = inspected.mesh();
    if (!mesh.records_states()) return;
    if (kind == ElementKind::kTriangle) {
        const State state = mesh.triangle_states.read(id);
        if (!(state & (kStateLocked | kStateFlipped))) return;
        const uint32_t holder = claims_of(inspected).holder(id);
        const bool flipped = state & kStateFlipped;
        Property last{"Last pass", flipped ? "flipped" : "locked",
                      flipped ? "rotated by the flip of an edge" : "held by an edge that will flip"};
        if (holder != kNone && holder < mesh.edge_count) {
            const std::string name = "edge " + std::to_string(holder);
            last.why = flipped ? "rotated by the flip of " + name : "held by " + name + ", which will flip";
            last.links = {{name, {ElementKind::kEdge, holder}}};
            highlights.push_back(line_of_edge(inspected, holder, {inspected.corners(id)}, {3 * id},
                                              flipped ? Role::kFlipped : Role::kGranted, name));
        }
        properties.list.push_back(std::move(last));
        return;
    }
    if (kind != ElementKind::kEdge) return;
    const State state = mesh.edge_states.read(id);
    if (state & kStateSeam)
        properties.add("Non-manifold", true, "not two triangles that agree: cut here, never flipped");
    if (state & kStateCycling)
        properties.add("Cycling", true, "rounding makes this edge flip back and forth without end");
    if (state & kStateFlipped) {
        properties.add("Last pass", "flipped", "it is the other diagonal of its two triangles now");
    } else if (state & kStateDeferred) {
        Property last{"Last pass", "deferred", ""};
        // Both triangles as they lie at this edge.
        const std::vector<uint32_t> first_corners{inspected.corner_of(id, 0), next_corner(inspected.corner_of(id, 1))};
        const std::vector<std::array<InspectedCorner, 3>> triangles{inspected.corners_from(first_corners[0]),
                                                                    inspected.corners_from(first_corners[1])};
        for (const auto& [edge, triangle] : holders_before(inspected, id)) {
            const std::string name = "edge " + std::to_string(edge), of = "triangle " + std::to_string(triangle);
            const bool granted = mesh.edge_states.read(edge) & kStateGranted;
            last.why += (last.why.empty() ? "to " : ", and to ") + name + ", which holds " + of +
                        (granted ? "" : " and is deferred itself");
            last.links.push_back({name, {ElementKind::kEdge, edge}});
            last.links.push_back({of, {ElementKind::kTriangle, triangle}});
            Highlight drawn =
                line_of_edge(inspected, edge, triangles, first_corners, granted ? Role::kGranted : Role::kDeferred,
                             name + ", which was granted " + of);
            if (drawn.places.size() == 2) highlights.push_back(std::move(drawn));
        }
        if (last.why.empty()) last.why = "another edge has precedence";
        properties.list.push_back(std::move(last));
    } else if (state & kStateGranted) {
        properties.add("Last pass", "granted", "both its claims are granted: it will flip");
    } else if (state & kStateBlocked) {
        properties.add("Last pass", "blocked", "its flip would invert a triangle, duplicate an edge or make a crease");
    } else if (state & kStateQueued) {
        properties.add("Last pass", "queued", "it may have become illegal, and is tested next");
    }
}

Properties determinant_values(const DeterminantValues& values, int decided, const std::string& tie) {
    Properties properties;
    const ExactValue& exact = values.exact;
    const auto verdict = [&](int sign) {
        return std::string("sign ") + sign_name(sign) + (sign == exact.sign ? "" : ": wrong");
    };
    properties.add("Float", float_text(values.single),
                   hex_text(values.single) + "; " +
                       (std::isfinite(values.single) ? verdict((values.single > 0) - (values.single < 0))
                                                     : std::string("no number: too large for floats")));
    const bool sure = std::fabs(values.rounded) > values.error || values.error == 0;
    properties.add("Double", Value::exactly(values.rounded),
                   hex_text(values.rounded) + "; " + verdict((values.rounded > 0) - (values.rounded < 0)) +
                       (sure ? ", and sure" : ", and not sure"));
    properties.add("Error bound", Value::exactly(values.error),
                   hex_text(values.error) + "; the double is off by this at most");
    properties.add("Exact", exact.sign == 0 ? Value("0") : Value::exactly(exact.rounded),
                   exact.sign == 0
                       ? "without any rounding"
                       : hex_text(exact.rounded) + ", rounded once; " + exact.text + "; sign " + sign_name(exact.sign));
    if (!tie.empty()) properties.add("Tie-break", std::string("sign ") + sign_name(decided), tie);
    return properties;
}

namespace {

/// By index if all points are in the input, otherwise by coordinates.
Link microscope_link(const std::string& lab, std::span<const PredicatePoint> points) {
    const bool of_input = std::all_of(points.begin(), points.end(), [](const auto& p) { return p.input != kNone; });
    Link link{
        "under the microscope",
        {},
        {},
        lab,
        {{"sign_of", points.size() == 4 ? "in-circle" : "orientation"}, {"coordinates", of_input ? "input" : "typed"}}};
    for (size_t k = 0; k < points.size(); ++k) {
        const std::string name(1, static_cast<char>('a' + k));
        if (of_input) {
            link.parameters.push_back({name, std::to_string(points[k].input)});
        } else {
            link.parameters.push_back({name + "_x", format_exactly(points[k].at.x)});
            link.parameters.push_back({name + "_y", format_exactly(points[k].at.y)});
        }
    }
    return link;
}

}  // namespace

Section predicate_section(std::span<const PredicatePoint> points, int decided, const std::string& tie) {
    const bool in_circle = points.size() == 4;
    const Point a = points[0].at, b = points[1].at, c = points[2].at;
    const DeterminantValues values = in_circle ? incircle_values(a, b, c, points[3].at) : orient2d_values(a, b, c);
    Properties numbers = determinant_values(values, decided, tie);
    if (in_circle)
        for (const PredicateMode mode : {PredicateMode::kFloatCircumcentre, PredicateMode::kDoubleCircumcentre}) {
            // It does not depend on the orientation of a, b, c; the determinant's sign does.
            const int sign = naive_in_circle(mode, a, b, c, points[3].at) * orient2d(a, b, c);
            numbers.add(in_single_precision(mode) ? "Float-circumcentre" : "Double-circumcentre", sign_name(sign),
                        sign == values.exact.sign ? ""
                        : sign == 0               ? "the sign is lost"
                                                  : "wrong");
        }
    const auto& labs = registry();
    if (const auto found =
            std::find_if(labs.begin(), labs.end(), [](const auto& lab) { return lab.id == "microscope"; });
        found != labs.end())
        numbers.add_links("Predicate", {microscope_link(found->id, points)},
                          "the same points, a pixel for each number");
    std::vector<std::string> all;
    for (const PredicatePoint& point : points) all.push_back(point.name);
    const std::string names = join_words(all, " and ");
    return {in_circle ? "in-circle determinant" : "orientation determinant",
            in_circle ? "Of " + names + "; above 0: the last lies in the circle of the others" +
                            std::string(orient2d(a, b, c) < 0 ? ", if it is below 0: these run clockwise." : ".")
                      : "Twice the signed area, from " + names + "; above 0: counter-clockwise.",
            std::move(numbers)};
}

}  // namespace flipscope
