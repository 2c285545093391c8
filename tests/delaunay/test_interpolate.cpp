// Interpolation of scattered values: weights against exact Voronoi cells, and what holds on every input.
#include "flipscope/interpolate.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "delaunay/inputs.h"
#include "geometry/proximity.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Rational = boost::multiprecision::cpp_rational;
using Polygon = std::vector<std::array<Rational, 2>>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Interpolation kAll[] = {Interpolation::kNearest, Interpolation::kLinear, Interpolation::kNatural,
                                  Interpolation::kLaplace, Interpolation::kCubic};
constexpr Interpolation kMeans[] = {Interpolation::kLinear, Interpolation::kNatural, Interpolation::kLaplace};

/// The part of a convex polygon that is nearer to a than to b.
Polygon nearer_part(const Polygon& whole, const Polygon::value_type& a, const Polygon::value_type& b) {
    std::vector<Rational> side;
    for (const auto& p : whole)
        side.push_back((2 * p[0] - a[0] - b[0]) * (b[0] - a[0]) + (2 * p[1] - a[1] - b[1]) * (b[1] - a[1]));
    Polygon part;
    for (size_t i = 0; i < whole.size(); ++i) {
        const size_t j = (i + 1) % whole.size();
        if (side[i] <= 0) part.push_back(whole[i]);
        if (!((side[i] < 0 && side[j] > 0) || (side[i] > 0 && side[j] < 0))) continue;
        const Rational t = side[i] / (side[i] - side[j]);
        part.push_back({whole[i][0] + t * (whole[j][0] - whole[i][0]), whole[i][1] + t * (whole[j][1] - whole[i][1])});
    }
    return part;
}

Rational twice_area(const Polygon& p) {
    Rational sum = 0;
    for (size_t i = 0; i < p.size(); ++i) {
        const auto &a = p[i], &b = p[(i + 1) % p.size()];
        sum += a[0] * b[1] - a[1] * b[0];
    }
    return sum;
}

/// Sibson's weights of a place inside the hull: of each site the exact part of its Voronoi cell that is nearer to the
/// place.
std::vector<double> weights_by_cells(const std::vector<Point>& points, Point place) {
    Polygon sites;
    for (const Point p : points) sites.push_back({Rational(p.x), Rational(p.y)});
    const Polygon::value_type q{Rational(place.x), Rational(place.y)};
    const Rational far = Rational(0x1p130);  // beyond all corners of the cell
    Polygon cell{
        {q[0] - far, q[1] - far}, {q[0] + far, q[1] - far}, {q[0] + far, q[1] + far}, {q[0] - far, q[1] + far}};
    for (const auto& site : sites) cell = nearer_part(cell, q, site);
    const Rational all = twice_area(cell);
    std::vector<double> weights;
    for (const auto& site : sites) {
        Polygon part = cell;
        for (const auto& other : sites)
            if (&other != &site && part.size() > 2) part = nearer_part(part, site, other);
        weights.push_back(static_cast<double>(twice_area(part) / all));
    }
    return weights;
}

/// (m, n) the weight of every site at every place.
std::vector<double> weights_of(Context& context, const std::vector<Point>& points, const std::vector<Point>& places,
                               Interpolation method) {
    const size_t n = points.size();
    std::vector<double> unit(n * n, 0);
    for (size_t i = 0; i < n; ++i) unit[i * n + i] = 1;
    return interpolate(context, points, unit, places, method, static_cast<uint32_t>(n));
}

double linear(Point p) { return 2 - 3 * p.x + 0.5 * p.y; }
std::vector<double> linear_at(const std::vector<Point>& points) {
    std::vector<double> values;
    for (const Point p : points) values.push_back(linear(p));
    return values;
}

