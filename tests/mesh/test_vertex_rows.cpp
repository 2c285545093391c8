// The neighbours of each point, from the arrays of triangulate(). tests/voronoi/test_plane_diagram.cpp has the
// diagrams.
#include <algorithm>

#include "flipscope/triangulate.h"
#include "flipscope/voronoi.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Row = std::vector<uint32_t>;

VertexRows rows_of(const std::vector<Point>& points) {
    Context context(DeviceRequest::kCpu, 1);
    const Triangulation made = triangulate(context, points);
    return vertex_rows(context, static_cast<uint32_t>(points.size()), made.triangles, made.neighbours, made.path);
}
Row row_of(const VertexRows& rows, size_t point) {
    const auto row = rows.row(point);
    return {row.begin(), row.end()};
}

}  // namespace

TEST_CASE("vertex rows: counter-clockwise, on the outline from the successor to the predecessor") {
    const VertexRows rows = rows_of({{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 1}, {1, 1}});
    CHECK(row_of(rows, 0) == Row{1, 4, 3});
    CHECK(row_of(rows, 2) == Row{3, 4, 1});
    Row around = row_of(rows, 4);
    std::rotate(around.begin(), std::min_element(around.begin(), around.end()), around.end());
    CHECK(around == Row{0, 1, 2, 3});
    CHECK(row_of(rows, 5).empty());
    CHECK(rows.on_outline == std::vector<uint8_t>{1, 1, 1, 1, 0, 0});
}

TEST_CASE("vertex rows: of points on one line, predecessor and successor") {
    const VertexRows rows = rows_of({{2, 0}, {0, 0}, {1, 0}, {1, 0}});
    CHECK(row_of(rows, 0) == Row{2});
    CHECK(row_of(rows, 1) == Row{2});
    Row middle = row_of(rows, 2);
    std::sort(middle.begin(), middle.end());
    CHECK(middle == Row{0, 1});
    CHECK(row_of(rows, 3).empty());
    CHECK(rows.on_outline == std::vector<uint8_t>{1, 1, 1, 0});
}
