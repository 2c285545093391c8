// The two signs that space subdivision needs in addition to orientation and in-circle: which of two points is closer to
// a place, and on which side of a line a circumcentre lies. Exact as those of flipscope/predicates.h: a filter in
// doubles, then integers. The range is that of the predicates, and four times it for the corners of cells, which can be
// multiples of 2^-252; exact.h has limbs enough for both.
#pragma once

#include "flipscope/predicates.h"

namespace flipscope {

namespace exact {

/// v becomes p + q - 2 c.
FLIPSCOPE_HD inline void set_sum(WideDifference& v, double p, double q, double c, int low, int limbs) {
    set_zero(v.limb, limbs);
    add_coordinate(v.limb, limbs, p, low, false);
    add_coordinate(v.limb, limbs, q, low, false);
    for (int twice = 0; twice < 2; ++twice) add_coordinate(v.limb, limbs, c, low, true);
    v.negative = make_absolute(v.limb, limbs);
    v.limbs = trimmed(v.limb, limbs);
}

/// The sign of (p - q) . (p + q - 2 c), from integers of any size.
FLIPSCOPE_HD_NOINLINE inline int compare_distances_wide(const double (&v)[6], double largest) {
    const int low = lowest_bit(v, 6);
    const int limbs = limbs_for(largest, low);
    if (limbs > kMaxLimbs) return 0;
    uint64_t sum[2 * kMaxLimbs];
    set_zero(sum, 2 * limbs);
    WideDifference difference, total;
    for (int axis = 0; axis < 2; ++axis) {
        difference.set(v[axis], v[2 + axis], low, limbs);
        set_sum(total, v[axis], v[2 + axis], v[4 + axis], low, limbs);
        add_product(sum, 2 * limbs, difference, total, false);
    }
    return sign_of_limbs(sum, 2 * limbs);
}

FLIPSCOPE_HD_NOINLINE inline int compare_distances_sign(Point p, Point q, Point c) {
    const double v[6] = {p.x, p.y, q.x, q.y, c.x, c.y};
    const double largest = magnitude(v, 6);
    if (!(largest >= kMinCoordinate && largest <= 8 * kMaxCoordinate)) return 0;  // all zero, or out of range
    int64_t i[6];
    if (!to_integers(v, largest, i)) return compare_distances_wide(v, largest);
    // Below 2^61 each: differences are below 2^62 and sums below 2^63, so the result is below 2^126.
    return sign_of(static_cast<Int128>(i[0] - i[2]) * (i[0] + i[2] - 2 * i[4]) +
                   static_cast<Int128>(i[1] - i[3]) * (i[1] + i[3] - 2 * i[5]));
}

/// The sign of C of a, b, c: one coordinate of their circumcentre minus `line`, times twice the positive cross product.
/// `v`: along and across of a, of b and of c, where (along, across) is (x, y) or that rotated, and the line.
FLIPSCOPE_HD_NOINLINE inline int circumcentre_side_wide(const double (&v)[7], double largest) {
    const int low = lowest_bit(v, 7);
    const int limbs = limbs_for(largest, low);
    if (limbs > kMaxLimbs) return 0;
    WideDifference x[2], y[2], offset;  // of b and c from a; of a from the line
    for (int k = 0; k < 2; ++k) {
        x[k].set(v[2 + 2 * k], v[0], low, limbs);
        y[k].set(v[3 + 2 * k], v[1], low, limbs);
    }
    offset.set(v[0], v[6], low, limbs);
    uint64_t sum[3 * kMaxLimbs], part[2 * kMaxLimbs];
    set_zero(sum, 3 * limbs);
    for (int k = 0; k < 2; ++k) {  // |b - a|^2 (c - a).y - |c - a|^2 (b - a).y
        set_zero(part, 2 * limbs);
        add_product(part, 2 * limbs, x[k], x[k], false);
        add_product(part, 2 * limbs, y[k], y[k], false);
        const WideDifference& other = y[1 - k];
        add_product(sum, 3 * limbs, part, trimmed(part, 2 * limbs), other.limb, other.limbs,
                    other.negative != (k == 1));
    }
    set_zero(part, 2 * limbs);
    add_product(part, 2 * limbs, x[0], y[1], false);
    add_product(part, 2 * limbs, y[0], x[1], true);
    const bool negative = make_absolute(part, 2 * limbs);
    for (int twice = 0; twice < 2; ++twice)
        add_product(sum, 3 * limbs, part, trimmed(part, 2 * limbs), offset.limb, offset.limbs,
                    negative != offset.negative);
    return sign_of_limbs(sum, 3 * limbs);
}

FLIPSCOPE_HD_NOINLINE inline int circumcentre_side_sign(const double (&v)[7]) {
    const double largest = magnitude(v, 7);
    if (!(largest >= kMinCoordinate && largest <= 8 * kMaxCoordinate)) return 0;
    int64_t i[7];
    if (!to_integers(v, largest, i)) return circumcentre_side_wide(v, largest);
    const int64_t bx = i[2] - i[0], by = i[3] - i[1], cx = i[4] - i[0], cy = i[5] - i[1], offset = i[0] - i[6];
    // Differences are below 2^62, squares and cross products below 2^125, all of it below 2^190.
    const auto b_lift = static_cast<UInt128>(static_cast<Int128>(bx) * bx + static_cast<Int128>(by) * by);
    const auto c_lift = static_cast<UInt128>(static_cast<Int128>(cx) * cx + static_cast<Int128>(cy) * cy);
    const Int128 twice = 2 * (static_cast<Int128>(bx) * cy - static_cast<Int128>(by) * cx);
    uint64_t sum[4] = {0, 0, 0, 0};
    add_product_256(sum, b_lift, cy);
    add_product_256(sum, c_lift, -static_cast<Int128>(by));
    const bool negative = twice < 0;
    add_product_256(sum, static_cast<UInt128>(negative ? -twice : twice),
                    negative ? -static_cast<Int128>(offset) : static_cast<Int128>(offset));
    return sign_of_limbs(sum, 4);
}

}  // namespace exact

/// +1 if q is strictly closer to c than p is, 0 for equal distances, -1 if p is closer. Exact.
FLIPSCOPE_HD inline int compare_distances(Point p, Point q, Point c) {
    // |p - c|^2 - |q - c|^2. In units of u: a difference is off by 1, a sum of two of them by 2 of both magnitudes, its
    // product by 4, the result by 5; three more cover the rounding of the bound and terms in u^2.
    const double px = p.x - c.x, py = p.y - c.y, qx = q.x - c.x, qy = q.y - c.y;
    const double dx = p.x - q.x, dy = p.y - q.y;
    const double value = dx * (px + qx) + dy * (py + qy);
    const double error = 8 * detail::kHalfUlp * (fabs(dx) * (fabs(px) + fabs(qx)) + fabs(dy) * (fabs(py) + fabs(qy)));
    if (fabs(value) > error) return exact::sign_of(value);
    return exact::compare_distances_sign(p, q, c);
}

namespace detail {

/// The same for counter-clockwise corners given as a.along …, with (along, across) rotated from (x, y).
FLIPSCOPE_HD inline int circumcentre_side(const double (&v)[7]) {
    const double bx = v[2] - v[0], by = v[3] - v[1], cx = v[4] - v[0], cy = v[5] - v[1], offset = v[0] - v[6];
    const double b_lift = bx * bx + by * by, c_lift = cx * cx + cy * cy;
    const double left = bx * cy, right = by * cx;
    const double value = b_lift * cy - c_lift * by + 2 * (left - right) * offset;
    // In units of u: liftings and the cross product are off by 4, products with a difference by 6, the sum by 8.
    const double error =
        16 * kHalfUlp * (b_lift * fabs(cy) + c_lift * fabs(by) + 2 * (fabs(left) + fabs(right)) * fabs(offset));
    if (fabs(value) > error) return exact::sign_of(value);
    return exact::circumcentre_side_sign(v);
}

}  // namespace detail

/// The sign of the circumcentre's x minus `line`, for counter-clockwise a, b, c. Exact.
FLIPSCOPE_HD inline int circumcentre_x_side(Point a, Point b, Point c, double line) {
    const double v[7] = {a.x, a.y, b.x, b.y, c.x, c.y, line};
    return detail::circumcentre_side(v);
}
/// The same for y. Rotating the plane by a right angle, y along and -x across, keeps the orientation.
FLIPSCOPE_HD inline int circumcentre_y_side(Point a, Point b, Point c, double line) {
    const double v[7] = {a.y, -a.x, b.y, -b.x, c.y, -c.x, line};
    return detail::circumcentre_side(v);
}

}  // namespace flipscope
