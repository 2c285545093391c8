// Shrinking: planted failures are reduced to the fewest points, with coordinates as simple as can be.
#include "judge/shrink.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "compute/cancel.h"
#include "flipscope/predicates.h"
#include "geometry/generators.h"
#include "judge/adversarial.h"
#include "mesh/hash.h"
#include "test_support.h"

using namespace flipscope;

namespace {

bool has(std::span<const Point> points, Point one) {
    return std::find(points.begin(), points.end(), one) != points.end();
}

std::vector<Point> uniform(uint32_t count) {
    return generate(parse_generator("uniform:" + std::to_string(count))).points;
}

}  // namespace

TEST_CASE("shrink: points that fail together are found among ten thousand, wherever they lie") {
    std::mt19937 random(11);
    const std::vector<Point> points = uniform(10'000);
    for (uint32_t planted = 1; planted <= 12; ++planted) {
        std::vector<Point> chosen;
        while (chosen.size() < planted)
            if (const Point one = points[random() % points.size()]; !has(chosen, one)) chosen.push_back(one);
        ShrinkOptions how;
        how.simplify = false;
        how.fails = [&](std::span<const Point> candidate) {
            return std::all_of(chosen.begin(), chosen.end(), [&](Point one) { return has(candidate, one); });
        };
        const Shrunk shrunk = shrink(points, how);
        INFO(shrunk.tests << " tests for " << planted);
        CHECK(shrunk.complete);
        REQUIRE(shrunk.points.size() == planted);
        CHECK(shrunk.tests < 150 * planted);
        for (const Point one : shrunk.points) CHECK(has(chosen, one));
    }
}

TEST_CASE("shrink: two points that can go only together go") {
    const std::vector<Point> points{{1, 0}, {0, 0}, {2, 0}};
    ShrinkOptions options;
    options.fails = [](std::span<const Point> left) { return left.size() % 2 == 1 && has(left, {1, 0}); };
    options.simplify = false;
    CHECK(shrink(points, options).points == std::vector<Point>{{1, 0}});
    const std::vector<Point> pairs{{0, 0}, {10, 0}, {1, 0}, {11, 0}};
    options.fails = [](std::span<const Point> left) {
        return left.size() % 2 == 0 && has(left, {0, 0}) && has(left, {10, 0});
    };
    CHECK(shrink(pairs, options).points == std::vector<Point>{{0, 0}, {10, 0}});
}

TEST_CASE("shrink: once coordinates are simple, more points can go") {
    ShrinkOptions options;
    options.fails = [](std::span<const Point> left) {
        const bool whole = are_of_kind(left, {.integers = true});
        return left.size() >= (whole ? 1 : 3);
    };
    CHECK(shrink(std::vector<Point>{{0.3, 0.1}, {0.7, 0.4}, {0.2, 0.9}}, options).points == std::vector<Point>{{0, 0}});
    CHECK(shrink(std::vector<Point>{{3, 5}}, options).points == std::vector<Point>{{0, 0}});
}

TEST_CASE("shrink: a wrong sign in float is left with four points in small numbers") {
    // Fails as long as some four points in a row have another in-circle sign in float than exactly.
    const auto wrong = [](std::span<const Point> p) {
        for (size_t i = 0; i + 4 <= p.size(); ++i) {
            if (orient2d(p[i], p[i + 1], p[i + 2]) <= 0) continue;
            const int exact = incircle(p[i], p[i + 1], p[i + 2], p[i + 3]);
            if (exact != 0 && incircle_float(p[i], p[i + 1], p[i + 2], p[i + 3]) == -exact) return true;
        }
        return false;
    };
    std::vector<Point> points;
    std::mt19937 random(5);
    for (int i = 0; i < 4000; ++i) points.push_back({5e6 + random() % 1000 / 16.0, 5e6 + random() % 1000 / 16.0});
    REQUIRE(wrong(points));
    ShrinkOptions how;
    how.fails = wrong;
    uint64_t told = 0;
    how.progress = [&](const ShrinkProgress& progress) {
        CHECK(wrong(*progress.best));
        ++told;
    };
    const Shrunk shrunk = shrink(points, how);
    CHECK(shrunk.complete);
    CHECK(told > 3);
    REQUIRE(shrunk.points.size() == 4);
    CHECK(wrong(shrunk.points));
    int bits = 0;
    for (const Point& p : shrunk.points) bits += significant_bits(p.x) + significant_bits(p.y);
    CHECK(bits < 8 * 20);  // they had 27 each
}

TEST_CASE("shrink: the time ends it with the best so far, and a cancel is passed on") {
    const std::vector<Point> points = uniform(2000);
    ShrinkOptions how;
    how.most_seconds = 0.3;
    how.fails = [&](std::span<const Point> p) {
        if (p.size() < 500) std::this_thread::sleep_for(std::chrono::milliseconds(301));
        return has(p, points[7]) && has(p, points[1500]);
    };
    const Shrunk part = shrink(points, how);
    CHECK_FALSE(part.complete);
    CHECK(how.fails(part.points));
    CHECK(part.points.size() < points.size());
    how.fails = [](std::span<const Point>) { return false; };
    CHECK_THROWS_AS(shrink(points, how), std::invalid_argument);
    CancelFlag flag;
    const CancelScope scope(flag);
    how.fails = [&](std::span<const Point> p) {
        if (p.size() < 500) flag.set();
        return true;
    };
    CHECK_THROWS_AS(shrink(points, how), Cancelled);
}

TEST_CASE("shrink: distinct points stay distinct, points stay of their kinds, and no coordinate is a negative zero") {
    const std::vector<Point> points{{0.3, -0.2}, {0.7, 0.9}, {-0.4, 0.6}, {0.1, 0.15}, {0.11, 0.15}};
    ShrinkOptions how;
    how.fails = [](std::span<const Point> candidate) { return candidate.size() >= 3; };
    const Shrunk shrunk = shrink(points, how);
    CHECK(shrunk.points.size() == 3);
    CHECK(place_count(shrunk.points) == 3);
    for (const Point& p : shrunk.points) {
        CHECK_FALSE((p.x == 0 && std::signbit(p.x)));
        CHECK_FALSE((p.y == 0 && std::signbit(p.y)));
    }
    // Points that were equal may stay so, but not where the program takes distinct ones alone.
    const std::vector<Point> twice{{0.5, 0.5}, {0.5, 0.5}, {1, 2}, {2, 1}};
    CHECK(place_count(shrink(twice, how).points) >= 2);
    how.kinds.distinct = true;
    CHECK_THROWS_AS(shrink(twice, how), std::invalid_argument);
    how.kinds = {.distinct = true, .floats = true};
    const std::vector<Point> rounded = made_of_kind(points, how.kinds);
    CHECK_FALSE(are_of_kind(points, how.kinds));
    how.fails = [](std::span<const Point> candidate) {
        return candidate.size() >= 3 && candidate[0].x != std::nearbyint(candidate[0].x);
    };
    CHECK(are_of_kind(shrink(rounded, how).points, how.kinds));
}

TEST_CASE("kinds of points: whole, in single precision, distinct") {
    const std::vector<Point> points{{0.1, 0.2}, {0.1, 0.2}, {1, 0.75}, {0.1 + 1e-12, 0.2}};
    const std::vector<Point> whole = made_of_kind(points, {.integers = true});
    CHECK(whole.size() == 4);
    CHECK(are_of_kind(whole, {.integers = true}));
    CHECK(are_of_kind(whole, {.floats = true}));  // of 21 bits
    CHECK(place_count(whole) == 2);
    CHECK(whole[2].x == 1 << 20);
    CHECK(made_of_kind(points, {.distinct = true, .floats = true}).size() == 2);
    const std::vector<Point> small{{1, 2}, {3, 5}};
    CHECK(made_of_kind(small, {.distinct = true, .floats = true, .integers = true}) == small);
    CHECK(made_of_kind({}, {.integers = true}).empty());
    CHECK(place_count(std::vector<Point>{{0.0, 1}, {-0.0, 1}}) == 1);
}

TEST_CASE("shrink: significant bits are counted from the first digit to the last") {
    CHECK(significant_bits(0) == 0);
    CHECK(significant_bits(8) == 1);
    CHECK(significant_bits(-0.75) == 2);
    CHECK(significant_bits(0.1) == 52);
    CHECK(significant_bits(0x1.fffffffffffffp+0) == 53);
}

TEST_CASE("adversarial sets: the same for the same number, of every kind, and in the range of the predicates") {
    const size_t kinds = adversarial_kinds().size();
    for (uint64_t i = 0; i < case_count(3000); ++i) {
        const AdversarialSet set = adversarial_set(i);
        CAPTURE(i);
        CHECK(set.kind == adversarial_kinds()[i % kinds].name);
        CHECK(set.points.size() >= 3);
        CHECK(set.points.size() <= 40);
        CHECK(set.points == adversarial_set(i).points);
        for (const Point& p : set.points) REQUIRE((coordinate_in_range(p.x) && coordinate_in_range(p.y)));
    }
    CHECK(adversarial_set(3).points != adversarial_set(3 + kinds).points);
    CHECK(adversarial_set(3, 1).points != adversarial_set(3, 2).points);
}

TEST_CASE("adversarial sets: twenty of each kind are those that were found with earlier versions") {
    // Cube roots, so that small coordinates count; and weights, so that the order does.
    const std::pair<const char*, double> all[] = {
        {"small-grid", 3159.1551844506589}, {"one-off-line", 10536.519826570096},
        {"bent-line", 10435.931393981},     {"rounded-line", 510.83466527742564},
        {"circle", -187.457469525367},      {"rounded-circle", 615.13402701753171},
        {"ulp-cluster", 2947.870402239846}, {"copies", 1762.6990887445322},
        {"far-offset", 58414656.93506439},  {"scales", -21354513.360479068},
        {"flat-hull", 1697.7477117583078},  {"needle", 596.43175734890269},
        {"cross", -116.48222102247652},     {"hexagons", 2995.1434610655633},
        {"spokes", -76.787504407270916},
    };
    const size_t kinds = adversarial_kinds().size();
    REQUIRE(std::size(all) == kinds);
    for (uint64_t kind = 0; kind < kinds; ++kind) {
        CAPTURE(all[kind].first);
        double sum = 0;
        for (uint64_t i = kind; i < 20 * kinds; i += kinds) {
            double weight = 1;
            for (const Point& p : adversarial_set(i).points) {
                sum += weight * std::cbrt(p.x) + (weight + 0.5) * std::cbrt(p.y);
                weight += 1;
            }
        }
        CHECK(adversarial_kinds()[kind].name == std::string(all[kind].first));
        CHECK(sum == doctest::Approx(all[kind].second).epsilon(1e-7));
    }
    uint64_t bits = 0;  // without kinds that use cos and sin
    for (uint64_t i = 0; i < 20 * kinds; ++i) {
        const AdversarialSet set = adversarial_set(i);
        if (set.kind == "rounded-circle" || set.kind == "spokes") continue;
        for (const Point& p : set.points)
            bits = hash_words({std::bit_cast<uint64_t>(p.x), std::bit_cast<uint64_t>(p.y)}, bits);
    }
    CHECK(bits == 8982649479577271964u);
}
