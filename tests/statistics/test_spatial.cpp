// sanitizers: none
// Spatial statistics against brute force, and against values of spatstat, which spatstat.R made.
#include "flipscope/spatial.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <sstream>

#include "compute/buffer.h"
#include "geometry/generators.h"
#include "statistics/set_covariance.h"
#include "test_support.h"

using namespace flipscope;

namespace {

struct Pattern {
    std::string name;
    StudyArea area;
    std::vector<Point> points;
    std::vector<double> kinds, sizes;
    struct Values {
        std::string word;           // "K border"
        std::vector<double> radii;  // in force where it stands
        std::vector<double> values;
    };
    std::vector<Values> values;
    const std::vector<double>& of(const std::string& word) const {
        for (const Values& one : values)
            if (one.word == word) return one.values;
        FAIL("no values of " << word);
        return values.front().values;
    }
};

/// The file that spatstat.R writes: the kept one, or the one that compare_with_spatstat.py has just made.
std::vector<Pattern> patterns() {
    const char* const fresh = std::getenv("FLIPSCOPE_SPATSTAT");
    std::ifstream file(fresh ? fresh : FLIPSCOPE_SOURCE_DIR "/tests/statistics/spatstat.txt");
    REQUIRE(file);
    std::vector<Pattern> all;
    std::vector<std::vector<Point>> rings;
    std::vector<double> radii;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name, word;
        std::vector<double> numbers;
        while (words >> word) {
            char* end = nullptr;
            const double number = std::strtod(word.c_str(), &end);
            if (word == "NA")
                numbers.push_back(NAN);
            else if (*end)
                name += (name.empty() ? "" : " ") + word;
            else
                numbers.push_back(number);
        }
        if (name.starts_with("pattern")) {
            all.push_back({name, {}, {}, {}, {}, {}});
            rings.clear();
        } else if (name == "rectangle") {
            all.back().area = area_of_rectangle({numbers[0], numbers[1]}, {numbers[2], numbers[3]});
        } else if (name == "ring") {
            rings.emplace_back();
            for (size_t i = 0; i < numbers.size(); i += 2) rings.back().push_back({numbers[i], numbers[i + 1]});
            all.back().area = area_of_rings(rings);
        } else if (name == "points") {
            for (size_t i = 0; i < numbers.size(); i += 4) {
                all.back().points.push_back({numbers[i], numbers[i + 1]});
                all.back().kinds.push_back(numbers[i + 2]);
                all.back().sizes.push_back(numbers[i + 3]);
            }
        } else if (name == "radii") {
            radii = numbers;
        } else {
            all.back().values.push_back({name, radii, numbers});
        }
    }
    return all;
}

/// Relative to the greatest value. Spatstat takes distances to the border of a polygon, and eroded areas, from pixels,
/// and g and functions of marks from distances in 512 bins.
double tolerance_of(const std::string& word, bool polygon) {
    if (word.starts_with("g ") || word.starts_with("mark")) return 0.02;
    const bool eroded = word.ends_with("hanisch");
    // Between the nodes of the table of shifts.
    if (polygon && word.ends_with("translation")) return 1e-5;
    if (polygon && (eroded || word.starts_with("F") || word.starts_with("J"))) return 0.03;
    return 2e-7;
}

StudyArea rectangle_as_ring() { return {{0, 0}, {4, 3}, false, false, {{{0, 0}, {4, 0}, {4, 3}, {0, 3}}}}; }
StudyArea square_with_hole() {
    return area_of_rings({{{0, 0}, {4, 0}, {4, 3}, {0, 3}}, {{1, 1}, {2, 1}, {2, 2}, {1, 2}}});
}

}  // namespace

