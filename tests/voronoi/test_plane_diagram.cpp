// The Voronoi diagram of the plane and its cells in a box: counts, and that the result is the same for any number of
// threads. Python tests the geometry of cells against oracles that share nothing with the core.
#include "flipscope/voronoi.h"

#include <cmath>
#include <set>

#include "delaunay/inputs.h"
#include "flipscope/triangulate.h"
#include "geometry/bounds.h"
#include "test_support.h"

using namespace flipscope;

TEST_CASE("plane diagrams: rows, regions, ridges and areas agree") {
    std::vector<Input> inputs = hard_inputs();
    inputs.push_back(generated("grid:400"));
    inputs.push_back(generated("uniform:3000"));
    for (const Input& input : inputs) {
        if (input->points.empty() || input->points.size() > 4000) continue;
        INFO(input->name);
        Context context(DeviceRequest::kCpu, 2);
        const std::vector<Point>& points = input->points;
        const auto n = static_cast<uint32_t>(points.size());
        const Triangulation made = triangulate(context, points);
        const VertexRows rows = vertex_rows(context, n, made.triangles, made.neighbours, made.path);
        const PlaneDiagram diagram = plane_diagram(context, points, made.triangles, made.neighbours, made.path, rows);
        size_t at_infinity = 0, ends = 0;
        std::set<std::array<uint32_t, 2>> pairs;
        for (size_t r = 0; r < diagram.ridge_points.size(); ++r) {
            const auto [a, b] = diagram.ridge_points[r];
            CHECK(pairs.insert({std::min(a, b), std::max(a, b)}).second);
            at_infinity += diagram.ridge_vertices[r][0] == kNone;
            ends += (diagram.ridge_vertices[r][0] != kNone) + (diagram.ridge_vertices[r][1] != kNone);
        }
        const auto links = rows.neighbours.size() / 2;
        CHECK(pairs.size() <= links);
        size_t regions = 0, corners = 0;
        for (uint32_t v = 0; v < n; ++v) {
            const uint32_t count = diagram.region_starts[v + 1] - diagram.region_starts[v];
            regions += count > 0;
            corners += count - (count > 0 && diagram.region_vertices[diagram.region_starts[v]] == kNone);
        }
        if (!made.triangles.empty()) {
            CHECK(at_infinity == made.hull.size());
            // Euler, with a vertex at infinity: v + 1 - r + f = 2.
            CHECK(diagram.vertices.size() + 1 + regions == diagram.ridge_points.size() + 2);
            CHECK(corners == ends);  // around each vertex as many regions as ridges
        }
        // Cells fill the box, which some of the points lie outside of.
        const auto [low, high] = bounds_of(points);
        const double size =
            std::max({high.x - low.x, high.y - low.y, std::ldexp(std::abs(low.x) + std::abs(low.y), -40)});
        if (size > 0x1p190 || size == 0) continue;  // no area that a double can have
        const StudyArea box =
            area_of_rectangle({low.x - size / 4, low.y - size / 2}, {high.x - size / 8, high.y + size / 8});
        double area = 0;
        const std::vector<CellMeasure> cells = measure_cells(context, points, cells_in(context, points, rows, box));
        for (const CellMeasure& cell : cells) area += cell.area;
        CHECK(area == doctest::Approx(box.area()).epsilon(1e-6));
        Context alone(DeviceRequest::kCpu, 1);
        const std::vector<CellMeasure> again = measure_cells(alone, points, cells_in(alone, points, rows, box));
        bool same = true;
        for (size_t v = 0; v < n; ++v)
            same = same && again[v].area == cells[v].area && again[v].centroid == cells[v].centroid;
        CHECK(same);
    }
}

TEST_CASE("Lloyd's iteration in a rectangle or a polygon lowers the energy, and refuses an area without inside") {
    Context context(DeviceRequest::kCpu, 2);
    for (const StudyArea& area :
         {area_of_rectangle({0, 0}, {1, 1}), area_of_rings({{{0.1, 0.1}, {0.9, 0.2}, {0.4, 0.9}}})}) {
        std::vector<Point> points = generated("uniform:300")->points;
        const std::vector<LloydIteration> made = relax_in(context, points, area, 8);
        REQUIRE(made.size() == 8);
        for (size_t i = 1; i < made.size(); ++i) CHECK(made[i].energy < made[i - 1].energy);
    }
    std::vector<Point> two{{0, 0}, {1, 1}};
    CHECK_THROWS_AS(relax_in(context, two, area_of_rectangle({0, 0}, {0, 1}), 1), Error);
}