/// Sites, middles of pairs of sites, and other means of three sites.
std::vector<Point> places_among(const std::vector<Point>& points, size_t count) {
    std::mt19937_64 random(7);
    const auto any = [&] { return points[std::uniform_int_distribution<size_t>(0, points.size() - 1)(random)]; };
    std::vector<Point> places;
    while (places.size() < count) {
        const Point a = any(), b = any(), c = any();
        places.push_back(a);
        places.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2});
        for (const auto& [s, t] : {std::pair{0.2, 0.3}, std::pair{0.1, 0.7}})
            places.push_back({a.x + s * (b.x - a.x) + t * (c.x - a.x), a.y + s * (b.y - a.y) + t * (c.y - a.y)});
    }
    for (Point& q : places)
        if (!coordinate_in_range(q.x) || !coordinate_in_range(q.y)) q = points[0];
    return places;
}

}  // namespace

TEST_CASE("natural neighbours have the areas of exact Voronoi cells as weights, in triangles of any shape") {
    std::mt19937_64 random(3);
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    const auto made = [&](size_t n, const auto& point) {
        std::vector<Point> points;
        for (size_t i = 0; i < n; ++i) points.push_back(point(double(i)));
        return points;
    };
    std::vector<Point> ring;
    for (const double x : {-5, -4, -3, 0, 3, 4, 5})
        for (const double y : {-5, -4, -3, 0, 3, 4, 5})
            if (x * x + y * y == 25) ring.push_back({x, y});
    std::vector<Point> wheel = ring;
    wheel.push_back({0, 0});
    const std::pair<const char*, std::vector<Point>> sets[] = {
        {"uniform", made(20,
                         [&](double) {
                             return Point{uniform(), uniform()};
                         })},
        {"grid", lattice(4, 4, 1, {0, 0})},
        {"cocircular ring", ring},
        {"ring and its centre", wheel},
        {"nearly on a line", made(9,
                                  [&](double i) {
                                      return Point{i, 1e-13 * uniform()};
                                  })},
        {"flat parabola", made(11,
                               [&](double i) {
                                   return Point{i, 1e-9 * i * i};
                               })},
        {"far from the origin", made(12,
                                     [&](double) {
                                         return Point{1e9 + uniform(), 1e9 - uniform()};
                                     })},
        {"two clusters", made(14, [&](double i) {
             return i < 7 ? Point{1e-6 * uniform(), 1e-6 * uniform()} : Point{1, uniform()};
         })}};
    Context context(DeviceRequest::kCpu, 1);
    for (const auto& [name, points] : sets) {
        const std::vector<Point> places = places_among(points, case_count(40));
        const std::vector<double> found = weights_of(context, points, places, Interpolation::kNatural);
        size_t compared = 0;
        for (size_t i = 0; i < places.size(); ++i) {
            const double* const weights = &found[i * points.size()];
            const auto used = std::count_if(weights, weights + points.size(), [](double w) { return w > 0; });
            if (used < 3) continue;  // outside of the hull, on its edge, where the cell is not bounded, or at a site
            const std::vector<double> expected = weights_by_cells(points, places[i]);
            for (size_t v = 0; v < points.size(); ++v) {
                INFO(name << ", place " << i << ", site " << v);
                CHECK(std::abs(weights[v] - expected[v]) < 1e-12);
            }
            ++compared;
        }
        INFO(name);
        CHECK(compared > 0);
    }
}