TEST_CASE("spatial: every function and correction has the values of spatstat") {
    int compared = 0;
    for (const Pattern& pattern : patterns())
        on_every_device([&](Context& context) {
            SpatialStatistics statistics(context, pattern.area);
            statistics.set_points(pattern.points);
            REQUIRE(statistics.count() == pattern.points.size());
            for (const Pattern::Values& each : pattern.values) {
                const size_t space = each.word.find(' ');
                if (space == each.word.npos || each.word.starts_with("intensity")) continue;
                const SpatialFunction function = spatial_function_of(each.word.substr(0, space));
                SpatialOptions options;
                options.radii = each.radii;
                options.corrections = {edge_correction_of(each.word.substr(space + 1))};
                options.marks = function == SpatialFunction::kMarkCorrelation ? pattern.sizes : pattern.kinds;
                const SpatialCurve curve = statistics.measure(function, options);
                REQUIRE(curve.estimates.size() == 1);
                const double tolerance = tolerance_of(each.word, pattern.area.is_polygon());
                double most = 0;
                for (size_t k = 1; k < each.values.size(); ++k)
                    if (std::isfinite(each.values[k])) most = std::max(most, std::fabs(each.values[k]));
                for (size_t k = 1; k < each.values.size(); ++k) {
                    if (!std::isfinite(each.values[k])) continue;
                    // Spatstat leaves out pairs beyond the last radius.
                    if (each.word.starts_with("mark") && k + 1 == each.values.size()) continue;
                    // J where few places are still empty is a quotient of small numbers.
                    if (each.word[0] == 'J' && pattern.area.is_polygon() && each.radii[k] > 0.45) continue;
                    CAPTURE(pattern.name);
                    CAPTURE(each.word);
                    CAPTURE(each.radii[k]);
                    CHECK(std::fabs(curve.estimates[0].values[k] - each.values[k]) <= tolerance * most);
                    ++compared;
                }
            }
        });
    CHECK(compared > 500);
}

TEST_CASE("spatial: the isotropic weight is the share of the circle in the area, by brute force") {
    Context context(DeviceRequest::kCpu, 1);
    for (const StudyArea& area : {square_with_hole(), rectangle_as_ring()}) {
        const std::vector<AreaSide> sides = sides_of(area);
        PairWeights weights;
        weights.border = {sides.data(), sides.size()};
        for (const Point p : generate(parse_generator("uniform:60@seed=3,scale=4")).points) {
            if (!area.contains(p)) continue;
            for (const double radius : {0.05, 0.4, 0.9, 1.7}) {
                constexpr int kSteps = 20000;
                int inside = 0;
                for (int k = 0; k < kSteps; ++k) {
                    const double angle = 2 * std::numbers::pi * (k + 0.5) / kSteps;
                    inside += area.contains({p.x + radius * std::cos(angle), p.y + radius * std::sin(angle)});
                }
                if (inside < kSteps / 50) continue;
                CHECK(weights.isotropic(p, radius) == doctest::Approx(double(kSteps) / inside).epsilon(0.01));
            }
        }
    }
}

TEST_CASE("spatial: the set covariance of a rectangle given as a ring is its closed form, and has the hole's corners") {
    on_every_device([&](Context& context) {
        Buffer<double> table("table");
        tabulate_set_covariance(context, rectangle_as_ring(), 1.5, table);
        const std::vector<double> values = table.download();
        constexpr uint32_t kNodes = PairWeights::kNodes;
        for (uint32_t node = 0; node < values.size(); node += 37) {
            const double dx = 1.5 / kNodes * (node % (kNodes + 1)),
                         dy = 1.5 / kNodes * (double(node / (kNodes + 1)) - kNodes);
            CHECK(values[node] == doctest::Approx((4 - dx) * (3 - std::fabs(dy))).epsilon(1e-12));
        }
        tabulate_set_covariance(context, square_with_hole(), 1.28, table);
        // Shifted by (1.28, 0): the overlap of the rectangles, less both holes there, which do not meet.
        CHECK(table.read(size_t(kNodes) * (kNodes + 1) + kNodes) ==
              doctest::Approx((4 - 1.28) * 3 - 0.72 - 1).epsilon(1e-12));
        CHECK(table.read(size_t(kNodes) * (kNodes + 1)) == doctest::Approx(11).epsilon(1e-12));
    });
}

