// The steps before the first triangle: the curve, and a triangle around all points.
#include "delaunay/constructions/order.h"

#include "delaunay/constructions/seed.h"
#include "delaunay/runs.h"

using namespace flipscope;

namespace {

std::vector<Point> in_order(Context& context, const Input& input) {
    Buffer<Point> positions("positions");
    Buffer<uint32_t> inputs("inputs");
    const OrderedPoints ordered = order_points(context, input, 0, positions, inputs);
    return positions.download(ordered.count);
}

double path_length(const std::vector<Point>& points) {
    double length = 0;
    for (size_t i = 1; i < points.size(); ++i)
        length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    return length;
}

}  // namespace

TEST_CASE("order: neighbours along the curve are neighbours in the plane") {
    Context context(DeviceRequest::kCpu, 2);
    CHECK(path_length(in_order(context, generated("uniform:20000"))) <
          1.0 * std::sqrt(20000.0));  // a Hilbert tour is about 0.92 √(n A)
    const std::vector<Point> grid = in_order(context, make_input("grid", lattice(64, 64, 1, {0, 0})));
    for (size_t i = 1; i < grid.size(); ++i)
        CHECK(std::fabs(grid[i].x - grid[i - 1].x) + std::fabs(grid[i].y - grid[i - 1].y) == 1);
}

TEST_CASE("seed: a supertriangle holds all points strictly") {
    Context context(DeviceRequest::kCpu, 1);
    for (const Input& input : hard_inputs()) {
        if (input->name == "every magnitude" || input->name == "the borders of the range") continue;
        INFO(input->name);
        Buffer<Point> positions("positions");
        Buffer<uint32_t> inputs("inputs");
        const OrderedPoints ordered = order_points(context, input, 0, positions, inputs);
        Point corner[3];
        make_supertriangle(context, positions.view(), ordered.count, ordered.bounds, corner);
        size_t outside = 0;
        for (const Point& p : input->points)
            for (int k = 0; k < 3; ++k) outside += orient2d(corner[k], corner[(k + 1) % 3], p) <= 0;
        CHECK(outside == 0);
    }
}

TEST_CASE("seed: a supertriangle is equilateral, and twice as large as the points need") {
    Context context(DeviceRequest::kCpu, 1);
    Buffer<Point> positions("positions");
    Buffer<uint32_t> inputs("inputs");
    const Input input = make_input("a square", {{0, 0}, {6, 0}, {6, 8}, {0, 8}});
    const OrderedPoints ordered = order_points(context, input, 0, positions, inputs);
    Point corner[3];
    make_supertriangle(context, positions.view(), ordered.count, ordered.bounds, corner);
    for (int k = 0; k < 3; ++k) {
        const Point p = corner[k], q = corner[(k + 1) % 3];
        const double side = std::hypot(q.x - p.x, q.y - p.y);
        // Twice the distance from the middle of the points to the farthest one.
        CHECK(orient2d_value(p, q, {3, 4}) / side == doctest::Approx(2 * 5));
        CHECK(side == doctest::Approx(2 * 10 * std::sqrt(3.0)));
    }
}

TEST_CASE("order: without points there are no strips, whatever the last input was") {
    Context context(DeviceRequest::kCpu, 1);
    Buffer<Point> positions("positions");
    Buffer<uint32_t> inputs("inputs");
    PointStrips strips;
    for (const char* text : {"uniform:100", "uniform:0", "line:3"}) {
        const Input input = generated(text);
        const OrderedPoints ordered = order_in_strips(context, input, 7, 0, positions, inputs, strips);
        CHECK(ordered.count == input->points.size());
        CHECK(strips.count == std::min<size_t>(7, input->points.size()));
        if (strips.count == 0) continue;
        const std::vector<uint32_t> begins = strips.begins.download(strips.count + 1);
        CHECK(begins.front() == 0);
        CHECK(begins.back() == ordered.count);
        CHECK(std::adjacent_find(begins.begin(), begins.end(), std::greater_equal<>()) == begins.end());
    }
}

TEST_CASE("order: the two zeros are one coordinate") {
    Context context(DeviceRequest::kCpu, 1);
    // All but the last are in one cell of the curve.
    const Input input =
        make_input("zeros", {{-0.0, 0}, {-0.0, 1e-9}, {0.0, 0}, {0.0, 1e-9}, {1e-9, -0.0}, {1000, 1000}});
    CHECK(in_order(context, input).size() == 4);
    Buffer<Point> positions("positions");
    Buffer<uint32_t> inputs("inputs");
    PointStrips strips;
    CHECK(order_in_strips(context, input, 2, 0, positions, inputs, strips).count == 4);
}