TEST_CASE("weights are not negative, add up to 1, and have the place as their mean") {
    std::vector<Input> inputs = hard_inputs();
    inputs.push_back(generated("clusters:300"));
    for (const Input& input : inputs) {
        const std::vector<Point>& points = input->points;
        if (points.size() > 400 || input->name == "all equal") continue;
        const std::vector<Point> places = places_among(points, 40);
        on_every_device([&](Context& context) {
            for (const Interpolation method : kMeans) {
                const std::vector<double> weights = weights_of(context, points, places, method);
                for (size_t i = 0; i < places.size(); ++i) {
                    const double* const own = &weights[i * points.size()];
                    if (std::isnan(own[0])) continue;
                    double sum = 0, x = 0, y = 0, reach = 0;
                    bool negative = false;
                    for (size_t v = 0; v < points.size(); ++v) {
                        negative = negative || own[v] < 0;
                        sum += own[v];
                        x += own[v] * (points[v].x - places[i].x);
                        y += own[v] * (points[v].y - places[i].y);
                        if (own[v] > 0)
                            reach = std::max(
                                {reach, std::abs(points[v].x - places[i].x), std::abs(points[v].y - places[i].y)});
                    }
                    INFO(input->name << ", " << kInterpolationNames[int(method)] << ", place " << i);
                    CHECK_FALSE(negative);
                    CHECK(std::abs(sum - 1) < 1e-13);
                    CHECK(std::max(std::abs(x), std::abs(y)) <= 1e-12 * reach);
                }
            }
        });
    }
}

TEST_CASE("interpolation has a site's value there, copies of a site have none, and outside of the hull is nothing") {
    const std::vector<Point> points{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {1, 2}, {4, 0}, {2, 0}};
    const std::vector<double> values{1, 2, 3, 4, 5, 99, 7};
    on_every_device([&](Context& context) {
        for (const Interpolation method : kAll) {
            INFO(kInterpolationNames[int(method)]);
            std::vector<double> made = interpolate(context, points, values, points, method);
            CHECK(made == std::vector<double>{1, 2, 3, 4, 5, 2, 7});
            made = interpolate(context, points, values, std::vector<Point>{{5, 1}, {-1e-30, 2}, {kNan, 1}, {1, 1e300}},
                               method);
            const bool nearest = method == Interpolation::kNearest;
            CHECK(std::isnan(made[0]) != nearest);
            CHECK(std::isnan(made[1]) != nearest);
            CHECK((std::isnan(made[2]) && std::isnan(made[3])));
        }
        for (const Interpolation method : kMeans)  // on the hull
            CHECK(interpolate(context, points, values, std::vector<Point>{{3, 0}, {4, 1}}, method) ==
                  std::vector<double>{4.5, 2.25});
    });
}

TEST_CASE("without triangles interpolation is linear along the line") {
    on_every_device([&](Context& context) {
        const std::vector<Point> line{{3, 6}, {0, 0}, {1, 2}, {3, 6}};
        const std::vector<double> values{6, 0, 4, 99};
        const std::vector<Point> places{{0.5, 1}, {2, 4}, {3, 6}, {4, 8}, {1, 1}, {-1, -2}};
        for (const Interpolation method : kAll) {
            if (method == Interpolation::kNearest) continue;
            const std::vector<double> made = interpolate(context, line, values, places, method);
            CHECK(std::vector<double>(made.begin(), made.begin() + 3) == std::vector<double>{2, 5, 6});
            CHECK((std::isnan(made[3]) && std::isnan(made[4]) && std::isnan(made[5])));
        }
        // The middle of two sites is equally near to both: the lower index counts.
        CHECK(interpolate(context, line, values, places, Interpolation::kNearest) ==
              std::vector<double>{0, 6, 6, 6, 4, 0});
        for (const Interpolation method : kAll) {
            CHECK(std::isnan(interpolate(context, {}, {}, places, method)[0]));
            CHECK(interpolate(context, std::vector<Point>(2, {1, 1}), std::vector<double>{5, 6},
                              std::vector<Point>{{1, 1}}, method) == std::vector<double>{5});
            CHECK(interpolate(context, line, values, {}, method).empty());
        }
    });
}

