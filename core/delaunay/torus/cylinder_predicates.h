// Orientation and in-circle tests on a cylinder, whose open side is infinite: of images that lie on different levels of
// the open axis, several such sides apart. Both determinants are polynomials in the length H of that side, and the sign
// for H → ∞ is that of the highest coefficient that is not 0. If all are 0, the tie rules of torus_rules.h follow, each
// again with all powers of H. Points are exact differences from one vertex (torus_box.h), where the finite side of the
// box replaces H, so a point determines its level. Few edges cross the borders, and these tests are slow.
//
// In grid steps coordinates are below 2^52 and levels below 2^5, so all coefficients, those of the tie rules included,
// are integers below 2^225. With H = 2^256 steps the first nonzero coefficient outweighs all that follow, and exact.h
// evaluates the sign in its integers.
#pragma once

#include "flipscope/detail/exact.h"
#include "geometry/torus_box.h"

namespace flipscope {

namespace detail {

/// One coordinate of a point: the finite part and the number of sides added to it, each exact.
struct CylinderCoordinate {
    double finite = 0;  // world units
    double level = 0;   // a whole number

    FLIPSCOPE_HD static CylinderCoordinate of(double v, double side, bool is_open) {
        if (!is_open) return {v, 0};
        const double level = rint(v / side);  // the finite part is within a quarter of the side
        return {v - side * level, level};
    }
};
struct CylinderPoint {
    CylinderCoordinate x, y;
};

struct CylinderNumbers {
    static constexpr int kLimbs = 5;  // of 64 bits: 2^256 steps, times a level, or the sum of two or three such
    static constexpr int kSideBits = 256;
    Point sides;
    OpenAxis open = OpenAxis::kNone;
    int low = 0;      // 2^low divides the grid's step
    double side = 0;  // 2^256 of these

    FLIPSCOPE_HD CylinderNumbers(Point sides, OpenAxis open) : sides(sides), open(open) {
        low = exact::exponent_of(sides.x < sides.y ? sides.y : sides.x) - 46;
        side = exact::power_of_two(low + kSideBits);
    }
    FLIPSCOPE_HD CylinderPoint point(Point p) const {
        return {CylinderCoordinate::of(p.x, sides.x, open == OpenAxis::kX),
                CylinderCoordinate::of(p.y, sides.y, open == OpenAxis::kY)};
    }
    /// p - q
    FLIPSCOPE_HD_NOINLINE void subtract(const CylinderCoordinate& p, const CylinderCoordinate& q,
                                        exact::WideDifference& d) const {
        d.set(p.finite, q.finite, low, kLimbs, (p.level - q.level) * side);
    }
    /// The sign of the in-circle determinant of four points, after scaling x by `times` and adding `shear` x to y.
    FLIPSCOPE_HD_NOINLINE int incircle(const CylinderPoint (&points)[4], double times, double shear) const {
        exact::WideDifference x[3], y[3];
        const auto scaled = [&](const CylinderPoint& p) {
            return CylinderCoordinate{times * p.x.finite + shear * p.y.finite, times * p.x.level + shear * p.y.level};
        };
        for (int k = 0; k < 3; ++k) {
            subtract(scaled(points[k]), scaled(points[3]), x[k]);
            subtract(points[k].y, points[3].y, y[k]);
        }
        return exact::incircle_of(x, y, kLimbs);
    }
};

}  // namespace detail

/// As orient2d().
FLIPSCOPE_HD_NOINLINE inline int cylinder_orient2d(Point sides, OpenAxis open, Point a, Point b, Point c) {
    const detail::CylinderNumbers numbers(sides, open);
    const detail::CylinderPoint p = numbers.point(a), q = numbers.point(b), r = numbers.point(c);
    constexpr int kLimbs = detail::CylinderNumbers::kLimbs;
    uint64_t determinant[2 * kLimbs];
    exact::set_zero(determinant, 2 * kLimbs);
    exact::WideDifference first, second;
    numbers.subtract(p.x, r.x, first);
    numbers.subtract(q.y, r.y, second);
    exact::add_product(determinant, 2 * kLimbs, first, second, false);
    numbers.subtract(p.y, r.y, first);
    numbers.subtract(q.x, r.x, second);
    exact::add_product(determinant, 2 * kLimbs, first, second, true);
    return exact::sign_of_limbs(determinant, 2 * kLimbs);
}

/// As torus_incircle_exactly(), by the same rules for ties.
FLIPSCOPE_HD_NOINLINE inline int cylinder_incircle(Point sides, OpenAxis open, Point to, Point left, Point right) {
    const detail::CylinderNumbers numbers(sides, open);
    const detail::CylinderPoint points[4] = {{}, numbers.point(to), numbers.point(left), numbers.point(right)};
    int sign = numbers.incircle(points, 1, 0);
    if (sign == 0) sign = numbers.incircle(points, 2, 0);
    if (sign == 0) sign = numbers.incircle(points, 1, 1);
    return sign;
}

}  // namespace flipscope
