// Links from one element to those around it, in the same words and the same order in every report of an edge, a
// triangle or a vertex: of constructions and tori (explain.h), of triangles that need not fit together
// (explain_soup.h), of cells (voronoi/site_links.h). Nothing here looks at a mesh.
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
/// A list of them, if any; cut off where it is too long, which is then said after `why`.
void add_cut_links(std::string name, std::vector<Link> links, Properties& properties, std::string why = {});

/// Of an edge: the triangles beside the value of the property "Triangles" or "Triangle", where there is one; its ends,
/// and the vertices opposite to it, if any.
void add_edge_links(std::vector<Link> triangles, std::vector<Link> ends, std::vector<Link> apexes,
                    Properties& properties);
/// The other diagonal of the two triangles of an edge: "point 3 to point 9".
void add_other_diagonal(const std::string& name, bool fits, const Point3& from, const Point3& to,
                        Properties& properties, std::vector<Highlight>& highlights);
/// Whether the other diagonal lies in the quadrilateral of the two triangles.
bool other_diagonal_fits(Point from, Point to, Point left, Point right);
/// What it is, whether it flips, what lies around; then how that is known.
void order_of_edge(Properties& properties);

/// Of a triangle; neighbours across its edges, in their order.
void add_triangle_links(std::vector<Link> corners, std::vector<Link> edges, std::vector<Link> neighbours,
                        Properties& properties);
/// At the corners, in degrees, of a triangle that is not flat.
void add_angles(const std::array<Point, 3>& corners, Properties& properties);
Highlight outline_of_triangle(uint32_t triangle, std::vector<Point3> corners, Role role = Role::kPlain);

/// Of a vertex; `order`: of its neighbours, "clockwise", or empty.
void add_vertex_links(std::vector<Link> neighbours, std::vector<Link> triangles, const std::string& why_degree,
                      const std::string& order, Properties& properties);

/// Without its sign. Corners in order.
double area_of_polygon(const std::vector<Point>& corners);

}  // namespace flipscope