TEST_CASE("the nearest site is found everywhere, and of equally near ones the lowest") {
    std::vector<Input> inputs = hard_inputs();
    inputs.push_back(generated("grid:400"));
    for (const Input& input : inputs) {
        const std::vector<Point>& points = input->points;
        std::vector<Point> places = places_among(points, 100);
        for (const Point p : std::vector<Point>(places.begin(), places.begin() + 40)) {
            places.push_back({p.x * -3, p.y * 2});
            places.push_back({p.x + 0.5, p.y + 0.5});
        }
        places.push_back({0, 0});  // the centre of rings
        std::erase_if(places, [](Point p) { return !coordinate_in_range(p.x) || !coordinate_in_range(p.y); });
        std::vector<double> indices, expected;
        for (size_t i = 0; i < points.size(); ++i) indices.push_back(double(i));
        for (const Point q : places) {
            size_t best = 0;
            for (size_t i = 1; i < points.size(); ++i)
                if (compare_lengths(q, points[i], q, points[best]) < 0) best = i;
            expected.push_back(double(best));
        }
        on_every_device([&](Context& context) {
            INFO(input->name);
            CHECK(interpolate(context, points, indices, places, Interpolation::kNearest) == expected);
        });
    }
}

TEST_CASE("interpolation is continuous, the cubic one with its gradient") {
    const std::vector<Point> points = generated("uniform:60@seed=5")->points;
    std::mt19937_64 random(11);
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0.2, 0.8)(random); };
    std::vector<double> values;
    for (size_t i = 0; i < points.size(); ++i) values.push_back(uniform());
    Context context(DeviceRequest::kCpu, 1);
    const Triangulation made = triangulate(context, points);
    // Across edges, and across circles, where the set of natural neighbours changes.
    std::vector<Point> places;
    for (const auto& [a, b, c] : made.triangles) {
        const Point p = points[a], q = points[b], r = points[c];
        const double s = uniform();
        places.push_back({p.x + s * (q.x - p.x), p.y + s * (q.y - p.y)});
        const double ux = q.x - p.x, uy = q.y - p.y, vx = r.x - p.x, vy = r.y - p.y, twice = 2 * (ux * vy - uy * vx);
        const double uu = ux * ux + uy * uy, vv = vx * vx + vy * vy;
        const double x = (vy * uu - uy * vv) / twice, y = (ux * vv - vx * uu) / twice, turn = 6 * s;
        const double radius = std::sqrt(x * x + y * y);
        places.push_back({p.x + x + radius * std::cos(turn), p.y + y + radius * std::sin(turn)});
    }
    std::erase_if(places, [](Point p) { return std::max(std::abs(p.x - 0.5), std::abs(p.y - 0.5)) > 0.3; });
    for (const Interpolation method : kAll) {
        if (method == Interpolation::kNearest) continue;
        double jump = 0, kinks[2] = {};
        for (const double step : {1e-6, 1e-7}) {
            double& kink = kinks[step < 1e-6];
            std::vector<Point> around;
            for (const Point p : places)
                for (int k = -2; k <= 2; ++k) around.push_back({p.x + k * step, p.y + k * step});
            const std::vector<double> at = interpolate(context, points, values, around, method);
            jump = 0;
            for (size_t i = 0; i + 4 < at.size(); i += 5) {
                if (std::isnan(at[i] + at[i + 2] + at[i + 4])) continue;
                jump = std::max(jump, std::abs(at[i + 4] - at[i]));
                kink = std::max(kink, std::abs((at[i + 4] - at[i + 3]) - (at[i + 1] - at[i])) / step);
            }
        }
        INFO(kInterpolationNames[int(method)]);
        CHECK(jump > 0);
        CHECK(jump < 1e-5);
        if (method == Interpolation::kCubic) CHECK(kinks[1] < 0.2 * kinks[0]);
        if (method == Interpolation::kLinear) CHECK(kinks[1] > 0.8 * kinks[0]);
    }
}

