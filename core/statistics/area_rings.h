// What study areas and their cells share: the points where rings meet, and the cells at the border.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/buffer.h"
#include "flipscope/voronoi.h"
#include "geometry/point.h"
#include "statistics/area_view.h"

namespace flipscope {

struct RingJunction {
    Point at;
    std::vector<uint32_t> passages;  // the side that leaves on each passage, numbered ring by ring
    struct Ray {
        Point to;          // the other end of a side that meets here
        uint32_t passage;  // index in `passages`
        bool leaves;
    };
    std::vector<Ray> rays;  // counter-clockwise by direction
};

/// All points where corners coincide. Exact.
std::vector<RingJunction> junctions_of(const std::vector<std::vector<Point>>& rings);

/// As cells_in(), but without the cells that the border does not meet.
CellRings cut_cells_in(Context& context, std::span<const Point> points, const VertexRows& rows, const StudyArea& area);

/// What the sides bound by the even-odd rule, in trapezoids: (6 each) the corners of two triangles. The side of a
/// triangle that is opposite its first corner lies on one of `sides`.
std::vector<Point> trapezoids_of(std::vector<AreaSide> sides);

struct MeasuredMesh;
/// Adds these cells, as trapezoids, to those of ElementMeasures::write_cells(). Returns the number of triangles.
uint32_t add_cut_cells(Context& context, const MeasuredMesh& mesh, Buffer<Point>& corners, Buffer<uint32_t>& owners);

}  // namespace flipscope
