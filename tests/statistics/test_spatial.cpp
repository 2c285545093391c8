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
#include "statistics/pair_weights.h"

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
                if (space == each.word.npos || each.word.starts_with("intensity")) continue;  // other tests
                const SpatialFunction function = spatial_function_of(each.word.substr(0, space));
                SpatialOptions options;
                options.radii = each.radii;
                options.corrections = {edge_correction_of(each.word.substr(space + 1))};
                statistics.set_points(pattern.points,
                                      function == SpatialFunction::kMarkCorrelation ? pattern.sizes : pattern.kinds);
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
            if (std::hypot(dx, dy) < 1.5)
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

TEST_CASE("spatial: tests of randomness, bandwidths, intensities and fitted processes have the values of spatstat") {
    for (const Pattern& pattern : patterns()) {
        CAPTURE(pattern.name);
        const bool polygon = pattern.area.is_polygon();
        Context context(DeviceRequest::kCpu, 1);
        SpatialStatistics statistics(context, pattern.area);
        statistics.set_points(pattern.points);
        const ClarkEvans nearest = clark_evans(statistics);
        const std::vector<double>& expected = pattern.of("clark-evans");
        CHECK(nearest.ratio == doctest::Approx(expected[0]).epsilon(1e-7));
        // Spatstat's sum over G has the lower ends of its 512 steps.
        CHECK(nearest.cdf == doctest::Approx(expected[1]).epsilon(0.01));
        CHECK(nearest.p_value == doctest::Approx(expected[2]).epsilon(1e-6));
        CHECK(std::isnan(nearest.donnelly) == polygon);
        if (!polygon) CHECK(nearest.donnelly == doctest::Approx(expected[3]).epsilon(1e-7));

        const QuadratTest quadrats = quadrat_test(pattern.area, pattern.points, 4, 3);
        CHECK(quadrats.statistic == doctest::Approx(pattern.of("quadrats")[0]).epsilon(1e-6));
        CHECK(quadrats.freedom == pattern.of("quadrats")[1]);
        CHECK(quadrats.p_value == doctest::Approx(pattern.of("quadrats")[2]).epsilon(1e-5));

        const auto bandwidth = [&](BandwidthRule rule) { return bandwidth_of(statistics, pattern.points, rule); };
        CHECK(bandwidth(BandwidthRule::kScott) == doctest::Approx(pattern.of("bandwidths")[0]).epsilon(1e-7));
        CHECK(bandwidth(BandwidthRule::kDiggle) == doctest::Approx(pattern.of("bandwidths")[1]).epsilon(0.05));
        CHECK(bandwidth(BandwidthRule::kLikelihood) == doctest::Approx(pattern.of("bandwidths")[2]).epsilon(0.1));

        for (const bool diggle : {false, true}) {
            const IntensityMap map = intensity_map(pattern.area, pattern.points, 0.6, diggle);
            const std::vector<double>& values = pattern.of(diggle ? "intensity diggle" : "intensity uniform");
            for (size_t i = 0; i < values.size(); ++i) {
                const double ours = map.values[(11 + 12 * (i / 10)) * 128 + 11 + 12 * (i % 10)];
                if (std::isnan(ours) || std::isnan(values[i])) continue;
                CHECK(ours == doctest::Approx(values[i]).epsilon(polygon ? 5e-3 : 1e-3));
            }
        }
        for (const PointProcess process : {PointProcess::kThomas, PointProcess::kMaternCluster}) {
            const PointPattern whole{pattern.points};
            const FittedProcess fitted = fit_process(statistics, {&whole, 1}, process);
            CHECK(fitted.parents == doctest::Approx(pattern.of(name_of(process))[0]).epsilon(0.01));
            CHECK(fitted.scale == doctest::Approx(pattern.of(name_of(process))[1]).epsilon(0.01));
        }
    }
}

