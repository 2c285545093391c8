// sanitizers: none
// Functions with the same bits on every device: against the math library on the host, and device against host.
#include "compute/portable_math.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "compute/buffer.h"
#include "compute/launch.h"
#include "test_support.h"

using namespace flipscope;

namespace {

double relative(double value, double truth) { return std::abs(value - truth) / std::max(std::abs(truth), 1e-300); }

struct Evaluate {
    View<double> results;  // (n, 6)
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const RandomPair u = random_pair(7, i);
        const portable::SineCosine turn = portable::sine_cosine((u.first - 0.5) * 2000);
        const NormalPair clamped = normal_pair(8, i, false), rerolled = normal_pair(9, i, true);
        double* const out = &results[6 * size_t(i)];
        out[0] = portable::log(u.second);
        out[1] = turn.sine;
        out[2] = turn.cosine;
        out[3] = clamped.first;
        out[4] = rerolled.second;
        out[5] = portable::normal_quantile((u.first - 0.5) * 0.9999999999);
    }
};

}  // namespace

TEST_CASE("portable math: the logarithm agrees with the library's, near 1, far from it, and at the ends") {
    const size_t count = case_count(200000);
    double worst = 0;
    for (size_t i = 0; i < count; ++i) {
        const RandomPair u = random_pair(1, i);
        const double wide = std::ldexp(0.5 + u.first / 2, int(u.second * 2100) - 1060), near_one = 0.5 + u.second;
        const double nearer = 1 + (u.first - 0.5) * std::ldexp(1.0, -int(u.second * 50));
        for (const double x : {wide, near_one, nearer})
            if (x > 0 && x != 1) worst = std::max(worst, relative(portable::log(x), std::log(x)));
    }
    CHECK(worst < 1e-15);
    CHECK(portable::log(1) == 0);
    CHECK(portable::log(0) == -INFINITY);
    CHECK(portable::log(INFINITY) == INFINITY);
    CHECK(std::isnan(portable::log(-1)));
    CHECK(std::isnan(portable::log(NAN)));
    CHECK(relative(portable::log(0x1p-1074), std::log(0x1p-1074)) < 1e-15);
    CHECK(relative(portable::log(1.7976931348623157e308), std::log(1.7976931348623157e308)) < 1e-15);
}

TEST_CASE("portable math: sine and cosine agree with the library's, beside multiples of a right angle too") {
    const size_t count = case_count(200000);
    double worst = 0, far_off = 0;
    const auto compare = [&](double angle) {
        const portable::SineCosine turn = portable::sine_cosine(angle);
        worst = std::max({worst, relative(turn.sine, std::sin(angle)), relative(turn.cosine, std::cos(angle))});
        far_off = std::max(far_off, std::abs(turn.sine * turn.sine + turn.cosine * turn.cosine - 1));
    };
    for (size_t i = 0; i < count; ++i) {
        const RandomPair u = random_pair(2, i);
        compare((u.first - 0.5) * 20);
        compare((u.second - 0.5) * 0x1p21);
        const double corner = std::floor(u.first * 600000) * (std::numbers::pi / 2);
        compare(corner);
        compare(-std::nextafter(corner, 0.0));
        compare(std::ldexp(u.second, -int(u.first * 300)));
    }
    CHECK(worst < 1e-15);
    CHECK(far_off < 1e-15);
    CHECK(portable::sine_cosine(0).sine == 0);
    CHECK(portable::sine_cosine(0).cosine == 1);
    CHECK(std::isnan(portable::sine_cosine(0x1.1p20).sine));
    CHECK(std::isnan(portable::sine_cosine(INFINITY).cosine));
    CHECK(std::isnan(portable::sine_cosine(NAN).sine));
}

TEST_CASE("portable math: the normal quantile is the inverse of the distribution function, and odd") {
    const auto distribution = [](double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; };  // Φ
    const size_t count = case_count(200000);
    double worst = 0;
    for (size_t i = 0; i < count; ++i) {
        const RandomPair u = random_pair(3, i);
        // Uniform, and with tails down to 2^-50.
        for (const double p : {u.first / 2, std::ldexp(0.5 + u.first / 2, -1 - int(u.second * 50))}) {
            const double from_half = p - 0.5, tail = 0.5 + from_half;
            if (tail <= 0) continue;
            const double z = portable::normal_quantile(from_half);
            // Rounding z by itself moves Φ by about z² units in the last place.
            worst = std::max(worst, relative(distribution(z), tail) / (1 + z * z));
            CHECK(portable::normal_quantile(-from_half) == -z);
        }
    }
    CHECK(worst < 1e-15);
    CHECK(portable::normal_quantile(0) == 0);
    CHECK(relative(portable::normal_quantile(0.4), 1.2815515655446004) < 1e-15);
    CHECK(relative(portable::normal_quantile(-0.475), -1.959963984540054) < 1e-15);
    CHECK(portable::normal_quantile(0.5) == INFINITY);
    CHECK(portable::normal_quantile(-0.5) == -INFINITY);
    CHECK(std::isnan(portable::normal_quantile(0.6)));
    // The three approximations meet where one takes over from the other.
    for (const double border : {0.425, 0.5 - std::exp(-25.0)}) {
        const double below = portable::normal_quantile(std::nextafter(border, 0.0));
        const double above = portable::normal_quantile(std::nextafter(border, 1.0));
        CHECK(std::abs(above - below) < 1e-5 * below);
        CHECK(above >= below);
    }
}

TEST_CASE("portable math: bounded normal numbers end at three standard deviations, on either side alike") {
    const double last = 1 - 0x1p-53;
    CHECK(bounded_normal(0, false) == -3);
    CHECK(bounded_normal(last, false) == 3);
    CHECK(relative(bounded_normal(0, true), -3) < 1e-13);
    CHECK(relative(bounded_normal(last, true), 3) < 1e-13);
    CHECK(bounded_normal(0, true) >= -3);
    CHECK(bounded_normal(last, true) <= 3);
    CHECK(std::abs(bounded_normal(0.5, false)) < 1e-15);
    for (uint64_t i = 0; i < 1000; ++i) {
        const double u = random_pair(4, i).first;
        if (u == 0) continue;
        for (const bool rerolled : {false, true})
            CHECK(bounded_normal(u, rerolled) == doctest::Approx(-bounded_normal(1 - u, rerolled)).epsilon(1e-12));
    }
    CHECK(relative(kTailBeyondReach, std::erfc(3 / std::numbers::sqrt2) / 2) < 1e-15);
}

TEST_CASE("portable math: kernels on every device give the bits that the host gives") {
    const auto n = static_cast<uint32_t>(case_count(20000));
    std::vector<double> expected(6 * size_t(n));
    const Evaluate on_host{{expected.data(), expected.size()}};
    for (uint32_t i = 0; i < n; ++i) on_host(i);
    on_every_device([&](Context& context) {
        Buffer<double> results("results");
        results.resize(context, expected.size());
        launch(context, "test.portable_math", n, Evaluate{results.view()});
        const std::vector<double> values = results.download();
        size_t differing = 0;
        for (size_t k = 0; k < values.size(); ++k)
            differing += portable::bits_of(values[k]) != portable::bits_of(expected[k]);
        CHECK(differing == 0);
    });
}
