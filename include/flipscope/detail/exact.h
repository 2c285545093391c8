// The slow half of the predicates: exact signs of the orientation and in-circle determinants, in integers of up to 2048
// bits. Called by predicates.h when its filter cannot decide, on the host and in CUDA kernels; no other code should
// need it. It must not allocate, recurse or round: doubles are integers times a power of two, so after scaling by a
// common power every step below is exact. No part of the contract: programs include predicates.h.
//
// Shewchuk's expansions ("Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997)
// would do the same work. Integers were chosen since degenerate input is common here (grids, rings of cocircular
// integers), where they settle a zero in some tens of nanoseconds, and since the widest case needs about 1 kB of stack
// where expansions need several.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "flipscope/point.h"

namespace flipscope {

/// A coordinate must be 0 or have a magnitude in [kMinCoordinate, kMaxCoordinate]; see predicates.h for the reasons.
inline constexpr double kMaxCoordinate = 0x1p200;
inline constexpr double kMinCoordinate = 0x1p-200;

namespace exact {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

// Coordinates within the range are integers below 2^453 in units of 2^-252 and their differences are below 2^454. Two
// bits are kept free, for a sign and so that 12 m^4, the bound on the in-circle determinant of differences below m,
// fits four times the limbs.
inline constexpr int kMaxLimbs = 8;  // of 64 bits

FLIPSCOPE_HD inline uint64_t bits_of(double v) {
#ifdef __CUDA_ARCH__
    return static_cast<uint64_t>(__double_as_longlong(v));
#else
    return std::bit_cast<uint64_t>(v);
#endif
}

/// 2^e for -1022 <= e <= 1023.
FLIPSCOPE_HD inline double power_of_two(int e) {
    const uint64_t bits = static_cast<uint64_t>(e + 1023) << 52;
#ifdef __CUDA_ARCH__
    return __longlong_as_double(static_cast<long long>(bits));
#else
    return std::bit_cast<double>(bits);
#endif
}

/// Both for v != 0 only.
FLIPSCOPE_HD inline int trailing_zeros(uint64_t v) {
#ifdef __CUDA_ARCH__
    return __ffsll(static_cast<long long>(v)) - 1;
#else
    return std::countr_zero(v);
#endif
}
FLIPSCOPE_HD inline int bit_width(uint64_t v) {
#ifdef __CUDA_ARCH__
    return 64 - __clzll(static_cast<long long>(v));
#else
    return std::bit_width(v);
#endif
}

template <typename T>
FLIPSCOPE_HD inline int sign_of(T v) {
    return (v > 0) - (v < 0);
}

/// The floor of log2 |v| for a normal v.
FLIPSCOPE_HD inline int exponent_of(double v) { return static_cast<int>((bits_of(v) >> 52) & 0x7ff) - 1023; }

FLIPSCOPE_HD inline double magnitude(const double* v, int count) {
    double largest = 0;
    for (int i = 0; i < count; ++i) {
        const double m = fabs(v[i]);
        if (m > largest || m != m) largest = m;  // a NaN is kept, so that the caller refuses it
    }
    return largest;
}

/// Scales all values by the one power of two that brings `largest` into [2^60, 2^61). False if a result is not an
/// integer.
template <int kCount>
FLIPSCOPE_HD inline bool to_integers(const double (&v)[kCount], double largest, int64_t (&out)[kCount]) {
    const double scale = power_of_two(60 - exponent_of(largest));
    bool whole = true;
    for (int i = 0; i < kCount; ++i) {
        const double scaled = v[i] * scale;
        out[i] = static_cast<int64_t>(scaled);
        whole &= static_cast<double>(out[i]) == scaled;
    }
    return whole;
}

/// accumulator (limbs, two's complement) += or -= x y. Limbs beyond x_limbs + y_limbs receive the carry; overflow is
/// discarded.
FLIPSCOPE_HD inline void add_product(uint64_t* accumulator, int limbs, const uint64_t* x, int x_limbs,
                                     const uint64_t* y, int y_limbs, bool negative) {
    for (int i = 0; i < x_limbs; ++i) {
        if (x[i] == 0) continue;
        uint64_t carry = 0;
        if (negative) {
            for (int j = 0; j < y_limbs; ++j) {
                const UInt128 t = static_cast<UInt128>(x[i]) * y[j] + carry;
                const uint64_t low = static_cast<uint64_t>(t);
                carry = static_cast<uint64_t>(t >> 64) + (accumulator[i + j] < low);
                accumulator[i + j] -= low;
            }
            for (int k = i + y_limbs; carry != 0 && k < limbs; ++k) {
                const uint64_t before = accumulator[k];
                accumulator[k] = before - carry;
                carry = before < carry;
            }
        } else {
            for (int j = 0; j < y_limbs; ++j) {
                const UInt128 t = static_cast<UInt128>(x[i]) * y[j] + accumulator[i + j] + carry;
                accumulator[i + j] = static_cast<uint64_t>(t);
                carry = static_cast<uint64_t>(t >> 64);
            }
            for (int k = i + y_limbs; carry != 0 && k < limbs; ++k) {
                accumulator[k] += carry;
                carry = accumulator[k] < carry;
            }
        }
    }
}

FLIPSCOPE_HD inline void set_zero(uint64_t* v, int limbs) {
    for (int i = 0; i < limbs; ++i) v[i] = 0;
}

/// Turns a two's complement number into its magnitude; true if it was negative.
FLIPSCOPE_HD inline bool make_absolute(uint64_t* v, int limbs) {
    if ((v[limbs - 1] >> 63) == 0) return false;
    uint64_t carry = 1;
    for (int i = 0; i < limbs; ++i) {
        v[i] = ~v[i] + carry;
        carry &= v[i] == 0;
    }
    return true;
}

FLIPSCOPE_HD inline int trimmed(const uint64_t* v, int limbs) {
    while (limbs > 0 && v[limbs - 1] == 0) --limbs;
    return limbs;
}

/// The sign of a two's complement number.
FLIPSCOPE_HD inline int sign_of_limbs(const uint64_t* v, int limbs) {
    if (v[limbs - 1] >> 63) return -1;
    return trimmed(v, limbs) != 0;
}

/// accumulator += or -= |v| / 2^low, an integer.
FLIPSCOPE_HD inline void add_coordinate(uint64_t* accumulator, int limbs, double v, int low, bool negate) {
    if (v == 0) return;
    const uint64_t bits = bits_of(v);
    uint64_t mantissa = (bits & ((1ull << 52) - 1)) | (1ull << 52);
    int shift = exponent_of(v) - 52 - low;
    if (shift < 0) {  // the bits shifted out are zero: low is no higher than the lowest bit of v
        mantissa >>= -shift;
        shift = 0;
    }
    const int bit = shift & 63;
    const uint64_t one = 1ull << bit;
    add_product(accumulator + shift / 64, limbs - shift / 64, &mantissa, 1, &one, 1, (v < 0) != negate);
}

/// A difference of two coordinates as sign and magnitude.
struct WideDifference {
    uint64_t limb[kMaxLimbs];
    int limbs;  // in use; 0: the number is 0
    bool negative;