TEST_CASE("spatial: simulated patterns lie in the area, in the right number, and repeat") {
    const StudyArea area = square_with_hole();
    const std::vector<Point> pattern = simulate({}, area, std::vector<Point>(200), 3, 0);
    CHECK(pattern == simulate({}, area, std::vector<Point>(200), 3, 0));
    CHECK(pattern != simulate({}, area, std::vector<Point>(200), 3, 1));
    const FittedProcess processes[] = {{PointProcess::kRandom},
                                       {PointProcess::kThomas, 2, 0.2, 200 / 11.0 / 2},
                                       {PointProcess::kMaternCluster, 2, 0.3, 200 / 11.0 / 2},
                                       {PointProcess::kHardCore, 0, 0.001, 0}};
    for (const FittedProcess& process : processes) {
        CAPTURE(name_of(process.process));
        double sum = 0;
        for (uint64_t index = 0; index < 40; ++index) {
            const std::vector<Point> made = simulate(process, area, pattern, 1, index);
            for (const Point p : made) REQUIRE(area.contains(p));
            sum += double(made.size()) / 40;
        }
        CHECK(sum == doctest::Approx(200).epsilon(0.12));
    }
    const FittedProcess core{PointProcess::kHardCore, 0, 0.9 * 0.04, 0};
    std::vector<Point> lattice;
    for (int i = 0; i < 20; ++i)
        for (int j = 0; j < 10; ++j) lattice.push_back({0.02 + 0.04 * i, 0.02 + 0.04 * j});
    const std::vector<Point> moved = simulate(core, area, lattice, 1, 0);
    CHECK(moved != lattice);
    for (size_t i = 0; i < moved.size(); ++i)
        for (size_t j = 0; j < i; ++j)
            REQUIRE(std::hypot(moved[i].x - moved[j].x, moved[i].y - moved[j].y) >= core.scale);
}

TEST_CASE("spatial: cluster processes are not fitted to points without clusters") {
    const StudyArea area = square_with_hole();
    Context context(DeviceRequest::kCpu, 1);
    SpatialStatistics statistics(context, area);
    for (const PointProcess process : {PointProcess::kThomas, PointProcess::kMaternCluster}) {
        size_t refused = 0;
        for (uint64_t index = 0; index < 12; ++index) {
            const std::vector<Point> points = simulate({}, area, std::vector<Point>(400), 5, index);
            const PointPattern pattern{points};
            try {
                const FittedProcess fitted = fit_process(statistics, {&pattern, 1}, process);
                CHECK(fitted.per_parent >= 0.01);
            } catch (const Error& error) {
                ++refused;
                CHECK(std::string(error.what()).find("no such clusters") != std::string::npos);
            }
        }
        CHECK(refused > 0);
    }
}

TEST_CASE("spatial: directions are those of all pairs, and of nearest neighbours, on every device") {
    StudyArea torus = area_of_rectangle({0, 0}, {4, 3});
    torus.periodic_x = torus.periodic_y = true;
    for (const StudyArea& area : {square_with_hole(), torus}) {
        const bool is_torus = area.periodic_x;
        const std::vector<Point> points = simulate({}, area, std::vector<Point>(150), 5, 0);
        std::vector<double> first, first_nearest;
        on_every_device([&](Context& context) {
            SpatialStatistics statistics(context, area);
            statistics.set_points(points);
            const std::vector<double> made = statistics.directions(0.2, 0.7, 12);
            const std::vector<double> nearest = statistics.nearest_directions(12);
            if (first.empty()) first = made, first_nearest = nearest;
            CHECK(made == first);
            CHECK(nearest == first_nearest);
            const AreaIndex index(area);
            Buffer<double> table;
            tabulate_set_covariance(context, area, 0.7, table);
            const std::vector<double> covariance = table.download();
            const PairWeights weights{index.view(), {}, {covariance.data(), covariance.size()}, 0.7};
            std::vector<double> pairs(12), ends(12);
            for (size_t i = 0; i < points.size(); ++i) {
                Point least{9, 9};
                for (size_t j = 0; j < points.size(); ++j) {
                    Point d{points[j].x - points[i].x, points[j].y - points[i].y};
                    if (is_torus) d = {std::remainder(d.x, 4), std::remainder(d.y, 3)};
                    const double distance = std::hypot(d.x, d.y);
                    if (i == j) continue;
                    if (distance < std::hypot(least.x, least.y)) least = d;
                    const auto bin = size_t(std::fmod(std::atan2(d.y, d.x) * 12 / std::numbers::pi + 12, 12));
                    if (j > i && distance > 0.2 && distance <= 0.7)
                        pairs[bin] += is_torus ? 1 : weights.translation(d.x, d.y);
                }
                if (is_torus || std::hypot(least.x, least.y) <= index.view().depth(points[i]))
                    ++ends[size_t(std::fmod(std::atan2(least.y, least.x) * 12 / std::numbers::pi + 12, 12))];
            }
            for (size_t k = 0; k < 12; ++k) CHECK(made[k] == doctest::Approx(pairs[k]).epsilon(1e-6));
            CHECK(nearest == ends);
            CHECK_THROWS_WITH(statistics.directions(1, 1), doctest::Contains("two ascending distances"));
        });
    }
}

