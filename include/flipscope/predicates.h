// Orientation of three points and the in-circle test of a fourth: exact signs for every algorithm, on the host and in
// CUDA kernels, with a rule for cocircular ties. The naive versions are exhibits for teaching what goes wrong:
// determinants in double and float as textbooks have them, and circumcentres as the papers do. Must be compiled without
// contraction of a * b + c (the build sets it).
//
// A predicate first evaluates the determinant in doubles with a bound on its rounding error (Shewchuk's filter "A",
// 1997, with rounder constants); when that cannot tell the sign, exact.h evaluates it in integers.
//
// Range. Coordinates must be 0 or have 2^-200 <= |v| <= 2^200. Then they are multiples of 2^-252, and so are their
// differences, and no input can lose a sign:
// - Products of two differences are 0 or lie between 2^-504 and 2^402, products of four between 2^-1008 and 2^804: the
//   former are normal numbers, and no sum of the latter overflows.
// - A rounded 2 x 2 minor can cancel to a multiple of 2^-556, so lifting times minor may fall below 2^-1022 and be off
//   by 2^-1075, as may the bound. But the bound's constant exceeds the relative error by more than 2^-53 and multiplies
//   a sum that is at least 2^-1008 if any term is not 0: a slack of 2^-1061, which covers these.
// - The exact integers fit the limbs of exact.h, which is also what keeps its stack near 1 kB; a wider range would not.
// Readers and generators refuse coordinates that are not in range. For others the predicates terminate and are
// memory-safe, but the sign is undefined.
#pragma once

#include <cmath>
#include <cstdint>

#include "flipscope/detail/exact.h"
#include "flipscope/point.h"

