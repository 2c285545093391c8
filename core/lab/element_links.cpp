#include "lab/element_links.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/text.h"
#include "flipscope/predicates.h"

namespace flipscope {

Link triangle_link(uint32_t triangle, uint32_t part) {
    return {std::to_string(triangle), {ElementKind::kTriangle, triangle, part}};
}
Link edge_link(uint32_t edge, uint32_t part) { return {std::to_string(edge), {ElementKind::kEdge, edge, part}}; }

void add_cut_links(std::string name, std::vector<Link> links, Properties& properties, std::string why) {
    if (links.empty()) return;
    if (links.size() > kMostListedLinks) {
        why += (why.empty() ? "the first " : "; the first ") + std::to_string(kMostListedLinks) + " of " +
               with_commas(links.size());
        links.resize(kMostListedLinks);
    }
    properties.add_links(std::move(name), std::move(links), std::move(why));
}

void add_edge_links(std::vector<Link> triangles, std::vector<Link> ends, std::vector<Link> apexes,
                    Properties& properties) {
    for (Property& property : properties.list)
        if (property.name == "Triangles" || property.name == "Triangle") property.links = std::move(triangles);
    properties.add_links("Ends", std::move(ends));
    if (!apexes.empty()) properties.add_links("Opposite", std::move(apexes));
}

void add_other_diagonal(const std::string& name, bool fits, const Point3& from, const Point3& to,
                        Properties& properties, std::vector<Highlight>& highlights) {
    properties.add("Other diagonal", name,
                   fits ? "what the edge becomes when it flips"
                        : "it does not lie within the two triangles, so this edge cannot flip");
    highlights.push_back(
        Highlight::line(from, to, Role::kPlain, "the other diagonal, from " + name, Highlight::Style::kDashed));
}

bool other_diagonal_fits(Point from, Point to, Point left, Point right) {
    return orient2d(left, from, right) > 0 && orient2d(right, to, left) > 0;
}

void order_of_edge(Properties& properties) {
    for (const char* name : {"Triangles", "Other diagonal", "Opposite", "Ends", "Last pass", "Legal", "Edge"}) {
        auto& list = properties.list;
        const auto found =
            std::find_if(list.begin(), list.end(), [&](const Property& one) { return one.name == name; });
        if (found != list.end()) std::rotate(list.begin(), found, found + 1);
    }
}

void add_triangle_links(std::vector<Link> corners, std::vector<Link> edges, std::vector<Link> neighbours,
                        Properties& properties) {
    const bool one_each = neighbours.size() == edges.size();
    properties.add_links("Corners", std::move(corners));
    properties.add_links("Edges", std::move(edges));
    if (!neighbours.empty())
        properties.add_links("Neighbours", std::move(neighbours),
                             one_each ? "across these edges, in this order" : "across these edges");
}

void add_angles(const std::array<Point, 3>& corners, Properties& properties) {
    std::vector<double> angles;
    for (uint32_t k = 0; k < 3; ++k) {
        const Point a = corners[k], b = corners[(k + 1) % 3], c = corners[(k + 2) % 3];
        const double sine = std::fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
        const double cosine = (b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y);
        angles.push_back(std::atan2(sine, cosine) * 180 / 3.14159265358979323846);
    }
    properties.add("Angles", Value(std::move(angles), "°"), "at its corners, in this order");
}

Highlight outline_of_triangle(uint32_t triangle, std::vector<Point3> corners, Role role) {
    return Highlight::polygon(std::move(corners), role, "triangle " + std::to_string(triangle),
                              Highlight::Style::kThin);
}

void add_vertex_links(std::vector<Link> neighbours, std::vector<Link> triangles, const std::string& why_degree,
                      const std::string& order, Properties& properties) {
    properties.add("Degree", Value(neighbours.size()), why_degree);
    add_cut_links("Neighbours", std::move(neighbours), properties, order);
    add_cut_links("Triangles", std::move(triangles), properties);
}

double area_of_polygon(const std::vector<Point>& corners) {
    double twice = 0;
    for (size_t i = 1; i + 1 < corners.size(); ++i) {
        const Point p = corners[i], q = corners[i + 1], o = corners[0];
        twice += (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
    }
    return std::fabs(twice) / 2;
}

}  // namespace flipscope