namespace {

/// Frames of different numbers of points, with categories or numbers as marks; the third has one point.
struct Film {
    std::vector<std::vector<Point>> points;
    std::vector<std::vector<double>> marks;
    std::vector<PointPattern> frames;
    explicit Film(const StudyArea& area) {
        for (const size_t n : {80, 120, 1, 160}) {
            points.push_back(simulate({}, area, std::vector<Point>(n), n, 0));
            marks.emplace_back();
            for (size_t i = 0; i < n; ++i) marks.back().push_back(double(i % 3 % 2));
        }
        for (size_t t = 0; t < points.size(); ++t) frames.push_back({points[t], marks[t]});
    }
};

SpatialOptions at_three_radii() {
    SpatialOptions options;
    options.radii = {0.1, 0.2, 0.5};
    options.bandwidth = 0.1;
    return options;
}

}  // namespace

TEST_CASE(
    "spatial: the mean over frames has the mean values, and their standard errors, of frames with enough points") {
    const StudyArea area = square_with_hole();
    const Film film(area);
    Context context(DeviceRequest::kCpu, 1);
    SpatialStatistics statistics(context, area);
    const SpatialOptions options = at_three_radii();
    statistics.set_points(film.points[0]);
    const SpatialCurve l = statistics.measure(SpatialFunction::kL, options);
    const SpatialCurve centred = statistics.measure(SpatialFunction::kCentredL, options);
    REQUIRE(centred.estimates.size() == 4);
    for (size_t e = 0; e < 4; ++e) CHECK(centred.estimates[e].values[2] == l.estimates[e].values[2] - options.radii[2]);
    CHECK(centred.expected[2] == 0);
    std::vector<SpatialMeasure> measures;
    for (const auto function :
         {SpatialFunction::kK, SpatialFunction::kEmptySpace, SpatialFunction::kCrossK,
          SpatialFunction::kCrossCorrelation, SpatialFunction::kMarkConnection, SpatialFunction::kMarkCorrelation})
        measures.push_back({function, options});
    const std::vector<SpatialCurve> means = statistics.measure_mean(film.frames, measures);
    CHECK(statistics.count() == 160);
    for (size_t m = 0; m < measures.size(); ++m) {
        std::vector<SpatialCurve> each;
        for (const size_t t : {0, 1, 3}) {
            statistics.set_points(film.points[t], film.marks[t]);
            each.push_back(statistics.measure(measures[m].function, options));
        }
        CHECK(means[m].count == 361);
        REQUIRE(!means[m].estimates.empty());
        for (size_t e = 0; e < means[m].estimates.size(); ++e) {
            const auto value = [&](size_t frame) { return each[frame].estimates[e].values[2]; };
            const double a = value(0), b = value(1), c = value(2), middle = (a + b + c) / 3;
            CHECK(means[m].estimates[e].values[2] == doctest::Approx(middle));
            const double squares = std::pow(a - middle, 2) + std::pow(b - middle, 2) + std::pow(c - middle, 2);
            CHECK(means[m].estimates[e].errors[2] == doctest::Approx(std::sqrt(squares / 6)));
        }
        CHECK(means[m].expected[2] ==
              doctest::Approx((each[0].expected[2] + each[1].expected[2] + each[2].expected[2]) / 3));
    }
}

