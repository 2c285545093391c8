// sanitizers: none
// Statistics of points alone, against brute force.
#include "statistics/point_statistics.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "delaunay/constructions/strips.h"
#include "delaunay/inputs.h"
#include "flipscope/spatial.h"
#include "geometry/generators.h"
#include "statistics/area_view.h"
#include "statistics/random_expectation.h"
#include "statistics/summary.h"
#include "test_support.h"

using namespace flipscope;

namespace {

struct PointsCase {
    std::string text;
    Window window;
};
std::vector<PointsCase> point_cases() {
    return {{"uniform:300@seed=5", {{0, 0}, {1, 1}}},
            {"uniform:300@seed=5", {{0, 0}, {1, 1}, true, true}},
            {"uniform:300@seed=5", {{0, 0}, {1, 1}, true, false}},
            {"uniform:300@seed=6", {{0, 0.25}, {1, 0.875}, true, false}},
            {"uniform:300@seed=7", {{0.125, 0}, {1, 1}, false, true}},
            {"uniform:400@seed=2,scale=3,x=100", {{100.5, 0.25}, {102.5, 1.75}}},
            {"grid:400", {{0, 0}, {20, 20}, true, true}},
            {"grid:400", {{0, 0}, {20, 20}, false, true}},
            {"duplicates:250", {{0, 0}, {1, 1}}}};
}

Buffer<Point> uploaded(Context& context, const std::vector<Point>& points) {
    Buffer<Point> resident("points");
    resident.upload(context, points.data(), points.size());
    return resident;
}

StudyArea area_of(const Window& w) { return {w.low, w.high, w.periodic_x, w.periodic_y}; }

double wrapped(double d, double side) { return d > side / 2 ? d - side : d < -side / 2 ? d + side : d; }

std::vector<Point> in_window(const std::vector<Point>& points, const Window& w) {
    std::vector<Point> inside;
    for (const Point& p : points)
        if (p.x >= w.low.x && p.x <= w.high.x && p.y >= w.low.y && p.y <= w.high.y) inside.push_back(p);
    return inside;
}

double squared(const Window& w, Point a, Point b) {
    const double x = b.x - a.x, y = b.y - a.y;
    return std::pow(w.periodic_x ? wrapped(x, w.width()) : x, 2) +
           std::pow(w.periodic_y ? wrapped(y, w.height()) : y, 2);
}

}  // namespace

TEST_CASE("number variance: counts are those of all points in the circles") {
    for (const PointsCase& each : point_cases()) {
        const Geometry input = generate(parse_generator(each.text));
        const std::vector<Point> points = in_window(input.points, each.window);
        const double reach = 0.2 * each.window.width();
        INFO(each.text);
        on_every_device([&](Context& context) {
            const Buffer<Point> resident = uploaded(context, input.points);
            PointGrid grid;
            grid.build(context, each.window, resident.view(), reach / 3);
            const NumberVariance variance = number_variance(context, area_of(each.window), grid, reach, 8);
            REQUIRE(variance.radii.size() == 8);
            for (const size_t k : {size_t(1), size_t(7)}) {
                double sum = 0, squares = 0;
                const auto across = uint32_t(std::lround(std::sqrt(variance.circles)));
                const Point margin{each.window.periodic_x ? 0 : reach, each.window.periodic_y ? 0 : reach};
                for (uint32_t i = 0; i < variance.circles; ++i) {
                    const Point p{each.window.low.x + margin.x +
                                      (i % across + 0.5) / across * (each.window.width() - 2 * margin.x),
                                  each.window.low.y + margin.y +
                                      (i / across + 0.5) / across * (each.window.height() - 2 * margin.y)};
                    double inside = 0;
                    for (const Point& q : points)
                        inside += std::floor(std::sqrt(squared(each.window, p, q)) * (8 / reach)) <= double(k);
                    sum += inside;
                    squares += inside * inside;
                }
                const double mean = sum / variance.circles;
                CHECK(variance.means[k] == doctest::Approx(mean).epsilon(1e-12));
                CHECK(variance.variances[k] == doctest::Approx(squares / variance.circles - mean * mean).epsilon(1e-9));
            }
        });
    }
}