TEST_CASE("spatial: on a torus K and g count all pairs by the shorter way round") {
    const std::vector<Point> points = generate(parse_generator("uniform:300@seed=5")).points;
    StudyArea box = area_of_rectangle({0, 0}, {1, 1});
    box.periodic_x = box.periodic_y = true;
    SpatialOptions options;
    for (int k = 0; k <= 20; ++k) options.radii.push_back(0.02 * k);
    const auto counted = [&](double r) {
        double pairs = 0;
        for (const Point a : points)
            for (const Point b : points) {
                const double x = std::fabs(a.x - b.x), y = std::fabs(a.y - b.y);
                pairs += std::hypot(std::min(x, 1 - x), std::min(y, 1 - y)) <= r;
            }
        return pairs - 300;
    };
    on_every_device([&](Context& context) {
        SpatialStatistics statistics(context, box);
        statistics.set_points(points);
        const SpatialCurve k = statistics.measure(SpatialFunction::kK, options);
        REQUIRE(k.estimates.size() == 1);
        for (size_t i = 0; i < options.radii.size(); ++i)
            CHECK(k.estimates[0].values[i] == doctest::Approx(counted(options.radii[i]) / (300 * 299)));
        SpatialOptions bins = options;
        bins.bins = true;
        const SpatialCurve g = statistics.measure(SpatialFunction::kPairCorrelation, bins);
        REQUIRE(g.radii.size() == 20);
        CHECK(g.radii[4] == doctest::Approx(0.09));
        const double ring = std::numbers::pi * (0.1 * 0.1 - 0.08 * 0.08);
        CHECK(g.estimates[0].values[4] == doctest::Approx((counted(0.1) - counted(0.08)) / (300 * 299 * ring)));
    });
}

TEST_CASE("spatial: points outside a polygon, and NaN, are left out") {
    on_every_device([&](Context& context) {
        SpatialStatistics statistics(context, square_with_hole());
        statistics.set_points(std::vector<Point>{{0.5, 0.5}, {1.5, 1.5}, {5, 1}, {NAN, 1}, {3, 2}, {0.5, 0.6}});
        CHECK(statistics.count() == 3);
        SpatialOptions options;
        options.radii = {0, 0.05, 0.2, 3};
        options.corrections = {EdgeCorrection::kNone};
        const SpatialCurve k = statistics.measure(SpatialFunction::kK, options);
        CHECK(k.estimates[0].values[1] == 0);
        CHECK(k.estimates[0].values[2] == doctest::Approx(11.0 * 2 / 6));
        CHECK(k.estimates[0].values[3] == doctest::Approx(11.0));
    });
}

TEST_CASE("spatial: fewer than two points have no values, and wrong radii are refused") {
    Context context(DeviceRequest::kCpu, 1);
    SpatialStatistics statistics(context, square_with_hole());
    for (const std::vector<Point>& few : {std::vector<Point>{}, std::vector<Point>{{0.5, 0.5}}}) {
        statistics.set_points(few);
        for (int f = 0; f <= static_cast<int>(SpatialFunction::kJ); ++f)
            for (const auto& estimate : statistics.measure(static_cast<SpatialFunction>(f), {}).estimates)
                CHECK(std::isnan(estimate.values.back()));
    }
    SpatialOptions options;
    options.radii = {0, 0.2, 0.1};
    CHECK_THROWS_WITH_AS(statistics.measure(SpatialFunction::kK, options),
                         "K: expected from 2 to 1,024 ascending radii from 0 on, found 3 radii", Error);
    options.radii = {0, 0.1};
    CHECK_THROWS_AS(statistics.measure(SpatialFunction::kCrossK, options), Error);
    CHECK_THROWS_AS(spatial_function_of("Q"), Error);
}
