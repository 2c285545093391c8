#include "statistics/herschel_bulkley.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace flipscope {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Rates are relative to the greatest one, weights are inverse variances.
struct WeightedFlowCurve {
    std::vector<double> rates, stresses, weights;

    /// The best law with this exponent, and its weighted sum of squares.
    std::pair<HerschelBulkley, double> at(double exponent) const {
        double w = 0, z = 0, s = 0, zz = 0, zs = 0;
        for (size_t i = 0; i < rates.size(); ++i) {
            const double power = std::pow(rates[i], exponent);
            w += weights[i], z += weights[i] * power, s += weights[i] * stresses[i];
            zz += weights[i] * power * power, zs += weights[i] * power * stresses[i];
        }
        HerschelBulkley law;
        law.exponent = exponent;
        law.consistency = std::max(0.0, (w * zs - z * s) / (w * zz - z * z));
        law.yield_stress = (s - law.consistency * z) / w;
        if (law.yield_stress < 0) law.yield_stress = 0, law.consistency = std::max(0.0, zs / zz);
        double sum = 0;
        for (size_t i = 0; i < rates.size(); ++i) {
            const double difference = stresses[i] - law.stress(rates[i]);
            sum += weights[i] * difference * difference;
        }
        return {law, sum};
    }

    std::pair<HerschelBulkley, double> best() const {
        constexpr int kSteps = 60;
        const double ratio = HerschelBulkley::kMostExponent / HerschelBulkley::kLeastExponent;
        const auto exponent = [&](int k) {
            return HerschelBulkley::kLeastExponent * std::pow(ratio, std::clamp(k, 0, kSteps) / double(kSteps));
        };
        int nearest = 0;
        for (int k = 1; k <= kSteps; ++k)
            if (at(exponent(k)).second < at(exponent(nearest)).second) nearest = k;
        double low = exponent(nearest - 1), high = exponent(nearest + 1);
        const double golden = (std::sqrt(5.0) - 1) / 2;
        for (int k = 0; k < 60; ++k) {
            const double left = high - golden * (high - low), right = low + golden * (high - low);
            (at(left).second <= at(right).second ? high : low) = at(left).second <= at(right).second ? right : left;
        }
        const auto inside = at(0.5 * (low + high)), end = at(exponent(nearest));
        return end.second < inside.second ? end : inside;
    }
};

}  // namespace

double HerschelBulkley::stress(double rate) const { return yield_stress + consistency * std::pow(rate, exponent); }

std::optional<HerschelBulkley> fit_herschel_bulkley(std::span<const FlowCurvePoint> points) {
    std::set<double> different;
    WeightedFlowCurve curve;
    bool weighted = true;
    for (const FlowCurvePoint& point : points) {
        if (!(point.rate > 0 && std::isfinite(point.rate) && std::isfinite(point.stress)))
            throw std::invalid_argument("a flow curve needs positive shear rates and finite stresses");
        different.insert(point.rate);
        curve.stresses.push_back(point.stress);
        weighted = weighted && point.stress_error > 0;
    }
    if (different.size() < 3) return {};
    const double greatest = *different.rbegin();
    for (const FlowCurvePoint& point : points) curve.rates.push_back(point.rate / greatest);
    curve.weights.assign(points.size(), 1);
    auto [law, sum] = curve.best();
    // The slope that converts errors of rates changes little from one fit to the next.
    for (int k = 0; weighted && k < 8; ++k) {
        for (size_t i = 0; i < points.size(); ++i) {
            const double rate_error = points[i].rate_error > 0 ? points[i].rate_error / greatest : 0;
            const double slope = law.exponent * law.consistency * std::pow(curve.rates[i], law.exponent - 1);
            const double error = std::hypot(points[i].stress_error, slope * rate_error);
            curve.weights[i] = 1 / (error * error);
        }
        std::tie(law, sum) = curve.best();
    }
    const auto given = [&](HerschelBulkley relative) {
        relative.consistency *= std::pow(greatest, -relative.exponent);
        return relative;
    };
    double squares = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        const double difference = curve.stresses[i] - law.stress(curve.rates[i]);
        squares += difference * difference;
    }
    HerschelBulkley found = given(law);
    found.points = points.size();
    found.chi_squared = weighted ? sum : kUnknown;
    found.residual = std::sqrt(squares / double(points.size()));
    const double scatter = points.size() > 3 ? std::sqrt(squares / double(points.size() - 3)) : kUnknown;
    double yield = 0, consistency = 0, exponent = 0;  // variances
    for (size_t i = 0; i < points.size(); ++i) {
        WeightedFlowCurve moved = curve;
        moved.stresses[i] += weighted ? 1 / std::sqrt(curve.weights[i]) : scatter;
        const HerschelBulkley other = given(moved.best().first);
        yield += std::pow(other.yield_stress - found.yield_stress, 2);
        consistency += std::pow(other.consistency - found.consistency, 2);
        exponent += std::pow(other.exponent - found.exponent, 2);
    }
    const bool known = weighted || points.size() > 3;
    found.yield_stress_error = known && found.yield_stress > 0 ? std::sqrt(yield) : kUnknown;
    found.consistency_error = known ? std::sqrt(consistency) : kUnknown;
    found.exponent_error = known ? std::sqrt(exponent) : kUnknown;
    return found;
}

}  // namespace flipscope