TEST_CASE("number variance: circles of a polygon lie within it") {
    const StudyArea area =
        area_of_rings({{{0, 0}, {4, 0}, {4, 1.5}, {1.5, 1.5}, {1.5, 4}, {0, 4}}, {{0.6, 0.6}, {0.9, 0.6}, {0.9, 0.9}}});
    const Geometry input = generate(parse_generator("uniform:3000@seed=4"));
    std::vector<Point> points;
    for (const Point p : input.points) points.push_back({4 * p.x, 4 * p.y});
    const std::vector<Point> inside = points_inside(area, points);
    constexpr double kReach = 0.3;
    const AreaIndex index(area);
    double circles = 0, sum = 0, squares = 0;
    for (uint32_t i = 0; i < 128 * 128; ++i) {
        const Point p{kReach + (i % 128 + 0.5) / 128 * (4 - 2 * kReach),
                      kReach + (i / 128 + 0.5) / 128 * (4 - 2 * kReach)};
        if (index.view().depth(p) < kReach) continue;
        double count = 0;
        for (const Point q : inside) count += std::hypot(p.x - q.x, p.y - q.y) < kReach;
        ++circles, sum += count, squares += count * count;
    }
    REQUIRE(circles > 1000);
    on_every_device([&](Context& context) {
        SpatialStatistics spatial(context, area);
        spatial.set_points(points);
        const NumberVariance variance = number_variance(context, area, spatial.grid(), kReach, 4);
        CHECK(variance.circles == circles);
        REQUIRE(variance.means.size() == 4);
        CHECK(variance.means[3] == doctest::Approx(sum / circles).epsilon(1e-12));
        CHECK(variance.variances[3] ==
              doctest::Approx(squares / circles - sum / circles * sum / circles).epsilon(1e-9));
        CHECK(number_variance(context, area, spatial.grid(), 0.8).radii.empty());
    });
}

TEST_CASE("structure factor: the picture is that of the sums over all points") {
    for (const PointsCase& each : point_cases()) {
        const Geometry input = generate(parse_generator(each.text));
        const std::vector<Point> points = in_window(input.points, each.window);
        std::vector<double> reference;
        INFO(each.text);
        on_every_device([&](Context& context) {
            const Buffer<Point> resident = uploaded(context, input.points);
            const StructureFactor s = structure_factor(context, area_of(each.window), resident.view());
            REQUIRE(s.tiles == 1);
            CHECK(s.points_per_tile == points.size());
            const bool first = reference.empty();
            if (first) reference = s.picture;
            CHECK(s.picture == reference);
            CHECK(s.picture[size_t(StructureFactor::kModes) * StructureFactor::kSide + StructureFactor::kModes] ==
                  doctest::Approx(double(points.size())).epsilon(1e-4));
            if (!first) return;
            double furthest = 0;
            for (int l = -StructureFactor::kModes; l <= StructureFactor::kModes; l += 9)
                for (int m = -StructureFactor::kModes; m <= StructureFactor::kModes; m += 11) {
                    std::complex<double> sum = 0;
                    for (const Point& p : points)
                        sum += std::polar(1.0, -(m * s.step_x * (p.x - each.window.low.x) +
                                                 l * s.step_y * (p.y - each.window.low.y)));
                    const double expected = std::norm(sum) / double(points.size());
                    const double got = s.picture[size_t(l + StructureFactor::kModes) * StructureFactor::kSide +
                                                 size_t(m + StructureFactor::kModes)];
                    furthest = std::max(furthest, std::fabs(got - expected) / std::max(1.0, expected));
                }
            CHECK(furthest < 2e-4);
        });
    }
}

