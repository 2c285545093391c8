// The triangles of many points at once, compared with a search over all triangles.
#include "flipscope/triangulate.h"

#include <limits>
#include <random>

#include "delaunay/inputs.h"
#include "flipscope/predicates.h"
#include "test_support.h"

using namespace flipscope;

namespace {

std::vector<uint32_t> located(Context& context, const std::vector<Point>& points, const std::vector<Point>& queries) {
    Buffer<Point> on_device("points"), asked("queries");
    Buffer<uint32_t> found("found");
    on_device.upload(context, points.data(), points.size());
    asked.upload(context, queries.data(), queries.size());
    found.resize(context, queries.size());
    const DeviceTriangulation made = triangulate_on_device(context, on_device.view());
    PointLocator locator(context, on_device.view(), made.triangles.view(), made.neighbours.view());
    locator.locate(asked.view(), found.view());
    return found.download();
}

std::vector<uint32_t> located_by_hand(const std::vector<Point>& points, const std::vector<Point>& queries) {
    const Triangulation made = triangulate(points, {.device = DeviceRequest::kCpu});
    std::vector<uint32_t> found;
    for (const Point q : queries) {
        found.push_back(kNone);
        for (uint32_t t = 0; t < made.triangles.size() && found.back() == kNone; ++t) {
            const auto [a, b, c] = made.triangles[t];
            if (orient2d(points[a], points[b], q) >= 0 && orient2d(points[b], points[c], q) >= 0 &&
                orient2d(points[c], points[a], q) >= 0)
                found.back() = t;
        }
    }
    return found;
}

}  // namespace

TEST_CASE("points are found in the lowest triangle that holds them, on every device") {
    std::vector<Input> inputs = hard_inputs();
    inputs.push_back(generated("clusters:300"));
    for (const Input& input : inputs) {
        if (input->points.empty() || input->points.size() > 1000) continue;
        const std::vector<Point>& points = input->points;
        std::mt19937_64 random(1);
        std::uniform_int_distribution<size_t> any(0, points.size() - 1);
        std::vector<Point> queries(points.begin(), points.begin() + std::min<ptrdiff_t>(40, ptrdiff_t(points.size())));
        for (size_t i = 0; i < 100; ++i) {
            const Point a = points[any(random)], b = points[any(random)], c = points[any(random)];
            queries.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2});
            queries.push_back(
                {a.x + 0.7 * (b.x - a.x) + 0.6 * (c.x - a.x), a.y + 0.7 * (b.y - a.y) + 0.6 * (c.y - a.y)});
        }
        for (Point& q : queries)
            if (!coordinate_in_range(q.x) || !coordinate_in_range(q.y)) q = points[0];
        const std::vector<uint32_t> expected = located_by_hand(points, queries);
        // So many that they are sorted first, too.
        std::vector<Point> many;
        while (many.size() < 4096) many.insert(many.end(), queries.begin(), queries.end());
        on_every_device([&](Context& context) {
            INFO(input->name);
            CHECK(located(context, points, queries) == expected);
            const std::vector<uint32_t> found = located(context, points, many);
            CHECK(std::equal(expected.begin(), expected.end(), found.end() - ptrdiff_t(expected.size())));
        });
    }
}

TEST_CASE("what has no place is in no triangle, and what cannot be decided is an error") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
    const std::vector<Point> points{{0, 0}, {1, 0}, {0, 1}};
    on_every_device([&](Context& context) {
        CHECK(located(context, points, {{nan, 0}, {0, infinite}, {-1e300, 0}, {0.6, 0.6}, {0.2, 0.2}}) ==
              std::vector<uint32_t>{kNone, kNone, kNone, kNone, 0});
        // A copy is in no triangle, and no walk begins there, even from a corner without points.
        CHECK(located(context, {{1, 0}, {0, 1}, {2, 2}, {2, 2}}, {{1e-9, 1e-9}, {1, 1}, {2, 2}}) ==
              std::vector<uint32_t>{kNone, 0, 0});
        CHECK(located(context, {{0, 0}, {1, 1}, {2, 2}}, {{1, 1}}) == std::vector<uint32_t>{kNone});
        CHECK_THROWS_WITH_AS(
            located(context, points, {{0, 0}, {0.5, 1e-80}}),
            "query 1: a coordinate is not 0 and smaller than 2^-200, so that its place cannot be decided "
            "exactly",
            Error);
    });
}