TEST_CASE("spatial: envelopes of frames are of the means of patterns simulated for each frame") {
    const StudyArea area = square_with_hole();
    const Film film(area);
    const std::vector<SpatialMeasure> measures{{SpatialFunction::kPairCorrelation, at_three_radii()}};
    on_every_device([&](Context& context) {
        SpatialStatistics statistics(context, area);
        const std::vector<SpatialCurve> curves = statistics.measure_mean(film.frames, measures);
        const SpatialEnvelope made = envelopes(statistics, film.frames, measures, curves, {9, 4, {}}).front();
        std::vector<double> low(3, INFINITY), high(3, -INFINITY);
        for (uint64_t index = 0; index < 9; ++index) {
            std::vector<double> mean(3);
            for (const uint64_t t : {0, 1, 3}) {
                statistics.set_points(simulate({}, area, film.points[t], 4, 4 * index + t));
                const SpatialCurve one = statistics.measure(SpatialFunction::kPairCorrelation, at_three_radii());
                for (size_t k = 0; k < 3; ++k) mean[k] += one.estimates.back().values[k] / 3;
            }
            for (size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], mean[k]), high[k] = std::max(high[k], mean[k]);
        }
        for (size_t k = 0; k < 3; ++k) {
            CHECK(made.low[k] == doctest::Approx(low[k]));
            CHECK(made.high[k] == doctest::Approx(high[k]));
        }
    });
}

TEST_CASE("spatial: one permutation of the ids shuffles the marks of all frames") {
    const StudyArea area = square_with_hole();
    const Film film(area);
    const std::vector<Point>& points = film.points[1];
    std::vector<double> sizes;
    for (size_t i = 0; i < points.size(); ++i) sizes.push_back(1 + double(i * i % 17));
    // The same points in another order, and without every third one.
    std::vector<int64_t> ids, other_ids, fewer_ids;
    std::vector<Point> other, fewer;
    std::vector<double> other_sizes, fewer_sizes;
    for (size_t i = 0; i < points.size(); ++i) {
        const size_t j = i * 7 % points.size();  // 120 points
        ids.push_back(int64_t(i) + 1000);
        other_ids.push_back(int64_t(j) + 1000);
        other.push_back(points[j]);
        other_sizes.push_back(sizes[j]);
        if (i % 3 == 0) continue;
        fewer_ids.push_back(int64_t(i) + 1000);
        fewer.push_back(points[i]);
        fewer_sizes.push_back(sizes[i]);
    }
    Context context(DeviceRequest::kCpu, 1);
    SpatialStatistics statistics(context, area);
    const auto envelope = [&](const std::vector<PointPattern>& frames, const SpatialOptions& options) {
        const std::vector<SpatialMeasure> measures{{SpatialFunction::kMarkCorrelation, options}};
        return envelopes(statistics, frames, measures, statistics.measure_mean(frames, measures), {19, 4, {}}).front();
    };
    const PointPattern whole{points, sizes, ids}, mixed{other, other_sizes, other_ids},
        part{fewer, fewer_sizes, fewer_ids};
    const SpatialEnvelope one = envelope({whole}, at_three_radii()), two = envelope({whole, mixed}, at_three_radii());
    CHECK(one.high[1] - one.low[1] > 0.01);
    for (size_t k = 0; k < 3; ++k) {
        CHECK(two.low[k] == doctest::Approx(one.low[k]));
        CHECK(two.high[k] == doctest::Approx(one.high[k]));
    }
    CHECK(two.p_value == one.p_value);
    // Over all pairs, every order of the same marks has the same mean product.
    SpatialOptions all_pairs;
    all_pairs.radii = {9, 10};
    all_pairs.bins = true;
    all_pairs.corrections = {EdgeCorrection::kNone};
    const SpatialEnvelope of_part = envelope({whole, part}, all_pairs);
    CHECK(of_part.low[0] == doctest::Approx(of_part.high[0]));
    CHECK(of_part.deviation < 0.1);
    CHECK(std::fabs(envelope({whole, part}, at_three_radii()).low[1] - one.low[1]) > 1e-6);
}