TEST_CASE("structure factor in a polygon: the mean density is subtracted") {
    const StudyArea area =
        area_of_rings({{{10, 0}, {13, 0.5}, {14, 3}, {11, 2.5}}, {{11, 1}, {12, 1}, {12, 2}, {11, 1.5}}});
    const std::vector<Point> points = simulate({}, area, std::vector<Point>(2000), 3, 0);
    // Its transform by a fine lattice of places.
    std::vector<Point> places;
    constexpr int kSide = 1500;
    for (int i = 0; i < kSide * kSide; ++i)
        places.push_back({10 + 4 * (i % kSide + 0.5) / kSide, 3 * (i / kSide + 0.5) / kSide});
    places = points_inside(area, places);
    const auto transform = [](const std::vector<Point>& of, double x, double y) {
        std::complex<double> sum = 0;
        for (const Point& p : of) sum += std::polar(1.0, -(x * (p.x - 10) + y * p.y));
        return sum / double(of.size());
    };
    std::vector<double> first;
    on_every_device([&](Context& context) {
        std::vector<Point> with_others = points;
        with_others.push_back({13.5, 0.5});
        with_others.push_back({11.5, 1.25});
        const StructureFactor s = structure_factor(context, with_others, area);
        if (first.empty()) first = s.picture;
        CHECK(s.picture == first);
        CHECK(s.points_per_tile == 2000);
        double mean = 0;
        for (const double value : s.values) mean += value / double(s.values.size());
        CHECK(mean == doctest::Approx(1).epsilon(0.1));
        for (const auto& [m, l] : {std::pair{0, 0}, {1, 0}, {0, -1}, {1, 1}, {-2, 1}, {3, 5}, {-16, -7}, {40, 31}}) {
            INFO(m << ", " << l);
            const double x = m * s.step_x, y = l * s.step_y;
            const double expected = 2000 * std::norm(transform(points, x, y) - transform(places, x, y));
            const size_t at =
                size_t(l + StructureFactor::kModes) * StructureFactor::kSide + size_t(m + StructureFactor::kModes);
            CHECK(std::fabs(s.picture[at] - expected) < 0.02 * (0.05 + expected));
        }
    });
}

TEST_CASE("the L2 star discrepancy is Warnock's sum over all pairs") {
    for (const std::string text : {"uniform:1", "uniform:2", "uniform:255", "uniform:257", "duplicates:300",
                                   "grid:144@scale=0.08", "uniform:5000@seed=9"}) {
        const Geometry input = generate(parse_generator(text));
        const Window window{{0, 0}, {1, 1}};
        const std::vector<Point> points = in_window(input.points, window);
        const double n = double(points.size());
        double singles = 0, pairs = 0;
        for (const Point& p : points) {
            singles += (1 - p.x * p.x) * (1 - p.y * p.y);
            for (const Point& q : points) pairs += (1 - std::max(p.x, q.x)) * (1 - std::max(p.y, q.y));
        }
        const double expected = std::sqrt(1.0 / 9 - singles / (2 * n) + pairs / (n * n));
        INFO(text);
        on_every_device([&](Context& context) {
            const Buffer<Point> resident = uploaded(context, input.points);
            CHECK(l2_star_discrepancy(context, window, resident.view()) == doctest::Approx(expected).epsilon(1e-7));
        });
    }
    Context context(DeviceRequest::kCpu, 1);
    CHECK(std::isnan(l2_star_discrepancy(context, {{0, 0}, {1, 1}}, uploaded(context, {}).view())));
}

