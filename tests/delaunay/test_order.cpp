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
