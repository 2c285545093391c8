// The determinants of orientation and in-circle as numbers with a bound on their relative error, for weights that must
// be right in triangles of any shape. Doubles where these suffice, integers elsewhere. Must be compiled without
// contraction of a * b + c.
#pragma once

#include "flipscope/predicates.h"

namespace flipscope {

namespace detail {
/// Whether the rounded determinant has a relative error below 2^-40.
FLIPSCOPE_HD inline bool has_digits(const Determinant& made) { return fabs(made.value) > 0x1p40 * made.error; }
}  // namespace detail

/// x w - y z, off by a few units in the last place only (W. Kahan).
FLIPSCOPE_HD inline double difference_of_products(double x, double w, double y, double z) {
    const double product = y * z;
    return fma(x, w, -product) + fma(-y, z, product);
}

/// (a - c) x (b - c): twice the signed area of the triangle, with a relative error below 2^-40; 0 if a, b, c are
/// collinear. World units squared.
FLIPSCOPE_HD inline double accurate_orient2d(Point a, Point b, Point c) {
    const detail::Determinant made = detail::orient2d(a, b, c);
    if (detail::has_digits(made)) return made.value;
    return made.error == 0 ? 0 : exact::orient2d_rounded(a, b, c);
}

/// The in-circle determinant of d and a, b, c likewise. World units to the fourth power.
FLIPSCOPE_HD inline double accurate_incircle(Point a, Point b, Point c, Point d) {
    const detail::Determinant made = detail::incircle(a, b, c, d);
    if (detail::has_digits(made)) return made.value;
    return exact::incircle_sign(a, b, c, d) == 0 ? 0 : exact::incircle_rounded(a, b, c, d);
}

}  // namespace flipscope
