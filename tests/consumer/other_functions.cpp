// What docs/library.md names without an example, called once each by a program that has the installed headers alone.
#include <flipscope/detect_events.h>
#include <flipscope/interpolate.h>
#include <flipscope/structure_factor.h>
#include <flipscope/triangulate.h>
#include <flipscope/voronoi.h>

#include <cmath>
#include <cstdio>

using namespace flipscope;

int main() {
    const std::vector<Point> points{{1, 1}, {3, 1}, {3, 3}, {1, 3}, {2, 2}};
    Context context(DeviceRequest::kCpu, 2);
    const Triangulation made = triangulate(context, points);
    if (triangulation_hash(context, made.triangles) != made.hash || hash_points(context, points) == 0) return 1;

    Triangulator triangulator(context);
    const DeviceTriangulation& resident = triangulator.triangulate_on_device({points.data(), points.size()});
    if (triangulator.mesh().edges.count != 2 * (3 * 6 - 6)) return 2;
    PointLocator locator(context, {points.data(), points.size()}, resident.triangles.view(),
                         resident.neighbours.view());
    const Point query{2, 1.5}, outside{9, 9};
    uint32_t found = kNone, none = 0;
    locator.locate({&query, 1}, {&found, 1});
    locator.locate({&outside, 1}, {&none, 1});
    if (found >= made.triangles.size() || none != kNone) return 3;

    const std::vector<double> heights{0, 0, 0, 0, 8};
    const std::vector<double> between =
        interpolate(context, points, heights, std::vector<Point>{{2, 1.5}}, Interpolation::kNatural);
    if (!(between[0] > 3 && between[0] < 6)) return 8;

    const VertexRows rows = vertex_rows(context, 5, made.triangles, made.neighbours, made.path);
    size_t around = 0;
    visit_star(4, rows, made.triangles, made.neighbours, [&](uint32_t) { ++around; });
    if (rows.row(4).size() != 4 || around != 4) return 4;

    const PlaneDiagram diagram = plane_diagram(context, points, made.triangles, made.neighbours, made.path, rows);
    const StudyArea area = area_of_rectangle({0, 0}, {4, 4});
    const CellRings rings = cells_in(context, points, rows, area);
    const std::vector<CellMeasure> cells = measure_cells(context, points, rings);
    if (diagram.vertices.size() != 4 || std::fabs(cells[4].area - 2) > 1e-12 || rings.corners.size() < 16) return 5;
    if (structure_factor(context, points, area).tiles != 1) return 8;
    std::vector<Point> moved = points;
    if (relax_in(context, moved, area, 3).size() != 3) return 6;

    const std::vector<float> field{0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0};
    const std::vector<Bubble> bubbles = find_bubbles(context, {.width = 6, .height = 2}, field, 0.5);
    std::printf("%zu bubbles on %s\n", bubbles.size(), context.device_name().c_str());
    return bubbles.size() == 1 && bubbles[0].area == 3 ? 0 : 7;
}