TEST_CASE("random points have the statistics of random points, in parts of the window, too") {
    const Geometry input = generate(parse_generator("uniform:20000@seed=4"));
    const Window window{{0, 0}, {1, 1}};
    Context context(DeviceRequest::kCpu, 2);
    const Buffer<Point> resident = uploaded(context, input.points);
    PointGrid grid;
    grid.build(context, window, resident.view(), 0.01);
    CHECK(share_with_few_pairs(context, grid, 6 / std::sqrt(20000.0)) == 1);
    PointGrid crowd;
    crowd.build(context, window, uploaded(context, std::vector<Point>(40000, {0.5, 0.5})).view(), 0.01);
    CHECK(share_with_few_pairs(context, crowd, 0.1) == doctest::Approx(std::sqrt(0.5)));
    const StructureFactor s = structure_factor(context, area_of(window), resident.view());
    CHECK(s.tiles == 4);
    double mean = 0;
    for (size_t k = 5; k < s.values.size(); ++k) mean += s.values[k] / double(s.values.size() - 5);
    CHECK(mean == doctest::Approx(1).epsilon(0.05));
    CHECK(std::is_sorted(s.k.begin(), s.k.end()));
    const NumberVariance variance = number_variance(context, area_of(window), grid, 0.07);
    CHECK(variance.variances.back() / variance.means.back() == doctest::Approx(1).epsilon(0.25));
    const double discrepancy = l2_star_discrepancy(context, window, resident.view());
    CHECK(discrepancy < 3 * std::sqrt(5.0 / 36 / 20000));
    CHECK(discrepancy > 0.3 * std::sqrt(5.0 / 36 / 20000));
}

TEST_CASE("expectations of random points: they add up, have the means they say, and random points have them") {
    using Q = ElementQuantity;
    constexpr double kDensity = 2.5;
    for (const Q quantity :
         {Q::kDegree, Q::kNearest, Q::kEdgeLength, Q::kMinimumAngle, Q::kTriangleArea, Q::kCellArea}) {
        INFO(info_of(quantity).name);
        const double high = quantity == Q::kDegree ? 20 : quantity == Q::kMinimumAngle ? 60 : 8 / std::sqrt(kDensity);
        const int bins = quantity == Q::kDegree ? 20 : 2000;
        double sum = 0, mean = 0;
        for (int k = 0; k < bins; ++k) {
            const double share = expected_share(quantity, kDensity, k * high / bins, (k + 1) * high / bins);
            sum += share;
            mean += share * (quantity == Q::kDegree ? k : (k + 0.5) * high / bins);
        }
        CHECK(sum == doctest::Approx(1).epsilon(1e-3));
        if (quantity != Q::kMinimumAngle)
            CHECK(mean == doctest::Approx(expected_mean(quantity, kDensity)).epsilon(2e-3));
    }
    // Random points on the whole: the greatest difference between the distribution functions.
    const auto input = generated("uniform:30000@seed=8");
    Context context(DeviceRequest::kCpu, 2);
    Strips strips;
    strips.set_records_states(false);
    strips.reset(context, input, {});
    strips.finish({});
    ElementMeasures measures;
    measures.measure(context, measured(strips.mesh(), strips.distinct(), {{0, 0}, {1, 1}}));
    const struct {
        Q quantity;
        double high;
        uint32_t bins;
        double furthest;
    } cases[] = {{Q::kDegree, 16, 16, 0.01},         {Q::kNearest, 0.02, 50, 0.01},
                 {Q::kEdgeLength, 0.02, 50, 0.01},   {Q::kMinimumAngle, 60, 60, 0.01},
                 {Q::kTriangleArea, 2e-4, 50, 0.01}, {Q::kCellArea, 1.5e-4, 50, 0.015}};
    for (const auto& each : cases) {
        INFO(info_of(each.quantity).name);
        const View<const double> values = measures.values(each.quantity).view();
        const SampleSummary summary = summarise(context, values);
        const std::vector<uint64_t> found = histogram(context, values, 0, each.high, each.bins).counts;
        double got = 0, expected = 0, furthest = 0;
        for (uint32_t k = 0; k < each.bins; ++k) {
            got += double(found[k]) / double(summary.count);
            expected +=
                expected_share(each.quantity, 30000, k * each.high / each.bins, (k + 1) * each.high / each.bins);
            furthest = std::max(furthest, std::fabs(got - expected));
        }
        CHECK(furthest < each.furthest);
    }
}
