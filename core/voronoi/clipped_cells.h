// Voronoi cells of the plane cut to a box: their corners, areas, centroids and moments, and Lloyd's iteration by them.
// For programs that use the library; the Voronoi lab's cells are pixels (lloyd.h). Host code, on the context's threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/context.h"
#include "geometry/point.h"
#include "mesh/vertex_rows.h"

namespace flipscope {

struct PlaneBox {
    Point low, high;  // world units, low < high
};

struct CellMeasure {
    double area = 0;    // world units squared; 0: none of the cell is in the box
    Point centroid;     // world units; without area the point itself
    double energy = 0;  // the squared distance to the point, integrated over the cell; world units to the fourth power
};

/// (n) of each point the part of its cell within the box. `rows`: of vertex_rows() over the points' triangulation. A
/// copy of an earlier point has no area. A cell is the box cut by the bisector to each neighbour in turn; as these come
/// counter-clockwise, a cell of d neighbours takes O(d). In doubles, relative to the point. Throws Cancelled.
std::vector<CellMeasure> measure_cells(Context& context, std::span<const Point> points, const VertexRows& rows,
                                       const PlaneBox& box);

/// (n + 1), and the corners of each point's cell, counter-clockwise.
struct CellPolygons {
    std::vector<uint32_t> starts;
    std::vector<Point> corners;  // world units
};
CellPolygons cell_polygons(Context& context, std::span<const Point> points, const VertexRows& rows,
                           const PlaneBox& box);

struct LloydIteration {
    double energy = 0;        // of all cells, before the points move
    double largest_move = 0;  // world units
};

/// Moves every point to the centroid of its cell within the box (S. P. Lloyd, Least squares quantization in PCM, 1982),
/// so many times. Copies move with the point that they equal; a point whose cell is outside of the box stays. The same
/// result on every device and for any number of threads. Throws Error for a coordinate out of range, and for a box that
/// is empty or not finite.
std::vector<LloydIteration> relax_in_box(Context& context, std::vector<Point>& points, const PlaneBox& box,
                                         uint32_t iterations);

}  // namespace flipscope
