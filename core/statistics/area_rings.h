// What study areas and their cells share: the points where rings meet, and the cells at the border.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/buffer.h"
#include "flipscope/voronoi.h"
#include "geometry/point.h"

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

struct MeasuredMesh;
/// Adds these cells to those of ElementMeasures::write_cells(), in slabs between the heights of their corners. The side
/// of a triangle that is opposite its first corner lies on the border of the cell. Returns the number of triangles.
uint32_t add_cut_cells(Context& context, const MeasuredMesh& mesh, Buffer<Point>& corners, Buffer<uint32_t>& owners);

}  // namespace flipscope