    /// p - q + shift
    FLIPSCOPE_HD void set(double p, double q, int low, int limbs_needed, double shift = 0) {
        set_zero(limb, limbs_needed);
        add_coordinate(limb, limbs_needed, p, low, false);
        add_coordinate(limb, limbs_needed, q, low, true);
        add_coordinate(limb, limbs_needed, shift, low, false);
        negative = make_absolute(limb, limbs_needed);
        limbs = trimmed(limb, limbs_needed);
    }
};

/// accumulator += or -= x y, signs of the factors included.
FLIPSCOPE_HD inline void add_product(uint64_t* accumulator, int limbs, const WideDifference& x, const WideDifference& y,
                                     bool negate) {
    add_product(accumulator, limbs, x.limb, x.limbs, y.limb, y.limbs, (x.negative != y.negative) != negate);
}

/// The exponent of the lowest bit set in any of the values, at least one of which is not 0.
FLIPSCOPE_HD inline int lowest_bit(const double* v, int count) {
    int low = 2000;
    for (int i = 0; i < count; ++i) {
        if (v[i] == 0) continue;
        const int e = exponent_of(v[i]) - 52 + trailing_zeros(bits_of(v[i]) | (1ull << 52));
        if (e < low) low = e;
    }
    return low;
}

/// Limbs that hold differences of the values with two bits to spare.
FLIPSCOPE_HD inline int limbs_for(double largest, int low) { return (exponent_of(largest) + 4 - low + 63) / 64; }

/// (a - c) x (b - c) in units of 2^(2 low), as two's complement of 2 * limbs limbs, for coordinates too far apart in
/// exponent for 61 bits. `v` holds x and y of a, b, c.
FLIPSCOPE_HD inline void orient2d_limbs(const double (&v)[6], int low, int limbs,
                                        uint64_t (&determinant)[2 * kMaxLimbs]) {
    WideDifference p, q;
    set_zero(determinant, 2 * limbs);
    p.set(v[0], v[4], low, limbs);
    q.set(v[3], v[5], low, limbs);
    add_product(determinant, 2 * limbs, p, q, false);
    p.set(v[1], v[5], low, limbs);
    q.set(v[2], v[4], low, limbs);
    add_product(determinant, 2 * limbs, p, q, true);
}

/// The sign of that; `largest` is the magnitude of the coordinates, in range.
FLIPSCOPE_HD_NOINLINE inline int orient2d_wide(const double (&v)[6], double largest) {
    const int low = lowest_bit(v, 6);
    const int limbs = limbs_for(largest, low);
    if (limbs > kMaxLimbs) return 0;
    uint64_t determinant[2 * kMaxLimbs];
    orient2d_limbs(v, low, limbs, determinant);
    return sign_of_limbs(determinant, 2 * limbs);
}

/// The sign of (a - c) x (b - c). Undefined (0) for coordinates out of range.
FLIPSCOPE_HD_NOINLINE inline int orient2d_sign(Point a, Point b, Point c) {
    const double v[6] = {a.x, a.y, b.x, b.y, c.x, c.y};
    const double largest = magnitude(v, 6);
    if (!(largest >= kMinCoordinate && largest <= kMaxCoordinate)) return 0;  // all zero, or out of range
    int64_t i[6];
    if (!to_integers(v, largest, i)) return orient2d_wide(v, largest);
    // differences are below 2^62, so products are below 2^124
    const Int128 left = static_cast<Int128>(i[0] - i[4]) * (i[3] - i[5]);
    const Int128 right = static_cast<Int128>(i[1] - i[5]) * (i[2] - i[4]);
    return (left > right) - (left < right);
}

/// A two's complement number times 2^low, with a relative error of a few 2^-52. Overwrites the number.
FLIPSCOPE_HD inline double rounded(uint64_t* v, int limbs, int low) {
    const bool negative = make_absolute(v, limbs);
    double value = 0;
    for (int k = limbs - 1; k >= 0; --k) value += ldexp(static_cast<double>(v[k]), 64 * k + low);
    return negative ? -value : value;
}

/// (a - c) x (b - c) with a relative error of a few 2^-52, even where doubles would lose all digits. Undefined (0) for
/// coordinates out of range.
FLIPSCOPE_HD_NOINLINE inline double orient2d_rounded(Point a, Point b, Point c) {
    const double v[6] = {a.x, a.y, b.x, b.y, c.x, c.y};
    const double largest = magnitude(v, 6);
    if (!(largest >= kMinCoordinate && largest <= kMaxCoordinate)) return 0;
    int64_t i[6];
    if (to_integers(v, largest, i)) {
        const Int128 left = static_cast<Int128>(i[0] - i[4]) * (i[3] - i[5]);
        const Int128 right = static_cast<Int128>(i[1] - i[5]) * (i[2] - i[4]);
        return ldexp(static_cast<double>(left - right), 2 * (exponent_of(largest) - 60));
    }
    const int low = lowest_bit(v, 6);
    const int limbs = limbs_for(largest, low);
    if (limbs > kMaxLimbs) return 0;
    uint64_t determinant[2 * kMaxLimbs];
    orient2d_limbs(v, low, limbs, determinant);
    return rounded(determinant, 2 * limbs, 2 * low);
}

/// The in-circle determinant of the differences of a, b, c from d, that have so many limbs each, at most, as two's
/// complement of 4 * limbs limbs.
FLIPSCOPE_HD inline void incircle_limbs(const WideDifference (&x)[3], const WideDifference (&y)[3], int limbs,
                                        uint64_t (&determinant)[4 * kMaxLimbs]) {
    uint64_t lift[2 * kMaxLimbs];
    uint64_t cross[2 * kMaxLimbs];
    set_zero(determinant, 4 * limbs);
    for (int k = 0; k < 3; ++k) {
        const int l = k == 2 ? 0 : k + 1;
        const int m = l == 2 ? 0 : l + 1;
        set_zero(cross, 2 * limbs);
        add_product(cross, 2 * limbs, x[l], y[m], false);
        add_product(cross, 2 * limbs, y[l], x[m], true);
        const bool negative = make_absolute(cross, 2 * limbs);
        set_zero(lift, 2 * limbs);
        add_product(lift, 2 * limbs, x[k], x[k], false);
        add_product(lift, 2 * limbs, y[k], y[k], false);
        add_product(determinant, 4 * limbs, lift, trimmed(lift, 2 * limbs), cross, trimmed(cross, 2 * limbs), negative);
    }
}

/// The sign of that.
FLIPSCOPE_HD inline int incircle_of(const WideDifference (&x)[3], const WideDifference (&y)[3], int limbs) {
    uint64_t determinant[4 * kMaxLimbs];
    incircle_limbs(x, y, limbs, determinant);
    return sign_of_limbs(determinant, 4 * limbs);
}

/// As orient2d_wide, for a, b, c, d.
FLIPSCOPE_HD_NOINLINE inline int incircle_wide(const double (&v)[8], double largest) {
    const int low = lowest_bit(v, 8);
    const int limbs = limbs_for(largest, low);
    if (limbs > kMaxLimbs) return 0;
    WideDifference x[3], y[3];  // of a, b, c from d
    for (int k = 0; k < 3; ++k) {
        x[k].set(v[2 * k], v[6], low, limbs);
        y[k].set(v[2 * k + 1], v[7], low, limbs);
    }
    return incircle_of(x, y, limbs);
}

/// accumulator (256 bits, two's complement) += lift cross, for lift below 2^127.
FLIPSCOPE_HD inline void add_product_256(uint64_t (&accumulator)[4], UInt128 lift, Int128 cross) {
    const bool negative = cross < 0;
    const UInt128 size = negative ? -static_cast<UInt128>(cross) : static_cast<UInt128>(cross);
    const uint64_t l0 = static_cast<uint64_t>(lift), l1 = static_cast<uint64_t>(lift >> 64);
    const uint64_t s0 = static_cast<uint64_t>(size), s1 = static_cast<uint64_t>(size >> 64);
    const UInt128 p00 = static_cast<UInt128>(l0) * s0;
    // both factors are below 2^127, so each product is too, and their sum fits
    const UInt128 middle = static_cast<UInt128>(l0) * s1 + static_cast<UInt128>(l1) * s0;
    const UInt128 p11 = static_cast<UInt128>(l1) * s1;
    UInt128 low = p00 + (middle << 64);
    UInt128 high = p11 + (middle >> 64) + (low < p00);
    if (negative) {
        high = ~high + (low == 0);
        low = -low;
    }
    const UInt128 sum_low = ((static_cast<UInt128>(accumulator[1]) << 64) | accumulator[0]) + low;
    const UInt128 sum_high = ((static_cast<UInt128>(accumulator[3]) << 64) | accumulator[2]) + high + (sum_low < low);
    accumulator[0] = static_cast<uint64_t>(sum_low);
    accumulator[1] = static_cast<uint64_t>(sum_low >> 64);
    accumulator[2] = static_cast<uint64_t>(sum_high);
    accumulator[3] = static_cast<uint64_t>(sum_high >> 64);
}

/// The sign of the in-circle determinant. Undefined (0) for coordinates out of range.
FLIPSCOPE_HD_NOINLINE inline int incircle_sign(Point a, Point b, Point c, Point d) {
    const double v[8] = {a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y};
    const double largest = magnitude(v, 8);
    if (!(largest >= kMinCoordinate && largest <= kMaxCoordinate)) return 0;  // all zero, or out of range
    int64_t i[8];
    if (!to_integers(v, largest, i)) return incircle_wide(v, largest);
    int64_t x[3], y[3];  // of a, b, c from d, below 2^62
    uint64_t bits = 0;   // of all their magnitudes
    for (int k = 0; k < 3; ++k) {
        x[k] = i[2 * k] - i[6];
        y[k] = i[2 * k + 1] - i[7];
        bits |= static_cast<uint64_t>(x[k] < 0 ? -x[k] : x[k]) | static_cast<uint64_t>(y[k] < 0 ? -y[k] : y[k]);
    }
    if (bits == 0) return 0;
    const int shift = trailing_zeros(bits);
    if (bit_width(bits) - shift <= 30) {  // crosses and lifts below 2^61, the determinant below 12 (2^30)^4 < 2^124
        for (int k = 0; k < 3; ++k) {
            x[k] >>= shift;
            y[k] >>= shift;
        }
        return sign_of(static_cast<Int128>(x[0] * x[0] + y[0] * y[0]) * (x[1] * y[2] - y[1] * x[2]) +
                       static_cast<Int128>(x[1] * x[1] + y[1] * y[1]) * (x[2] * y[0] - y[2] * x[0]) +
                       static_cast<Int128>(x[2] * x[2] + y[2] * y[2]) * (x[0] * y[1] - y[0] * x[1]));
    }
    uint64_t determinant[4] = {0, 0, 0, 0};  // below 12 (2^62)^4 < 2^252
    for (int k = 0; k < 3; ++k) {
        const int l = k == 2 ? 0 : k + 1;
        const int m = l == 2 ? 0 : l + 1;
        add_product_256(determinant,
                        static_cast<UInt128>(static_cast<Int128>(x[k]) * x[k] + static_cast<Int128>(y[k]) * y[k]),
                        static_cast<Int128>(x[l]) * y[m] - static_cast<Int128>(y[l]) * x[m]);
    }
    return sign_of_limbs(determinant, 4);
}

/// The in-circle determinant with a relative error of a few 2^-52, even where doubles would lose all digits. Undefined
/// (0) for coordinates out of range.
FLIPSCOPE_HD_NOINLINE inline double incircle_rounded(Point a, Point b, Point c, Point d) {
    const double v[8] = {a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y};
    const double largest = magnitude(v, 8);
    if (!(largest >= kMinCoordinate && largest <= kMaxCoordinate)) return 0;
    const int low = lowest_bit(v, 8);
    const int limbs = limbs_for(largest, low);
    if (limbs > kMaxLimbs) return 0;
    WideDifference x[3], y[3];  // of a, b, c from d
    for (int k = 0; k < 3; ++k) {
        x[k].set(v[2 * k], v[6], low, limbs);
        y[k].set(v[2 * k + 1], v[7], low, limbs);
    }
    uint64_t determinant[4 * kMaxLimbs];
    incircle_limbs(x, y, limbs, determinant);
    return rounded(determinant, 4 * limbs, 4 * low);
}

}  // namespace exact
}  // namespace flipscope
