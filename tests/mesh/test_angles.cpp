// Angles without trigonometry, against trigonometry.
#include "mesh/angles.h"

#include <cmath>
#include <numbers>
#include <random>

#include "test_support.h"

using namespace flipscope;

namespace {

constexpr double kPi = std::numbers::pi;

struct Draw {
    std::mt19937_64 random{42};
    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
    Point3 point(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
};

}  // namespace

TEST_CASE("angles: in the plane they have the sign of the turn, and agree with those in space") {
    Draw draw;
    for (size_t i = 0; i < case_count(2000); ++i) {
        const Point3 a = draw.point(1), b = draw.point(1), c = draw.point(1);
        const Angle<double> flat = angle_at<double>(Point{a.x, a.y}, Point{b.x, b.y}, Point{c.x, c.y});
        const Angle<double> turned = angle_at<double>(Point{a.x, a.y}, Point{c.x, c.y}, Point{b.x, b.y});
        const Angle<double> lifted = angle_at(Point3{a.x, a.y, 7}, Point3{b.x, b.y, 7}, Point3{c.x, c.y, 7});
        CHECK(flat.sine == -turned.sine);
        CHECK(flat.cosine == turned.cosine);
        CHECK(std::fabs(flat.sine) == doctest::Approx(lifted.sine));
        CHECK(flat.cosine == doctest::Approx(lifted.cosine));
        const Angle<float> rounded = angle_at<float>(Point{a.x, a.y}, Point{b.x, b.y}, Point{c.x, c.y});
        CHECK(std::fabs(rounded.sine - flat.sine) < 1e-5);
    }
}

TEST_CASE("angles: two exceed pi and the slack exactly when they do") {
    Draw draw;
    size_t exceeding = 0;
    for (size_t i = 0; i < case_count(20'000); ++i) {
        const double lambda = draw.uniform(0.001, kPi - 0.001), gamma = draw.uniform(0.001, kPi - 0.001);
        const double slack = i % 3 == 0 ? 0 : draw.uniform(0, 0.5), over = lambda + gamma - kPi - slack;
        if (std::fabs(over) < 1e-9 || (over > 0 && std::fabs(lambda + gamma - kPi) < 1e-9)) continue;
        const double length = std::ldexp(1, int(i % 200) - 100), other = std::ldexp(1.3, int(i % 37));
        const Angle<double> first{length * std::cos(lambda), length * std::sin(lambda)};
        const Angle<double> second{other * std::cos(gamma), other * std::sin(gamma)};
        const Slack epsilon{std::cos(slack), std::sin(slack)};
        CHECK(exceeds_pi(first, second, epsilon) == (over > 0));
        CHECK(exceeds_pi(second, first, epsilon) == (over > 0));
        exceeding += over > 0;
    }
    CHECK(exceeding > case_count(20'000) / 10);
    CHECK_FALSE(exceeds_pi(Angle<double>{0, 1}, Angle<double>{0, 1}, {}));   // two right angles
    CHECK_FALSE(exceeds_pi(Angle<double>{0, 0}, Angle<double>{-1, 0}, {}));  // no angle at all
    CHECK_FALSE(exceeds_pi(Angle<double>{1, 0}, Angle<double>{-1, 0}, {}));  // 0 and pi
    CHECK(exceeds_pi(Angle<double>{-1, 0}, Angle<double>{1, 1e-3}, {}));     // pi and a little
    const double nan = std::nan("");
    CHECK_FALSE(exceeds_pi(Angle<double>{nan, nan}, Angle<double>{-1, 1}, {}));
}

TEST_CASE("angles: surfaces meet flatly up to the limit, for normals of any length") {
    Draw draw;
    for (size_t i = 0; i < case_count(4000); ++i) {
        const double limit = draw.uniform(0.01, 3.1), angle = draw.uniform(0, kPi);
        if (std::fabs(angle - limit) < 1e-6) continue;
        const double size = std::ldexp(1, 2 * (int(i % 360) - 180));  // of a normal: a coordinate's, squared
        const Point3 m{size, 0, 0}, n{size * std::cos(angle), size * std::sin(angle), 0};
        INFO(limit, " ", angle, " ", size);
        CHECK(meets_flatly(m, n, std::cos(limit)) == (angle < limit));
        CHECK(meets_flatly(n, m, std::cos(limit)) == (angle < limit));
    }
    CHECK(meets_flatly({0, 0, 0}, {1, 2, 3}, 0.9));  // no direction: no crease
    CHECK(meets_flatly({1, 2, 3}, {2, 4, 6}, 1 - 1e-12));
}

TEST_CASE("angles: a triangle without area is one at any scale, and no other is") {
    for (int exponent = -150; exponent <= 150; exponent += 30) {
        const double s = std::ldexp(1, exponent);
        INFO(exponent);
        CHECK(is_degenerate({0, 0, 0}, {s, 0, 0}, {2 * s, 0, 0}));
        CHECK(is_degenerate({0, 0, 0}, {s, s, s}, {3 * s, 3 * s, 3 * s}));
        CHECK(is_degenerate({s, 0, 0}, {s, 0, 0}, {0, s, 0}));
        CHECK(is_degenerate({s, s, 0}, {s, s, 0}, {s, s, 0}));
        CHECK(is_degenerate({0, 0, 0}, {s, 0, 0}, {0.5 * s, 1e-11 * s, 0}));
        CHECK_FALSE(is_degenerate({0, 0, 0}, {s, 0, 0}, {0.5 * s, 1e-9 * s, 0}));
        CHECK_FALSE(is_degenerate({0, 0, 0}, {s, 0, 0}, {0, 0, s}));
    }
    const double nan = std::nan("");
    CHECK(is_degenerate({nan, 0, 0}, {1, 0, 0}, {0, 1, 0}));
}
