// Tests of complete spatial randomness, and Moran's I.
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "compute/error.h"
#include "flipscope/spatial.h"
#include "flipscope/triangulate.h"
#include "statistics/area_view.h"

namespace flipscope {

namespace {

double two_sided(const QuadratTest& test) {
    if (test.freedom == 0) return 1;
    const double half = test.freedom / 2.0, x = test.statistic / 2;
    return 2 * std::min(boost::math::gamma_p(half, x), boost::math::gamma_q(half, x));
}
double two_sided(double z) { return std::erfc(std::fabs(z) / std::numbers::sqrt2); }

/// The part of a ring on one side of a line along an axis (Sutherland and Hodgman 1974); its signed area is exact also
/// where the parts hang together along the line.
std::vector<Point> clipped(const std::vector<Point>& ring, double Point::*axis, double limit, double sign) {
    std::vector<Point> kept;
    for (size_t i = 0; i < ring.size(); ++i) {
        const Point a = ring[i], b = ring[(i + 1) % ring.size()];
        const double from = sign * (a.*axis - limit), to = sign * (b.*axis - limit);
        if (from >= 0) kept.push_back(a);
        if ((from >= 0) != (to >= 0)) {
            const double t = from / (from - to);
            kept.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
            kept.back().*axis = limit;
        }
    }
    return kept;
}

/// The sum of those numbers that are finite, over a power of how many they are; NaN: none is.
template <class Test>
double mean_of(const std::vector<Test>& tests, double Test::*number, double power = 1) {
    double sum = 0, count = 0;
    for (const Test& test : tests)
        if (std::isfinite(test.*number)) sum += test.*number, ++count;
    return count > 0 ? sum / std::pow(count, power) : NAN;
}

}  // namespace

QuadratTest quadrat_test(const StudyArea& area, std::span<const Point> points, uint32_t columns, uint32_t rows) {
    if (columns == 0 || rows == 0) throw Error("quadrats: expected one column and one row or more");
    const double width = (area.high.x - area.low.x) / columns, height = (area.high.y - area.low.y) / rows;
    std::vector<double> counts(size_t(columns) * rows), areas(counts.size(), width * height);
    double n = 0;
    for (const Point p : points_inside(area, points)) {
        const auto column = std::min(columns - 1, static_cast<uint32_t>((p.x - area.low.x) / width));
        const auto row = std::min(rows - 1, static_cast<uint32_t>((p.y - area.low.y) / height));
        ++counts[size_t(row) * columns + column];
        ++n;
    }
    for (size_t i = 0; i < areas.size() && area.is_polygon(); ++i) {
        const double left = area.low.x + width * double(i % columns), below = area.low.y + height * double(i / columns);
        StudyArea part;
        for (std::vector<Point> ring : area.rings) {
            ring = clipped(clipped(ring, &Point::x, left, 1), &Point::x, left + width, -1);
            ring = clipped(clipped(ring, &Point::y, below, 1), &Point::y, below + height, -1);
            if (ring.size() > 2) part.rings.push_back(std::move(ring));
        }
        areas[i] = part.is_polygon() ? part.area() : 0;
    }
    QuadratTest test;
    for (size_t i = 0; i < counts.size(); ++i) {
        const double expected = n * areas[i] / area.area();
        if (areas[i] <= 1e-12 * width * height || n == 0) continue;
        test.statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
        ++test.freedom;
    }
    test.freedom -= test.freedom > 0;
    test.p_value = two_sided(test);
    return test;
}

ClarkEvans clark_evans(SpatialStatistics& statistics) {
    const StudyArea& area = statistics.area();
    const double n = statistics.count(), size = area.area();
    if (n < 2) return {NAN, NAN, NAN, NAN, NAN};
    const double most = std::hypot(area.high.x - area.low.x, area.high.y - area.low.y);
    double reach = 4 * std::sqrt(size / n), mean = INFINITY;
    for (; !std::isfinite(mean); reach *= 2) {  // until each point has a neighbour
        mean = 0;
        for (const double distance : statistics.distances(std::min(reach, 2 * most)).nearest) mean += distance / n;
    }
    const double expected = std::sqrt(size / n) / 2;
    ClarkEvans made;
    made.ratio = mean / expected;
    const bool is_rectangle = !area.is_polygon() && !area.periodic_x && !area.periodic_y;
    made.donnelly = is_rectangle ? mean / (expected + (0.0514 + 0.0412 / std::sqrt(n)) * area.perimeter() / n) : NAN;
    made.z = (mean - expected) / (std::sqrt((4 - std::numbers::pi) * size / (4 * std::numbers::pi)) / n);
    made.p_value = two_sided(made.z);
    SpatialOptions options;
    options.corrections = {EdgeCorrection::kKaplanMeier};
    const SpatialCurve g = statistics.measure(SpatialFunction::kNearest, options);
    const std::vector<double>& values = g.estimates.back().values;
    double sum = 0, all = 0;
    for (size_t k = 1; k < values.size(); ++k) {
        sum += (values[k] - values[k - 1]) * (g.radii[k] + g.radii[k - 1]) / 2;
        all += values[k] - values[k - 1];
    }
    made.cdf = sum / all / expected;
    return made;
}

MoranTest moran_test(Context& context, std::span<const Point> points, std::span<const double> values) {
    std::vector<Point> kept;
    std::vector<double> off;  // from the mean
    for (size_t i = 0; i < points.size(); ++i)
        if (std::isfinite(values[i])) {
            kept.push_back(points[i]);
            off.push_back(values[i]);
        }
    const double n = double(off.size());
    if (n < 4)
        throw Error("Moran's I: four points with a value or more are needed, found " + std::to_string(off.size()));
    const Triangulation made = triangulate(context, kept);
    std::vector<std::array<uint32_t, 2>> edges;
    for (const auto& t : made.triangles)
        for (size_t k = 0; k < 3; ++k)
            edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    for (size_t k = 0; k + 1 < made.path.size() && made.triangles.empty(); ++k)
        edges.push_back({std::min(made.path[k], made.path[k + 1]), std::max(made.path[k], made.path[k + 1])});
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    double mean = 0, squares = 0, fourth = 0, products = 0;
    for (const double value : off) mean += value / n;
    for (double& value : off) {
        value -= mean;
        squares += value * value;
        fourth += value * value * value * value;
    }
    std::vector<double> degrees(off.size());
    for (const auto [a, b] : edges) {
        products += 2 * off[a] * off[b];
        ++degrees[a], ++degrees[b];
    }
    const double s0 = 2 * double(edges.size()), s1 = 2 * s0, kurtosis = n * fourth / (squares * squares);
    double s2 = 0;
    for (const double degree : degrees) s2 += 4 * degree * degree;
    MoranTest test;
    test.edges = edges.size();
    test.i = n / s0 * products / squares;
    test.expected = -1 / (n - 1);
    test.variance = (n * ((n * n - 3 * n + 3) * s1 - n * s2 + 3 * s0 * s0) -
                     kurtosis * ((n * n - n) * s1 - 2 * n * s2 + 6 * s0 * s0)) /
                        ((n - 1) * (n - 2) * (n - 3) * s0 * s0) -
                    test.expected * test.expected;
    test.z = (test.i - test.expected) / std::sqrt(test.variance);
    test.p_value = two_sided(test.z);
    return test;
}

QuadratTest combined(std::span<const QuadratTest> tests) {
    QuadratTest all;
    for (const QuadratTest& test : tests) {
        all.statistic += test.statistic;
        all.freedom += test.freedom;
    }
    all.p_value = two_sided(all);
    return all;
}

ClarkEvans combined(std::vector<ClarkEvans> tests) {
    std::erase_if(tests, [](const ClarkEvans& test) { return !std::isfinite(test.z); });
    ClarkEvans all{mean_of(tests, &ClarkEvans::ratio), mean_of(tests, &ClarkEvans::donnelly),
                   mean_of(tests, &ClarkEvans::cdf), mean_of(tests, &ClarkEvans::z, 0.5)};
    all.p_value = two_sided(all.z);
    return all;
}

MoranTest combined(std::vector<MoranTest> tests) {
    std::erase_if(tests, [](const MoranTest& test) { return !std::isfinite(test.z); });
    MoranTest all{mean_of(tests, &MoranTest::i), mean_of(tests, &MoranTest::expected),
                  mean_of(tests, &MoranTest::variance, 2), mean_of(tests, &MoranTest::z, 0.5)};
    all.p_value = two_sided(all.z);
    for (const MoranTest& test : tests) all.edges += test.edges;
    return all;
}

}  // namespace flipscope
