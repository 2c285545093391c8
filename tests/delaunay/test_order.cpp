// The steps before the first triangle: the curve, the merging of copies, and the choice of the first triangle.
#include "delaunay/constructions/order.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "delaunay/constructions/seed.h"
#include "delaunay/runs.h"

using namespace flipscope;

namespace {

struct Ordered {
    OrderedPoints summary;
    std::vector<Point> positions;
    std::vector<uint32_t> inputs;
};
Ordered order(Context& context, const Geometry& input, uint32_t extra = 0) {
    Buffer<Point> positions("positions");
    Buffer<uint32_t> inputs("inputs");
    Ordered ordered;
    ordered.summary = order_points(context, std::make_shared<Geometry>(input), extra, positions, inputs);
    CHECK(positions.size() == input.points.size() + extra);
    CHECK(inputs.size() == input.points.size() + extra);
    ordered.positions = positions.download(ordered.summary.count);
    ordered.inputs = inputs.download(ordered.summary.count);
    return ordered;
}

double path_length(const std::vector<Point>& points) {
    double length = 0;
    for (size_t i = 1; i < points.size(); ++i)
        length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    return length;
}

}  // namespace

TEST_CASE("order: every distinct point once, under its first index, the same on every device") {
    std::vector<Input> inputs = hard_inputs();
    for (const char* text :
         {"uniform:0", "uniform:1", "duplicates:10000", "grid:2049", "normal:5000", "clusters:20000"})
        inputs.push_back(generated(text));
    for (const Input& input : inputs) {
        std::map<std::pair<double, double>, uint32_t> first;
        for (uint32_t i = 0; i < input->points.size(); ++i)
            first.try_emplace({input->points[i].x + 0.0, input->points[i].y + 0.0}, i);
        std::vector<uint32_t> reference;
        on_every_device([&](Context& context) {
            INFO(input->name);
            const Ordered ordered = order(context, *input, 4);
            CHECK(ordered.summary.count == first.size());
            std::set<uint32_t> seen;
            for (size_t v = 0; v < ordered.inputs.size(); ++v) {
                const Point p = ordered.positions[v];
                REQUIRE(ordered.inputs[v] < input->points.size());
                CHECK(p == input->points[ordered.inputs[v]]);
                CHECK(first.at({p.x + 0.0, p.y + 0.0}) == ordered.inputs[v]);
                CHECK(seen.insert(ordered.inputs[v]).second);
            }
            if (reference.empty()) reference = ordered.inputs;
            CHECK(ordered.inputs == reference);
            for (const Point& p : input->points) {
                CHECK(p.x >= ordered.summary.bounds.low.x);
                CHECK(p.y >= ordered.summary.bounds.low.y);
                CHECK(p.x <= ordered.summary.bounds.high.x);
                CHECK(p.y <= ordered.summary.bounds.high.y);
            }
        });
    }
}

TEST_CASE("order: neighbours along the curve are neighbours in the plane") {
    Context context(DeviceRequest::kCpu, 2);
    const Ordered random = order(context, *generated("uniform:20000"));
    CHECK(path_length(random.positions) < 1.0 * std::sqrt(20000.0));  // a Hilbert tour is about 0.92 √(n A)
    const Ordered grid = order(context, Geometry{"grid", lattice(64, 64, 1, {0, 0})});
    for (size_t i = 1; i < grid.positions.size(); ++i)
        CHECK(std::fabs(grid.positions[i].x - grid.positions[i - 1].x) +
                  std::fabs(grid.positions[i].y - grid.positions[i - 1].y) ==
              1);
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
