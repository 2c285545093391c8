// Links from one element to its neighbours, with the same words and order in every report of an edge, a triangle or a
// vertex: of constructions and tori (explain.h), of arbitrary triangles (explain_soup.h), of cells
// (voronoi/site_links.h). Nothing here reads a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/report.h"

namespace flipscope {

Link triangle_link(uint32_t triangle, uint32_t part = 0);
Link edge_link(uint32_t edge, uint32_t part = 0);
inline constexpr size_t kMostListedLinks = 24;  // in one property
/// Adds a list of links, unless it is empty. A long list is cut, and the text after `why` says so.
void add_cut_links(std::string name, std::vector<Link> links, Properties& properties, std::string why = {});

/// For an edge: links its triangles from the property "Triangles" or "Triangle", if present, and adds its ends and the
/// opposite vertices, if any.
void add_edge_links(std::vector<Link> triangles, std::vector<Link> ends, std::vector<Link> apexes,
                    Properties& properties);
/// The other diagonal of the two triangles of an edge: "point 3 to point 9".
void add_other_diagonal(const std::string& name, bool fits, const Point3& from, const Point3& to,
                        Properties& properties, std::vector<Highlight>& highlights);
/// Whether the other diagonal lies in the quadrilateral of the two triangles.
bool other_diagonal_fits(Point from, Point to, Point left, Point right);
/// Sorts the properties of an edge: what it is, whether it flips, its neighbours, then the evidence.
void order_of_edge(Properties& properties);

/// For a triangle; `neighbours` lie across `edges`, in the same order.
void add_triangle_links(std::vector<Link> corners, std::vector<Link> edges, std::vector<Link> neighbours,
                        Properties& properties);
/// Adds the angles at the corners, in degrees, unless the triangle is flat.
void add_angles(const std::array<Point, 3>& corners, Properties& properties);
Highlight outline_of_triangle(uint32_t triangle, std::vector<Point3> corners, Role role = Role::kPlain);

/// For a vertex; `order`: of its neighbours, "clockwise", or empty.
void add_vertex_links(std::vector<Link> neighbours, std::vector<Link> triangles, const std::string& why_degree,
                      const std::string& order, Properties& properties);

/// The unsigned area. Corners in order.
double area_of_polygon(const std::vector<Point>& corners);

}  // namespace flipscope
