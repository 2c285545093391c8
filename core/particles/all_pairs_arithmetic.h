// f(r) = r / |r|^3 of one pair: the same operations in the same order on CUDA and in the lanes of CPU threads
// (all_pairs_lanes.cpp has them as vectors), so that every bit of a sum is the same. Hardware reciprocal square roots
// round differently and are not used. Instead: a start value from the bits of the number, as with the constant
// 0x5f3759df, and one polynomial; only multiplications, fused multiply-adds and integer operations.
//
// Lengths are in the units of TorusMetric. Float: with y the start value for x^(-1/2) of x = |d|^2,
// s = x y^2 lies in [0.7497, 0.8435], and x^(-3/2) = y^3 s^(-3/2). The polynomial of degree 4 that is nearest to
// s^(-3/2) there, relatively, is off by 1.2e-7. Divided by its highest coefficient and shifted, it is (q + c e) q + d
// with e = s + a and q = e^2 + b: three operations, not four (Knuth, The Art of Computer Programming 2, 4.6.4); the
// coefficient, kFloatScale, is multiplied to the sums at their end. All in all at most 3.6e-7 off, over all floats.
//
// Double: of two steps the first has degree 3, the second degree 2; some 1e-14 off.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "particles/pair_forces_torus.h"

namespace flipscope::all_pairs {

inline constexpr uint32_t kFloatMagic = 0x5f1ff800u;
inline constexpr float kFloatA = -0.691144288f, kFloatB = 0.386208266f, kFloatC = -1.13069177f, kFloatD = 0.0524401441f;
inline constexpr double kFloatScale = 8.6323302499404662;
// Added to |d|^2, which is 0 or at least 1: too small to change it, but 0 becomes a number with finite results, so that
// a pair at one place, or a particle with itself, adds 0 without a branch.
inline constexpr float kFloatNothing = 0x1p-26f;

inline constexpr uint64_t kDoubleMagic = 0x5fe6eb50c7b537a9u;
inline constexpr double kDoubleNothing = 0x1p-60;

/// |d|^-3 up to the factor kFloatScale.
FLIPSCOPE_HD inline float weight(float dx, float dy) {
    const float x = fmaf(dx, dx, fmaf(dy, dy, kFloatNothing));
    const float y = std::bit_cast<float>(kFloatMagic - (std::bit_cast<uint32_t>(x) >> 1));
    const float y2 = y * y;
    const float e = fmaf(x, y2, kFloatA);
    const float q = fmaf(e, e, kFloatB);
    const float p = fmaf(fmaf(e, kFloatC, q), q, kFloatD);
    return (y2 * y) * p;
}

/// |d|^-3.
FLIPSCOPE_HD inline double weight(double dx, double dy) {
    const double x = fma(dx, dx, fma(dy, dy, kDoubleNothing));
    const double y = std::bit_cast<double>(kDoubleMagic - (std::bit_cast<uint64_t>(x) >> 1));
    const double e = fma(-x, y * y, 1.0);
    const double z = y * fma(e, fma(e, fma(e, 0.3125, 0.375), 0.5), 1.0);
    const double z2 = z * z;
    const double f = fma(-x, z2, 1.0);
    return (z2 * z) * fma(f, fma(f, 1.875, 1.5), 1.0);
}

/// Adds one term to a sum.
FLIPSCOPE_HD inline void add_term(float w, float dx, float dy, float& sum_x, float& sum_y) {
    sum_x = fmaf(w, dx, sum_x);
    sum_y = fmaf(w, dy, sum_y);
}
FLIPSCOPE_HD inline void add_term(double w, double dx, double dy, double& sum_x, double& sum_y) {
    sum_x = fma(w, dx, sum_x);
    sum_y = fma(w, dy, sum_y);
}

}  // namespace flipscope::all_pairs
