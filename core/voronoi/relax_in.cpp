#include <algorithm>
#include <cmath>

#include "compute/cancel.h"
#include "flipscope/triangulate.h"
#include "flipscope/voronoi.h"
#include "geometry/range_check.h"

namespace flipscope {

std::vector<LloydIteration> relax_in(Context& context, std::vector<Point>& points, const StudyArea& area,
                                     uint32_t iterations) {
    const CancelScope scope(context.cancel_flag());
    require_in_range(points, "point");
    Triangulator triangulator(context, {.hull = false, .hash = false});
    std::vector<LloydIteration> made;
    for (uint32_t i = 0; i < iterations; ++i) {
        const Triangulation now = triangulator.triangulate(points);
        const auto n = static_cast<uint32_t>(points.size());
        const VertexRows rows = vertex_rows(context, n, now.triangles, now.neighbours, now.path);
        const std::vector<CellMeasure> cells = measure_cells(context, points, cells_in(context, points, rows, area));
        LloydIteration iteration;
        for (uint32_t v = 0; v < n; ++v) {
            if (!now.duplicate_of.empty() && now.duplicate_of[v] != v) {
                points[v] = points[now.duplicate_of[v]];
                continue;
            }
            iteration.energy += cells[v].energy;
            Point to = cells[v].centroid;
            if (std::fabs(to.x) < kMinCoordinate) to.x = 0;  // coordinates that the predicates accept
            if (std::fabs(to.y) < kMinCoordinate) to.y = 0;
            iteration.largest_move =
                std::max(iteration.largest_move, std::hypot(to.x - points[v].x, to.y - points[v].y));
            points[v] = to;
        }
        made.push_back(iteration);
    }
    return made;
}

}  // namespace flipscope
