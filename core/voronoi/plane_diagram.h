// The Voronoi diagram of points of the plane, read off their Delaunay triangulation: vertices, ridges and regions as
// plain arrays. For programs that use the library; the labs' diagrams live on a lattice (colour_lattice.h). Host code.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/context.h"
#include "geometry/point.h"
#include "mesh/vertex_rows.h"

namespace flipscope {

struct PlaneDiagram {
    /// (v) the centres of the empty circles, world units: one for each set of cocircular points, which is decided
    /// exactly. The coordinates are rounded, and those of nearly flat triangles have few right digits.
    std::vector<Point> vertices;
    std::vector<uint32_t> vertex_of;  // (t) the Voronoi vertex of each triangle
    // One for each pair of points whose cells share more than one place. Ascending by the triangle on the left of the
    // way from the first point to the second.
    std::vector<std::array<uint32_t, 2>> ridge_points;  // (r, 2)
    /// (r, 2) the ends of the ridge: the vertex on the right of that way, then the one on its left. kNone: at infinity.
    std::vector<std::array<uint32_t, 2>> ridge_vertices;
    // (n + 1), and the vertices of each point's region counter-clockwise; where it is unbounded kNone comes first.
    // Points without a triangle (copies) have none. Where all points are on a line, the distinct ones have kNone alone.
    std::vector<uint32_t> region_starts, region_vertices;
};

/// `triangles`, `neighbours`: (t, 3) of triangulate() over `points` (n), `path` its path, `rows` of vertex_rows() over
/// these. All in host memory. Throws Cancelled.
PlaneDiagram plane_diagram(Context& context, std::span<const Point> points, TriangleSpan triangles,
                           TriangleSpan neighbours, std::span<const uint32_t> path, const VertexRows& rows);

/// The centre of the circle through three points that turn counter-clockwise, rounded. World units.
Point circumcentre(Point a, Point b, Point c);

}  // namespace flipscope