TEST_CASE("all methods but the nearest reproduce linear functions") {
    on_every_device([&](Context& context) {
        for (const char* text : {"uniform:500", "grid:400", "clusters:500", "ring:300"}) {
            const std::vector<Point> points = generated(text)->points;
            const std::vector<Point> places = places_among(points, 400);
            for (const Interpolation method :
                 {Interpolation::kLinear, Interpolation::kNatural, Interpolation::kLaplace, Interpolation::kCubic}) {
                const std::vector<double> made = interpolate(context, points, linear_at(points), places, method);
                double worst = 0, largest = 0;
                for (const double value : linear_at(points)) largest = std::max(largest, std::abs(value));
                for (size_t i = 0; i < places.size(); ++i)
                    if (!std::isnan(made[i])) worst = std::max(worst, std::abs(made[i] - linear(places[i])) / largest);
                INFO(text << ", " << kInterpolationNames[int(method)]);
                // Gradients of sites that are nearly on a line with their neighbours have fewer digits.
                CHECK(worst < (method == Interpolation::kCubic ? 1e-9 : 1e-14));
            }
        }
    });
}

TEST_CASE("a missing value spoils only the places that use it, and columns do not mix") {
    const std::vector<Point> points = lattice(9, 9, 1, {0, 0});
    std::vector<double> values = linear_at(points), pairs;
    values[40] = kNan;  // the middle, (4, 4)
    for (size_t i = 0; i < points.size(); ++i) pairs.insert(pairs.end(), {values[i], points[i].x * points[i].y});
    const std::vector<Point> places{{4, 4}, {4.25, 4.25}, {6.5, 6.25}, {1.25, 7}, {5, 5}};
    on_every_device([&](Context& context) {
        for (const Interpolation method : kAll) {
            INFO(kInterpolationNames[int(method)]);
            const std::vector<double> made = interpolate(context, points, values, places, method);
            CHECK((std::isnan(made[0]) && std::isnan(made[1])));
            const size_t first = method == Interpolation::kNearest ? places.size() : 2;
            for (size_t i = first; i < places.size(); ++i) CHECK(made[i] == doctest::Approx(linear(places[i])));
            const std::vector<double> both = interpolate(context, points, pairs, places, method, 2);
            for (size_t i = 0; i < places.size(); ++i) {
                CHECK(std::memcmp(&both[2 * i], &made[i], sizeof(double)) == 0);
                CHECK_FALSE(std::isnan(both[2 * i + 1]));
            }
        }
    });
}

TEST_CASE("interpolated values have the same bits on every device, however many are interpolated at once") {
    const std::vector<Point> points = generated("clusters:3000")->points;
    std::vector<double> values;
    for (const Point p : points) values.push_back(std::sin(3 * p.x) * std::cos(5 * p.y));
    const std::vector<Point> places = places_among(points, 6000);
    for (const Interpolation method : kAll) {
        std::vector<double> expected;
        on_every_device([&](Context& context) {
            INFO(kInterpolationNames[int(method)]);
            const std::vector<double> made = interpolate(context, points, values, places, method);
            const std::vector<Point> few(places.begin(), places.begin() + 100);
            const std::vector<double> of_few = interpolate(context, points, values, few, method);
            if (expected.empty()) expected = made;
            CHECK(std::memcmp(made.data(), expected.data(), made.size() * sizeof(double)) == 0);
            CHECK(std::memcmp(of_few.data(), expected.data(), of_few.size() * sizeof(double)) == 0);
        });
    }
}

TEST_CASE("interpolation refuses values of another number, and places that cannot be decided") {
    const std::vector<Point> points{{0, 0}, {1, 0}, {0, 1}};
    on_every_device([&](Context& context) {
        CHECK_THROWS_WITH_AS(interpolate(context, points, std::vector<double>{1, 2}, points, Interpolation::kLinear),
                             "values: 2 numbers for 3 points; each point needs 1", Error);
        CHECK_THROWS_WITH_AS(
            interpolate(context, points, std::vector<double>{1, 2, 3}, std::vector<Point>{{0.1, 0.1}, {0.1, 1e-70}},
                        Interpolation::kLinear),
            "query 1: a coordinate is not 0 and smaller than 2^-200, so that its place cannot be decided exactly",
            Error);
    });
}