TEST_CASE("spatial: functions of marks are of the points that have one") {
    const StudyArea area = square_with_hole();
    const Film film(area);
    std::vector<double> some = film.marks[3];
    std::vector<Point> marked;
    std::vector<double> marks;
    for (size_t i = 0; i < some.size(); ++i) {
        if (i % 5 == 0) {
            some[i] = NAN;
            continue;
        }
        marked.push_back(film.points[3][i]);
        marks.push_back(some[i]);
    }
    Context context(DeviceRequest::kCpu, 1);
    SpatialStatistics statistics(context, area);
    for (const auto function :
         {SpatialFunction::kCrossK, SpatialFunction::kMarkConnection, SpatialFunction::kMarkCorrelation}) {
        statistics.set_points(film.points[3], some);
        const SpatialCurve with_others = statistics.measure(function, at_three_radii());
        statistics.set_points(marked, marks);
        const SpatialCurve alone = statistics.measure(function, at_three_radii());
        for (size_t k = 0; k < 3; ++k) {
            CHECK(with_others.estimates.back().values[k] == doctest::Approx(alone.estimates.back().values[k]));
            CHECK(with_others.expected[k] == doctest::Approx(alone.expected[k]));
        }
    }
}

TEST_CASE("spatial: two points in opposite corners are each other's nearest") {
    const StudyArea area = area_of_rectangle({0, 0}, {8.52, 7.85});
    Context context(DeviceRequest::kCpu, 1);
    SpatialStatistics statistics(context, area);
    statistics.set_points(std::vector<Point>{{0, 0}, {8.52, 7.85}});
    CHECK(clark_evans(statistics).ratio == doctest::Approx(2 * std::hypot(8.52, 7.85) / std::sqrt(8.52 * 7.85 / 2)));
}

TEST_CASE("spatial: tests of several frames are sums and means, without frames that have none") {
    const QuadratTest quadrats = combined(std::vector<QuadratTest>{{10, 0.5, 8}, {0, 1, 0}, {6, 0.5, 8}});
    CHECK(quadrats.statistic == 16);
    CHECK(quadrats.freedom == 16);
    CHECK(quadrats.p_value == doctest::Approx(0.90588).epsilon(1e-4));  // 2 Q(8, 8)
    const ClarkEvans nearest =
        combined(std::vector<ClarkEvans>{{0.8, NAN, 0.7, -2, 0.05}, {NAN, NAN, NAN, NAN, NAN}, {0.6, NAN, 0.5, -4, 0}});
    CHECK(nearest.ratio == doctest::Approx(0.7));
    CHECK(std::isnan(nearest.donnelly));
    CHECK(nearest.cdf == doctest::Approx(0.6));
    CHECK(nearest.z == doctest::Approx(-6 / std::sqrt(2)));
    CHECK(nearest.p_value == doctest::Approx(2.2090e-5).epsilon(1e-3));
    const MoranTest moran =
        combined(std::vector<MoranTest>{{0.2, -0.1, 0.01, 3, 0.003, 30}, {0, -0.3, 0.03, 1, 0.3, 50}});
    CHECK(moran.i == doctest::Approx(0.1));
    CHECK(moran.expected == doctest::Approx(-0.2));
    CHECK(moran.z == doctest::Approx(4 / std::sqrt(2)));
    CHECK(moran.variance == doctest::Approx(0.01));  // of the mean: (0.01 + 0.03) / 2²
    CHECK(moran.edges == 80);
    CHECK(std::isnan(combined(std::vector<MoranTest>{{NAN, -0.5, NAN, NAN, NAN, 3}}).i));
}

TEST_CASE("spatial: the K of simulated clusters is that of their process") {
    StudyArea box = area_of_rectangle({0, 0}, {10, 10});
    box.periodic_x = box.periodic_y = true;
    Context context(DeviceRequest::kCpu, 1);
    SpatialStatistics statistics(context, box);
    for (const FittedProcess& process :
         {FittedProcess{PointProcess::kThomas, 1, 0.2, 8}, FittedProcess{PointProcess::kMaternCluster, 1, 0.4, 8}}) {
        SpatialOptions options;
        options.radii = {0, 0.1, 0.3, 0.6, 1};
        std::vector<double> mean(options.radii.size());
        constexpr int kTimes = 60;
        for (int index = 0; index < kTimes; ++index) {
            statistics.set_points(simulate(process, box, std::vector<Point>(800), 5, uint64_t(index)));
            const std::vector<double> values = statistics.measure(SpatialFunction::kK, options).estimates[0].values;
            for (size_t k = 0; k < mean.size(); ++k) mean[k] += values[k] / kTimes;
        }
        for (size_t k = 1; k < mean.size(); ++k)
            CHECK(mean[k] == doctest::Approx(cluster_k(process, options.radii[k])).epsilon(0.06));
    }
}