namespace flipscope {

/// The predicates of an algorithm. Only kExact is reliable; the others exist to show how they fail. kDouble and kFloat
/// evaluate the determinants; the other two decide in-circle by circumcentre and squared radius, and orientation by the
/// determinant.
enum class PredicateMode : uint32_t { kExact, kDouble, kFloat, kDoubleCircumcentre, kFloatCircumcentre };

inline constexpr PredicateMode kNaivePredicates[] = {PredicateMode::kDouble, PredicateMode::kFloat,
                                                     PredicateMode::kDoubleCircumcentre,
                                                     PredicateMode::kFloatCircumcentre};

/// The name in parameters, files and reports.
constexpr const char* name_of(PredicateMode mode) {
    constexpr const char* kNames[] = {"exact", "double", "float", "double-circumcentre", "float-circumcentre"};
    return kNames[static_cast<uint32_t>(mode)];
}

/// Whether it computes in single precision.
FLIPSCOPE_HD constexpr bool in_single_precision(PredicateMode mode) {
    return mode == PredicateMode::kFloat || mode == PredicateMode::kFloatCircumcentre;
}
FLIPSCOPE_HD constexpr bool uses_circumcentre(PredicateMode mode) {
    return mode == PredicateMode::kDoubleCircumcentre || mode == PredicateMode::kFloatCircumcentre;
}

/// Whether the coordinate is in the predicates' range. False for NaN and infinities.
FLIPSCOPE_HD inline bool coordinate_in_range(double v) {
    const double m = fabs(v);
    return v == 0 || (m >= kMinCoordinate && m <= kMaxCoordinate);
}

namespace detail {

struct Determinant {
    double value;
    double error;  // if |value| exceeds it, the sign of `value` is right
};

inline constexpr double kHalfUlp = 0x1p-53;  // u, the largest relative error of one operation

/// Each difference and product carries a factor (1 + u), the last subtraction does not change a sign: 3 u of the sum of
/// magnitudes, plus terms in u^2. One more u covers these and the rounding of the bound itself.
FLIPSCOPE_HD inline Determinant orient2d(Point a, Point b, Point c) {
    const double left = (a.x - c.x) * (b.y - c.y);
    const double right = (a.y - c.y) * (b.x - c.x);
    return {left - right, 4 * kHalfUlp * (fabs(left) + fabs(right))};
}

/// In units of u: a product of two differences is off by 3, a sum of two of them by 4; so minors and liftings by 4
/// each, their products by 9, and 10 after the addition of the first two. The last addition does not change a sign. Two
/// more u cover terms in u^2, the rounding of the bound itself, and underflow.
FLIPSCOPE_HD inline Determinant incircle(Point a, Point b, Point c, Point d) {
    const double ax = a.x - d.x, ay = a.y - d.y;
    const double bx = b.x - d.x, by = b.y - d.y;
    const double cx = c.x - d.x, cy = c.y - d.y;
    const double bxcy = bx * cy, cxby = cx * by;
    const double cxay = cx * ay, axcy = ax * cy;
    const double axby = ax * by, bxay = bx * ay;
    const double a_lift = ax * ax + ay * ay;
    const double b_lift = bx * bx + by * by;
    const double c_lift = cx * cx + cy * cy;
    const double value = a_lift * (bxcy - cxby) + b_lift * (cxay - axcy) + c_lift * (axby - bxay);
    const double size =
        a_lift * (fabs(bxcy) + fabs(cxby)) + b_lift * (fabs(cxay) + fabs(axcy)) + c_lift * (fabs(axby) + fabs(bxay));
    return {value, 12 * kHalfUlp * size};
}

}  // namespace detail

/// Twice the signed area of the triangle, rounded: for display and for ordering votes. World units squared.
FLIPSCOPE_HD inline double orient2d_value(Point a, Point b, Point c) { return detail::orient2d(a, b, c).value; }

/// The in-circle determinant, rounded. World units to the fourth power.
FLIPSCOPE_HD inline double incircle_value(Point a, Point b, Point c, Point d) {
    return detail::incircle(a, b, c, d).value;
}

/// +1 if a, b, c turn counter-clockwise, 0 if they are collinear, -1 if clockwise. Exact.
FLIPSCOPE_HD inline int orient2d(Point a, Point b, Point c) {
    const detail::Determinant determinant = detail::orient2d(a, b, c);
    if (fabs(determinant.value) > determinant.error) return exact::sign_of(determinant.value);
    if (determinant.error == 0) return 0;  // both products are exactly 0, as along the lines of a lattice
    return exact::orient2d_sign(a, b, c);
}

/// For counter-clockwise a, b, c: +1 if d is strictly inside their circle, 0 on it, -1 outside. In general the sign of
/// the determinant with rows (x, y, x^2 + y^2, 1). Exact.
FLIPSCOPE_HD inline int incircle(Point a, Point b, Point c, Point d) {
    const detail::Determinant determinant = detail::incircle(a, b, c, d);
    if (fabs(determinant.value) > determinant.error) return exact::sign_of(determinant.value);
    return exact::incircle_sign(a, b, c, d);
}

/// The perturbation rank, a bijection of the 32-bit numbers: it decides ties. Scrambled, so that ties on a grid are not
/// all broken the same way. The multipliers are the first digits of pi, made odd.
FLIPSCOPE_HD inline uint32_t perturbation_rank(uint32_t input_index) {
    uint32_t r = input_index + 0x13198a2eu;
    r = (r ^ (r >> 16)) * 0x243f6a89u;
    r = (r ^ (r >> 15)) * 0x85a308d3u;
    return r ^ (r >> 16);
}

namespace detail {

/// The determinant is linear in the liftings, so raising them by infinitesimals adds their cofactors, the dominant one
/// first. Four distinct points on a circle have no three collinear: there the first cofactor decides. The others matter
/// if points coincide.
FLIPSCOPE_HD_NOINLINE inline int resolve_tie(Point a, Point b, Point c, Point d, uint32_t ia, uint32_t ib, uint32_t ic,
                                             uint32_t id) {
    const uint32_t rank[4] = {perturbation_rank(ia), perturbation_rank(ib), perturbation_rank(ic),
                              perturbation_rank(id)};
    for (int k = 0; k < 4; ++k) {
        for (int l = k + 1; l < 4; ++l) {
            if (rank[k] == rank[l]) return 0;  // a repeated point: two equal rows
        }
    }
    uint32_t done = 0;
    for (int turn = 0; turn < 4; ++turn) {
        int top = -1;
        for (int k = 0; k < 4; ++k) {
            if (!(done >> k & 1) && (top < 0 || rank[k] > rank[top])) top = k;
        }
        done |= 1u << top;
        // the cofactor of row `top`: the other three in order, with alternating signs
        const Point p = top == 0 ? b : a;
        const Point q = top <= 1 ? c : b;
        const Point r = top <= 2 ? d : c;
        const int sign = flipscope::orient2d(p, q, r);
        if (sign != 0) return top % 2 == 0 ? sign : -sign;
    }
    return 0;
}

}  // namespace detail

/// incircle() with the lifting x^2 + y^2 of each point raised by an infinitesimal, dominant for the greatest
/// perturbation_rank of the points' input indices: never 0 for distinct points that are not all collinear. Like a
/// determinant it changes its sign when two points swap.
FLIPSCOPE_HD inline int incircle_tied(Point a, Point b, Point c, Point d, uint32_t ia, uint32_t ib, uint32_t ic,
                                      uint32_t id) {
    const int sign = incircle(a, b, c, d);
    return sign != 0 ? sign : detail::resolve_tie(a, b, c, d, ia, ib, ic, id);
}

namespace detail {

template <typename T>
FLIPSCOPE_HD inline T naive_orient2d(Point a, Point b, Point c) {
    const T cx = static_cast<T>(c.x), cy = static_cast<T>(c.y);
    return (static_cast<T>(a.x) - cx) * (static_cast<T>(b.y) - cy) -
           (static_cast<T>(a.y) - cy) * (static_cast<T>(b.x) - cx);
}

template <typename T>
FLIPSCOPE_HD inline T naive_incircle(Point a, Point b, Point c, Point d) {
    const T dx = static_cast<T>(d.x), dy = static_cast<T>(d.y);
    const T ax = static_cast<T>(a.x) - dx, ay = static_cast<T>(a.y) - dy;
    const T bx = static_cast<T>(b.x) - dx, by = static_cast<T>(b.y) - dy;
    const T cx = static_cast<T>(c.x) - dx, cy = static_cast<T>(c.y) - dy;
    return (ax * ax + ay * ay) * (bx * cy - cx * by) + (bx * bx + by * by) * (cx * ay - ax * cy) +
           (cx * cx + cy * cy) * (ax * by - bx * ay);
}

/// The squared radius of the circle of a, b, c, and the squared distance of d from its centre.
template <typename T>
struct NaiveCircle {
    T radius2, distance2;
    FLIPSCOPE_HD int sign() const { return (distance2 < radius2) - (distance2 > radius2); }
};

template <typename T>
FLIPSCOPE_HD inline NaiveCircle<T> naive_circle(Point a, Point b, Point c, Point d) {
    const T ax = static_cast<T>(a.x), ay = static_cast<T>(a.y);
    const T bx = static_cast<T>(b.x), by = static_cast<T>(b.y);
    const T cx = static_cast<T>(c.x), cy = static_cast<T>(c.y);
    const T dx = static_cast<T>(d.x), dy = static_cast<T>(d.y);
    const T a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    const T twice = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by));
    const T ux = (a2 * (by - cy) + b2 * (cy - ay) + c2 * (ay - by)) / twice;
    const T uy = (a2 * (cx - bx) + b2 * (ax - cx) + c2 * (bx - ax)) / twice;
    return {(ax - ux) * (ax - ux) + (ay - uy) * (ay - uy), (dx - ux) * (dx - ux) + (dy - uy) * (dy - uy)};
}

}  // namespace detail

