// From the arrays of triangulate() to the neighbours of each point, the Voronoi diagram of the plane, its cells cut to
// a box or a study area, and Lloyd's iteration by them. On the host, on the context's threads; diagrams on a lattice
// are in colour_lattice.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/context.h"
#include "flipscope/point.h"
#include "flipscope/study_area.h"

namespace flipscope {

/// The vertices around each point of a triangulation in plain arrays, as those of triangulate().
struct VertexRows {
    std::vector<uint32_t> triangle_of;  // (n) the lowest triangle at each point; kNone: none
    std::vector<uint32_t> starts;       // (n + 1) where the row of each point begins in `neighbours`
    /// Counter-clockwise around each point: for an interior point from the corner that follows it in its lowest
    /// triangle; for a point on the outline from its successor on the outline to its predecessor. So a point with d
    /// neighbours has d - 1 triangles on the outline, else d.
    std::vector<uint32_t> neighbours;
    std::vector<uint8_t> on_outline;  // (n)
    std::span<const uint32_t> row(size_t point) const {
        return {neighbours.data() + starts[point], starts[point + 1] - starts[point]};
    }
};

/// `triangles`, `neighbours`: (t, 3) of a triangulation of `n` points in which every point has one fan of triangles, as
/// triangulate() makes them. `path`: without triangles, the distinct points along their line; the neighbours of a point
/// are then its predecessor and successor. All in host memory. Throws Cancelled.
VertexRows vertex_rows(Context& context, uint32_t n, TriangleSpan triangles, TriangleSpan neighbours,
                       std::span<const uint32_t> path = {});

/// Calls visit(triangle) for the triangles around a point, counter-clockwise, from the beginning of its row.
template <class Visit>
void visit_star(uint32_t point, const VertexRows& rows, TriangleSpan triangles, TriangleSpan neighbours,
                const Visit& visit) {
    const auto place_in = [&](uint32_t t) {
        return triangles[t][0] == point ? 0u : triangles[t][1] == point ? 1u : 2u;
    };
    uint32_t t = rows.triangle_of[point];
    if (t == kNone) return;
    // Clockwise to the outline, across the edge from the point to the corner after it.
    if (rows.on_outline[point])
        for (uint32_t right; (right = neighbours[t][(place_in(t) + 2) % 3]) != kNone;) t = right;
    const uint32_t first = t;
    do {
        visit(t);
        t = neighbours[t][(place_in(t) + 1) % 3];
    } while (t != kNone && t != first);
}

/// The Voronoi diagram as plain arrays: vertices, ridges and regions.
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

struct CellMeasure {
    double area = 0;    // world units squared; 0: none of the cell is in the area
    Point centroid;     // world units; without area the point itself
    double energy = 0;  // the squared distance to the point, integrated over the cell; world units to the fourth power
    double perimeter = 0;  // of the part, holes included; world units
};

/// The parts of each point's cell within a study area, as polygons with holes. Indices into the next level's `starts`.
struct CellRings {
    std::vector<uint32_t> part_starts;  // (n + 1) of each point
    std::vector<uint32_t> ring_starts;  // (parts + 1) the first ring is the outline, counter-clockwise, then the holes
    std::vector<uint32_t> corner_starts;  // (rings + 1)
    std::vector<Point> corners;           // world units; open rings, holes clockwise
    std::vector<uint8_t> is_cut;          // (n) the border of the area cuts the cell
};

/// (n) the cells in the area: a rectangle, or polygons with holes. `rows`: of vertex_rows() over the triangulate()d
/// points. Which parts a cell has, and between which of its neighbours they end, is decided exactly; only coordinates
/// are rounded, those of a common corner in the same way in all cells, so that the areas add up to that of the area.
/// The same result for any number of threads. Throws Error for a periodic area, and Cancelled.
CellRings cells_in(Context& context, std::span<const Point> points, const VertexRows& rows, const StudyArea& area);
/// (n) their measures, in doubles relative to the point; a cell of several parts has the centroid of them all.
std::vector<CellMeasure> measure_cells(Context& context, std::span<const Point> points, const CellRings& cells);

struct LloydIteration {
    double energy = 0;        // of all cells, before the points move
    double largest_move = 0;  // world units
};

/// Moves every point to the centroid of its cell in the area (S. P. Lloyd, Least squares quantization in PCM, 1982), so
/// many times. Copies move with the point that they equal; a point whose cell is outside of the area stays. The same
/// result on every device and for any number of threads. Throws Error for a coordinate out of range, and as cells_in().
std::vector<LloydIteration> relax_in(Context& context, std::vector<Point>& points, const StudyArea& area,
                                     uint32_t iterations);

}  // namespace flipscope