TEST_CASE("spatial: envelopes are the extremes of the simulations, and the p-value is the pattern's rank") {
    const StudyArea area = square_with_hole();
    const std::vector<Point> pattern = simulate({PointProcess::kThomas, 2, 0.2, 5}, area, {}, 7, 0);
    SpatialOptions options;
    options.radii = {0, 0.05, 0.1, 0.2};
    options.corrections = {EdgeCorrection::kTranslation};
    std::vector<double> marks;
    for (size_t i = 0; i < pattern.size(); ++i) marks.push_back(double(i % 2));
    const PointPattern marked{pattern, marks};
    std::vector<SpatialEnvelope> first;
    on_every_device([&](Context& context) {
        SpatialStatistics statistics(context, area);
        const std::vector<SpatialMeasure> measures{{SpatialFunction::kL, options}, {SpatialFunction::kCrossK, options}};
        const std::vector<SpatialCurve> curves = statistics.measure_mean({&marked, 1}, measures);
        const std::vector<SpatialEnvelope> made = envelopes(statistics, {&marked, 1}, measures, curves, {19, 4, {}});
        REQUIRE(made.size() == 2);
        if (first.empty()) first = made;
        for (size_t c = 0; c < 2; ++c) {
            CHECK(made[c].low == first[c].low);
            CHECK(made[c].high == first[c].high);
        }
        std::vector<double> low(4, INFINITY), high(4, -INFINITY);
        double as_far = 1, widest = 0, own = 0;
        for (size_t k = 0; k < 4; ++k)
            own = std::max(own, std::fabs(curves[0].estimates[0].values[k] - options.radii[k]));
        for (uint64_t index = 0; index < 19; ++index) {
            statistics.set_points(simulate({}, area, pattern, 4, index));
            const std::vector<double> values = statistics.measure(SpatialFunction::kL, options).estimates[0].values;
            double most = 0;
            for (size_t k = 0; k < 4; ++k) {
                low[k] = std::min(low[k], values[k]);
                high[k] = std::max(high[k], values[k]);
                most = std::max(most, std::fabs(values[k] - options.radii[k]));
            }
            widest = std::max(widest, most);
            as_far += most >= own;
        }
        CHECK(made[0].low == low);
        CHECK(made[0].high == high);
        CHECK(made[0].half_width == widest);
        CHECK(made[0].p_value == as_far / 20);
        CHECK(made[0].p_value == 1 / 20.0);  // clusters
        CHECK(made[1].p_value > 1 / 20.0);   // alternating marks
        // The curve and one simulation are as far from each other.
        const SpatialEnvelope of_one = envelopes(statistics, {&marked, 1}, measures, curves, {1, 4, {}})[1];
        CHECK(of_one.is_of_mean);
        CHECK(of_one.centre == of_one.low);
        CHECK(of_one.half_width == doctest::Approx(of_one.deviation));
        CHECK(of_one.deviation > 0);
    });
}

TEST_CASE("spatial: Moran's I has the mean and variance of all permutations") {
    Context context(DeviceRequest::kCpu, 1);
    const std::vector<Point> points{{0, 0}, {4, 0}, {5, 3}, {1, 4}, {2, 1.5}, {3, 2.5}};
    std::vector<double> values{1, 2, 4, 8, 16, 23};
    const MoranTest test = moran_test(context, points, values);
    double mean = 0, squares = 0, count = 0;
    std::ranges::sort(values);
    do {
        const double i = moran_test(context, points, values).i;
        mean += i / 720;
        squares += i * i / 720;
        ++count;
    } while (std::ranges::next_permutation(values).found);
    CHECK(count == 720);
    CHECK(test.expected == doctest::Approx(mean));
    CHECK(test.variance == doctest::Approx(squares - mean * mean));
    CHECK(test.edges > 8);
}