/// The determinant in that precision, as in a naive program. Rounding may make the sign wrong.
FLIPSCOPE_HD inline int orient2d_double(Point a, Point b, Point c) {
    return exact::sign_of(detail::naive_orient2d<double>(a, b, c));
}
FLIPSCOPE_HD inline int orient2d_float(Point a, Point b, Point c) {
    return exact::sign_of(detail::naive_orient2d<float>(a, b, c));
}

/// The in-circle determinant in that precision: for counter-clockwise a, b, c +1 if d seems to be inside their circle.
FLIPSCOPE_HD inline int incircle_double(Point a, Point b, Point c, Point d) {
    return exact::sign_of(detail::naive_incircle<double>(a, b, c, d));
}
FLIPSCOPE_HD inline int incircle_float(Point a, Point b, Point c, Point d) {
    return exact::sign_of(detail::naive_incircle<float>(a, b, c, d));
}

/// Circumcentre and squared radius in that precision, as in the papers' programs: +1 if d is nearer than the radius,
/// whichever way a, b, c turn, -1 if farther, 0 if equal or not a number (collinear a, b, c).
FLIPSCOPE_HD inline int circumcentre_double(Point a, Point b, Point c, Point d) {
    return detail::naive_circle<double>(a, b, c, d).sign();
}
FLIPSCOPE_HD inline int circumcentre_float(Point a, Point b, Point c, Point d) {
    return detail::naive_circle<float>(a, b, c, d).sign();
}

/// In-circle of a naive mode, for counter-clockwise a, b, c.
FLIPSCOPE_HD inline int naive_in_circle(PredicateMode mode, Point a, Point b, Point c, Point d) {
    switch (mode) {
        case PredicateMode::kFloat:
            return incircle_float(a, b, c, d);
        case PredicateMode::kDoubleCircumcentre:
            return circumcentre_double(a, b, c, d);
        case PredicateMode::kFloatCircumcentre:
            return circumcentre_float(a, b, c, d);
        default:
            return incircle_double(a, b, c, d);
    }
}

/// Orientation in the chosen mode.
FLIPSCOPE_HD inline int orient(PredicateMode mode, Point a, Point b, Point c) {
    if (mode == PredicateMode::kExact) return orient2d(a, b, c);
    return in_single_precision(mode) ? orient2d_float(a, b, c) : orient2d_double(a, b, c);
}

/// In-circle in the chosen mode: exact mode breaks ties by the input indices; naive modes return 0.
FLIPSCOPE_HD inline int in_circle(PredicateMode mode, Point a, Point b, Point c, Point d, uint32_t ia, uint32_t ib,
                                  uint32_t ic, uint32_t id) {
    if (mode == PredicateMode::kExact) return incircle_tied(a, b, c, d, ia, ib, ic, id);
    return naive_in_circle(mode, a, b, c, d);
}

}  // namespace flipscope
