// Logarithm, sine, cosine, arc tangent and normally distributed numbers with the same bits on every device. The
// functions of a math library differ between the host and CUDA in their last bits, so kernels must not call them. These
// use only + - * / and sqrt on doubles, which IEEE 754 defines to the last bit, and integers. Contraction is off
// wherever this is included. Errors are a few units in the last place.
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "compute/random.h"
#include "flipscope/view.h"

namespace flipscope {

namespace portable {

FLIPSCOPE_HD inline uint64_t bits_of(double v) {
#if defined(__CUDA_ARCH__)
    return static_cast<uint64_t>(__double_as_longlong(v));
#else
    return std::bit_cast<uint64_t>(v);
#endif
}
FLIPSCOPE_HD inline double double_of(uint64_t bits) {
#if defined(__CUDA_ARCH__)
    return __longlong_as_double(static_cast<long long>(bits));
#else
    return std::bit_cast<double>(bits);
#endif
}

/// c[0] + c[1] x + … by Horner's rule.
template <int kCount>
FLIPSCOPE_HD inline double polynomial(const double (&c)[kCount], double x) {
    double sum = c[kCount - 1];
    for (int k = kCount - 2; k >= 0; --k) sum = sum * x + c[k];
    return sum;
}

/// Natural logarithm: -∞ of 0, NaN of negative numbers.
FLIPSCOPE_HD inline double log(double x) {
    if (!(x > 0)) return x == 0 ? double(-INFINITY) : double(NAN);
    if (x > DBL_MAX) return x;
    int exponent = 0;
    if (x < DBL_MIN) {  // subnormal
        x *= 0x1p54;
        exponent = -54;
    }
    const uint64_t bits = bits_of(x);
    exponent += static_cast<int>(bits >> 52) - 1023;
    double mantissa = double_of((bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u);  // [1, 2)
    if (mantissa > 0x1.6a09e667f3bcdp+0) {                                            // √2
        mantissa /= 2;
        ++exponent;
    }
    // log(1 + f) = 2 artanh(s) with s = f / (2 + f), |s| < 0.172: the sum of 2 s^(2k+1) / (2k+1). Of its first term,
    // 2s = f - s f, the large part f is exact.
    constexpr double kTerms[] = {2. / 3, 2. / 5, 2. / 7, 2. / 9, 2. / 11, 2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21};
    const double f = mantissa - 1, s = f / (2 + f), z = s * s, rest = z * polynomial(kTerms, z);
    constexpr double kLn2High = 0x1.62e42fefa2000p-1, kLn2Low = 0x1.9ef35793c7673p-41;  // 40 bits, and what is left
    const double e = exponent;
    return e * kLn2High - ((s * (f - rest) - e * kLn2Low) - f);
}

struct SineCosine {
    double sine, cosine;
};

/// Of an angle in radians, |angle| at most 2^20; NaN for larger angles and for NaN.
FLIPSCOPE_HD inline SineCosine sine_cosine(double angle) {
    if (!(angle >= -0x1p20 && angle <= 0x1p20)) return {double(NAN), double(NAN)};
    // angle = quarters · π/2 + high + low, |high| <= π/4 or so. π/2 is taken in parts (Cody and Waite): the first two
    // have 33 bits, so that their products are exact.
    constexpr double kRound = 0x1.8p52;
    const double quarters = (angle * 0x1.45f306dc9c883p-1 + kRound) - kRound;
    const double first = angle - quarters * 0x1.921fb54400000p+0, second = quarters * 0x1.0b4611a600000p-34;
    const double high = first - second, back = high - first;
    const double low = ((first - (high - back)) - (second + back)) - quarters * 0x1.3198a2e037073p-69;

    const double z = high * high;
    constexpr double kSine[] = {-1. / 6,
                                1. / 120,
                                -1. / 5040,
                                1. / 362880,
                                -1. / 39916800.0,
                                1. / 6227020800.0,
                                -1. / 1307674368000.0,
                                1. / 355687428096000.0};
    constexpr double kCosine[] = {1. / 24,
                                  -1. / 720,
                                  1. / 40320,
                                  -1. / 3628800,
                                  1. / 479001600,
                                  -1. / 87178291200.0,
                                  1. / 20922789888000.0,
                                  -1. / 6402373705728000.0};
    const double sine = high + (z * high * polynomial(kSine, z) + low * (1 - z / 2));
    const double half = z / 2, most = 1 - half;
    const double cosine = most + (((1 - most) - half) + (z * z * polynomial(kCosine, z) - high * low));
    switch (static_cast<int>(quarters) & 3) {
        case 0:
            return {sine, cosine};
        case 1:
            return {cosine, -sine};
        case 2:
            return {-sine, -cosine};
        default:
            return {-cosine, sine};
    }
}

inline constexpr double kPi = 0x1.921fb54442d18p+1;

/// The angle of (x, y), from -π to π; 0 of the origin.
FLIPSCOPE_HD inline double atan2(double y, double x) {
    const double wide = x < 0 ? -x : x, high = y < 0 ? -y : y;
    if (wide == 0 && high == 0) return 0;
    // Of an angle up to π/4, by the half of it, up to tan(π/8), less π/8: the series then needs eleven terms.
    const double t = high < wide ? high / wide : wide / high, half = t / (1 + sqrt(1 + t * t));
    constexpr double kTanSixteenth = 0.19891236737965800;  // tan(π/16)
    const double s = (half - kTanSixteenth) / (1 + half * kTanSixteenth), z = s * s;
    constexpr double kTerms[] = {1,       -1. / 3,  1. / 5,  -1. / 7,  1. / 9, -1. / 11,
                                 1. / 13, -1. / 15, 1. / 17, -1. / 19, 1. / 21};
    double angle = kPi / 8 + 2 * s * polynomial(kTerms, z);
    if (high >= wide) angle = kPi / 2 - angle;
    if (x < 0) angle = kPi - angle;
    return y < 0 ? -angle : angle;
}

/// Φ⁻¹(1/2 + from_half), the inverse of the normal distribution function, for |from_half| < 1/2; infinite at ±1/2. The
/// argument is measured from the middle because both tails are then resolved alike. Rational approximations of
/// M. J. Wichura, algorithm AS 241 (PPND16), 1988: to about 1e-16 relative.
FLIPSCOPE_HD inline double normal_quantile(double from_half) {
    const double size = from_half < 0 ? -from_half : from_half;
    if (size <= 0.425) {
        constexpr double kAbove[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                     3.3430575583588128105e4, 2.5090809287301226727e3};
        constexpr double kBelow[] = {1,
                                     4.2313330701600911252e1,
                                     6.8718700749205790830e2,
                                     5.3941960214247511077e3,
                                     2.1213794301586595867e4,
                                     3.9307895800092710610e4,
                                     2.8729085735721942674e4,
                                     5.2264952788528545610e3};
        const double r = 0.180625 - size * size;
        return from_half * (polynomial(kAbove, r) / polynomial(kBelow, r));
    }
    const double tail = 0.5 - size;
    double z;
    if (tail > 0) {
        const double r = sqrt(-log(tail));
        if (r <= 5) {
            constexpr double kAbove[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                         3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                         2.27238449892691845833e-2, 7.74545014278341407640e-4};
            constexpr double kBelow[] = {1,
                                         2.05319162663775882187e0,
                                         1.67638483018380384940e0,
                                         6.89767334985100004550e-1,
                                         1.48103976427480074590e-1,
                                         1.51986665636164571966e-2,
                                         5.47593808499534494600e-4,
                                         1.05075007164441684324e-9};
            z = polynomial(kAbove, r - 1.6) / polynomial(kBelow, r - 1.6);
        } else {
            constexpr double kAbove[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                         1.78482653991729133580e0,  2.96560571828504891230e-1,
                                         2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                         2.71155556874348757815e-5, 2.01033439929228813265e-7};
            constexpr double kBelow[] = {1,
                                         5.99832206555887937690e-1,
                                         1.36929880922735805310e-1,
                                         1.48753612908506148525e-2,
                                         7.86869131145613259100e-4,
                                         1.84631831751005468180e-5,
                                         1.42151175831644588870e-7,
                                         2.04426310338993978564e-15};
            z = polynomial(kAbove, r - 5) / polynomial(kBelow, r - 5);
        }
    } else {
        z = tail == 0 ? double(INFINITY) : double(NAN);
    }
    return from_half < 0 ? -z : z;
}

}  // namespace portable

/// Normal numbers of noise are cut here; standard deviations.
inline constexpr double kNoiseReach = 3;
inline constexpr double kTailBeyondReach = 1.3498980316300945e-3;  // Φ(-3)

/// A standard normal number with cut tails, from a uniform one in [0, 1). Values beyond ±3 are clamped; with
/// `rerolled`, the distribution is that of drawing again until the value lies within ±3, from one number and without a
/// loop. u and 1 - u give opposite results.
FLIPSCOPE_HD inline double bounded_normal(double uniform, bool rerolled) {
    // The middle of the one of 2^52 equal intervals in which the number lies, measured from 1/2: exact and symmetric.
    const double from_half = (double(static_cast<uint64_t>(uniform * 0x1p52)) + 0.5) * 0x1p-52 - 0.5;
    const double z = portable::normal_quantile(rerolled ? from_half * (1 - 2 * kTailBeyondReach) : from_half);
    return z < -kNoiseReach ? -kNoiseReach : z > kNoiseReach ? kNoiseReach : z;
}

/// Two independent bounded normal numbers, number `counter` of the stream `key`; see random_pair(), which shares its
/// streams with this.
struct NormalPair {
    double first, second;
};
FLIPSCOPE_HD inline NormalPair normal_pair(uint64_t key, uint64_t counter, bool rerolled) {
    const RandomPair uniform = random_pair(key, counter);
    return {bounded_normal(uniform.first, rerolled), bounded_normal(uniform.second, rerolled)};
}

}  // namespace flipscope
