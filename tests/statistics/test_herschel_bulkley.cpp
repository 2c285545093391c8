// Flow curves made from a known law, exact or with known noise.
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "statistics/herschel_bulkley.h"
#include "test_support.h"
using namespace flipscope;

namespace {

std::vector<FlowCurvePoint> points_of_law(double yield, double consistency, double exponent, double error = NAN) {
    std::vector<FlowCurvePoint> points;
    for (const double rate : {2e-5, 5e-5, 1e-4, 1.6e-4, 3e-4, 4e-4, 6e-4, 1e-3})
        points.push_back({rate, yield + consistency * std::pow(rate, exponent), NAN, error});
    return points;
}

}  // namespace

TEST_CASE("Herschel–Bulkley: exact stresses give their law, with a yield stress or without") {
    for (const double exponent : {0.35, 0.5, 0.77, 1.0, 1.4})
        for (const double yield : {0.0, 3e-5, 2e-4}) {
            CAPTURE(exponent);
            CAPTURE(yield);
            for (const double error : {double(NAN), 1e-6}) {
                const auto law = fit_herschel_bulkley(points_of_law(yield, 0.03, exponent, error));
                REQUIRE(law);
                CHECK(std::fabs(law->yield_stress - yield) < 1e-9);
                CHECK(law->consistency == doctest::Approx(0.03).epsilon(1e-4));
                CHECK(law->exponent == doctest::Approx(exponent).epsilon(1e-5));
                CHECK(law->residual < 1e-9);
                CHECK(std::isnan(law->chi_squared) == std::isnan(error));
            }
        }
}

TEST_CASE("Herschel–Bulkley: with noise the parameters scatter as their errors say") {
    constexpr double kYield = 5e-5, kConsistency = 0.02, kExponent = 0.55;
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    constexpr int kTrials = 100;
    double square[3] = {}, chi = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<FlowCurvePoint> points = points_of_law(kYield, kConsistency, kExponent);
        for (size_t i = 0; i < points.size(); ++i) {
            FlowCurvePoint& at = points[i];
            at.stress_error = (i % 2 ? 0.02 : 0.005) * at.stress, at.stress += at.stress_error * normal(random);
            at.rate_error = 0.01 * at.rate, at.rate += at.rate_error * normal(random);
        }
        const auto law = fit_herschel_bulkley(points);
        REQUIRE(law);
        chi += law->chi_squared / kTrials;
        const double scores[] = {(law->yield_stress - kYield) / law->yield_stress_error,
                                 (law->consistency / kConsistency - 1) / (law->consistency_error / law->consistency),
                                 (law->exponent - kExponent) / law->exponent_error};
        for (int k = 0; k < 3; ++k) square[k] += scores[k] * scores[k] / kTrials;
    }
    CHECK(chi == doctest::Approx(5).epsilon(0.2));  // eight points, three parameters
    for (const double mean : square) CHECK(mean == doctest::Approx(1).epsilon(0.4));
}

TEST_CASE("Herschel–Bulkley: a point with a large error hardly counts") {
    std::vector<FlowCurvePoint> points = points_of_law(5e-5, 0.02, 0.5, 1e-7);
    points[3].stress *= 2, points[3].stress_error = 1e-2;
    const auto law = fit_herschel_bulkley(points);
    REQUIRE(law);
    CHECK(law->exponent == doctest::Approx(0.5).epsilon(1e-3));
    // Below the power law: no yield stress.
    const auto power = fit_herschel_bulkley(points_of_law(-1e-6, 0.02, 0.9));
    REQUIRE(power);
    CHECK(power->yield_stress == 0);
    CHECK(std::isnan(power->yield_stress_error));
    CHECK(std::isfinite(power->exponent_error));
    const auto three = fit_herschel_bulkley(std::vector<FlowCurvePoint>{{1, 2}, {4, 3}, {9, 4}});
    REQUIRE(three);
    CHECK(three->exponent == doctest::Approx(0.5));
    CHECK(std::isnan(three->exponent_error));
    CHECK_FALSE(fit_herschel_bulkley(std::vector<FlowCurvePoint>{{1, 1}, {1, 2}, {2, 3}}));
    CHECK_THROWS_AS(fit_herschel_bulkley(std::vector<FlowCurvePoint>{{1, 1}, {0, 2}, {2, 3}}), std::invalid_argument);
}
