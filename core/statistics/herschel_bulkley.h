// The flow curve of a yield-stress fluid, Σ = Σ_y + K γ̇ⁿ (W. H. Herschel and R. Bulkley, 1926), fitted to measured
// stresses and rates. Host code.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace flipscope {

struct FlowCurvePoint {
    double rate = 0, stress = 0;
    // Standard errors; NaN: unknown.
    double rate_error = std::numeric_limits<double>::quiet_NaN();
    double stress_error = std::numeric_limits<double>::quiet_NaN();
};

struct HerschelBulkley {
    double yield_stress = 0;  // Σ_y, at least 0, unit of the stresses
    double consistency = 0;   // K, at least 0, unit of the stresses over that of the rates to the power n
    double exponent = 1;      // n, within kLeastExponent … kMostExponent
    // Standard errors; NaN: unknown, as that of a yield stress of 0.
    double yield_stress_error = 0, consistency_error = 0, exponent_error = 0;
    double residual = 0;     // root mean square of the differences of stresses
    double chi_squared = 0;  // sum of squares of the differences over their errors; NaN: errors are unknown
    size_t points = 0;

    double stress(double rate) const;
    static constexpr double kLeastExponent = 0.05, kMostExponent = 2;
};

/// The law with the least sum of squared differences of the stresses over their errors, to which errors of the rates
/// add by the slope of the law; without errors of all points, all weigh the same. For each exponent Σ_y and K are the
/// linear least squares; the exponent is found on a grid, then by golden sections. Deterministic. The
/// errors of the parameters are propagated: each stress is moved by its error, and the squares of the changes are added
/// up. Where errors are unknown they are taken from the scatter of more than three points. nullopt: fewer than three
/// different rates. Throws std::invalid_argument for a rate that is not positive, or a number that is not finite.
std::optional<HerschelBulkley> fit_herschel_bulkley(std::span<const FlowCurvePoint> points);

}  // namespace flipscope
