#include "instruments/explain_soup.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "flipscope/predicates.h"
#include "instruments/triangle_words.h"
#include "lab/element_links.h"

namespace flipscope {

namespace {

using SoupTriangle = SoupTriangles::value_type;

using AtEdge = InspectedSoup::AtEdge;

bool exists(const InspectedSoup& soup, uint32_t vertex) { return vertex < soup.points.size(); }

Point3 place_in(const InspectedSoup& soup, uint32_t vertex) {
    return {soup.points[vertex].x, soup.points[vertex].y, 0};
}

PredicatePoint predicate_point(const InspectedSoup& soup, uint32_t vertex) {
    return {"point " + std::to_string(vertex), soup.points[vertex]};
}

}  // namespace

std::vector<AtEdge> InspectedSoup::triangles_at(uint32_t a, uint32_t b) const {
    std::vector<AtEdge> found;
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        const SoupTriangle& c = triangles[t];
        for (uint32_t k = 0; k < 3; ++k)
            if (std::minmax(c[k], c[(k + 1) % 3]) == std::minmax(a, b)) {
                found.push_back({t, c[(k + 2) % 3]});
                break;
            }
    }
    return found;
}

void explain_soup_edge(const InspectedSoup& soup, uint32_t from, uint32_t to, Properties& properties,
                       std::vector<Highlight>& highlights) {
    std::vector<AtEdge> around = soup.triangles_at(from, to);
    if (const Property* listed = properties.find("Triangles"))
        if (const auto* ids = std::get_if<std::vector<int64_t>>(&listed->value.content)) {  // in the same order
            const auto rank = [&](const AtEdge& one) { return std::find(ids->begin(), ids->end(), one.triangle); };
            std::stable_sort(around.begin(), around.end(),
                             [&](const AtEdge& a, const AtEdge& b) { return rank(a) < rank(b); });
        }
    std::vector<Link> sides, apexes;
    std::vector<uint32_t> left, right;
    for (const auto& [triangle, apex] : around) {
        sides.push_back(triangle_link(triangle, soup.part));
        if (!exists(soup, apex) || apex == from || apex == to) continue;
        apexes.push_back(soup.vertex_link(apex));
        const int turn = orient2d(soup.points[from], soup.points[to], soup.points[apex]);
        if (turn != 0) (turn > 0 ? left : right).push_back(apex);
        highlights.push_back(
            outline_of_triangle(triangle, {place_in(soup, from), place_in(soup, to), place_in(soup, apex)}));
        highlights.push_back(Highlight::point(place_in(soup, apex), Role::kPlain, "point " + std::to_string(apex)));
    }
    add_edge_links(std::move(sides), {soup.vertex_link(from), soup.vertex_link(to)}, std::move(apexes), properties);
    if (around.size() != 2 || left.size() != 1 || right.size() != 1) return;
    const auto& points = soup.points;
    add_other_diagonal("point " + std::to_string(around[0].apex) + " to point " + std::to_string(around[1].apex),
                       other_diagonal_fits(points[from], points[to], points[left[0]], points[right[0]]),
                       place_in(soup, around[0].apex), place_in(soup, around[1].apex), properties, highlights);
}

int explain_soup_quad(const InspectedSoup& soup, const std::array<uint32_t, 4>& from_to_left_right,
                      const std::array<uint32_t, 2>& triangles, const std::string& circle, Properties& properties,
                      Report& report) {
    const auto [from, to, left, right] = from_to_left_right;
    const Point a = soup.points[from], b = soup.points[to], l = soup.points[left], r = soup.points[right];
    const int sign = add_in_circle(a, b, l, r, "point " + std::to_string(right), circle, properties);
    add_wrong_in_circle(a, b, l, r, sign, properties);
    const Role role = sign > 0 ? Role::kIllegal : Role::kPlain;
    highlight_circumcircle(a, b, l, triangles[0], role, report.highlights);
    highlight_circumcircle(a, b, r, triangles[1], role, report.highlights);
    report.sections.push_back(predicate_section(std::array{predicate_point(soup, from), predicate_point(soup, to),
                                                           predicate_point(soup, left), predicate_point(soup, right)},
                                                0, ""));
    return sign;
}

void explain_soup_triangle(const InspectedSoup& soup, uint32_t triangle, Properties& properties, Report& report) {
    const SoupTriangle& c = soup.triangles[triangle];
    const bool whole = exists(soup, c[0]) && exists(soup, c[1]) && exists(soup, c[2]);
    if (whole && c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) {
        describe_triangle(triangle, {soup.points[c[0]], soup.points[c[1]], soup.points[c[2]]}, {0, 0}, properties,
                          report.highlights);
        report.sections.push_back(predicate_section(
            std::array{predicate_point(soup, c[0]), predicate_point(soup, c[1]), predicate_point(soup, c[2])}, 0, ""));
    }
    std::vector<Link> corners, edges, neighbours;
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t from = c[k], to = c[(k + 1) % 3];
        if (exists(soup, from)) corners.push_back(soup.vertex_link(from));
        if (const uint32_t edge = soup.edge(from, to); edge != kNone) edges.push_back(edge_link(edge, soup.part));
        for (const AtEdge& beyond : soup.triangles_at(from, to))
            if (beyond.triangle != triangle) neighbours.push_back(triangle_link(beyond.triangle, soup.part));
    }
    add_triangle_links(std::move(corners), std::move(edges), std::move(neighbours), properties);
    if (!whole) return;
    const std::array<Point, 3> at{soup.points[c[0]], soup.points[c[1]], soup.points[c[2]]};
    if (orient2d(at[0], at[1], at[2]) != 0) add_angles(at, properties);
}

void explain_soup_vertex(const InspectedSoup& soup, uint32_t vertex, Properties& properties) {
    std::set<uint32_t> ends;
    std::vector<Link> neighbours, triangles;
    for (uint32_t t = 0; t < soup.triangles.size(); ++t) {
        const SoupTriangle& c = soup.triangles[t];
        if (std::find(c.begin(), c.end(), vertex) == c.end()) continue;
        triangles.push_back(triangle_link(t, soup.part));
        for (const uint32_t other : c)
            if (other != vertex && exists(soup, other)) ends.insert(other);
    }
    if (triangles.empty()) return;
    for (const uint32_t end : ends) neighbours.push_back(soup.vertex_link(end));
    add_vertex_links(std::move(neighbours), std::move(triangles), "edges that end here", "", properties);
}

}  // namespace flipscope
