// Predicates of proximity graphs: which of two distances is longer, and whether a point lies in the region that a point
// must not enter for two others to be neighbours. Exact signs on the host and in CUDA kernels, with the range of
// coordinates and the filter of flipscope/predicates.h. Must be compiled without contraction of a * b + c.
#pragma once

#include "flipscope/predicates.h"

namespace flipscope {

/// The range of β for which the predicates are exact.
inline constexpr double kLeastBeta = 1. / 1024, kMostBeta = 1024;

namespace exact {

/// The limbs of differences of the coordinates, and the unit's exponent. 0 limbs: all are 0, or out of range.
struct WideUnit {
    int low = 0, limbs = 0;
    template <int kCount>
    FLIPSCOPE_HD explicit WideUnit(const double (&v)[kCount]) {
        const double largest = magnitude(v, kCount);
        if (!(largest >= kMinCoordinate && largest <= kMaxCoordinate)) return;
        low = lowest_bit(v, kCount);
        const int needed = limbs_for(largest, low);
        if (needed <= kMaxLimbs) limbs = needed;
    }
};

/// The sign of |ab|² - |cd|².
FLIPSCOPE_HD_NOINLINE inline int compare_lengths_sign(Point a, Point b, Point c, Point d) {
    const double v[8] = {a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y};
    const WideUnit unit(v);
    if (unit.limbs == 0) return 0;
    uint64_t sum[2 * kMaxLimbs];
    set_zero(sum, 2 * unit.limbs);
    for (int k = 0; k < 4; ++k) {  // x and y of ab, then of cd
        WideDifference w;
        w.set(v[k + k / 2 * 2], v[k + k / 2 * 2 + 2], unit.low, unit.limbs);
        add_product(sum, 2 * unit.limbs, w, w, k >= 2);
    }
    return sign_of_limbs(sum, 2 * unit.limbs);
}

/// A number of up to 2 kMaxLimbs limbs as sign and magnitude.
struct WideProduct {
    uint64_t limb[2 * kMaxLimbs];
    bool negative;
    int used;
    /// x y + z w, or x y - z w
    FLIPSCOPE_HD void set(const WideDifference& x, const WideDifference& y, const WideDifference& z,
                          const WideDifference& w, bool minus, int limbs) {
        set_zero(limb, 2 * limbs);
        add_product(limb, 2 * limbs, x, y, false);
        add_product(limb, 2 * limbs, z, w, minus);
        negative = make_absolute(limb, 2 * limbs);
        used = trimmed(limb, 2 * limbs);
    }
};

/// The sign of |pr|² - β (r - p)·(q - p), for 1 <= β <= kMostBeta.
FLIPSCOPE_HD_NOINLINE inline int disc_sign(Point p, Point q, Point r, double beta) {
    const double v[6] = {p.x, p.y, q.x, q.y, r.x, r.y};
    const WideUnit unit(v);
    if (unit.limbs == 0) return 0;
    WideDifference rx, ry, qx, qy;
    rx.set(r.x, p.x, unit.low, unit.limbs);
    ry.set(r.y, p.y, unit.low, unit.limbs);
    qx.set(q.x, p.x, unit.low, unit.limbs);
    qy.set(q.y, p.y, unit.low, unit.limbs);
    WideProduct squared, dot;
    squared.set(rx, rx, ry, ry, false, unit.limbs);
    dot.set(rx, qx, ry, qy, false, unit.limbs);
    const uint64_t one = 1ull << 52, scaled = static_cast<uint64_t>(beta * 0x1p52);  // an integer below 2^63
    uint64_t sum[2 * kMaxLimbs + 1];
    const int limbs = 2 * unit.limbs + 1;
    set_zero(sum, limbs);
    add_product(sum, limbs, squared.limb, squared.used, &one, 1, false);
    add_product(sum, limbs, dot.limb, dot.used, &scaled, 1, !dot.negative);
    return sign_of_limbs(sum, limbs);
}

/// The sign of β² |pr|² |qr|² - ((r - p) × (r - q))², for kLeastBeta <= β < 1.
FLIPSCOPE_HD_NOINLINE inline int lens_sign(Point p, Point q, Point r, double beta) {
    const double v[6] = {p.x, p.y, q.x, q.y, r.x, r.y};
    const WideUnit unit(v);
    if (unit.limbs == 0) return 0;
    WideDifference ax, ay, bx, by;
    ax.set(r.x, p.x, unit.low, unit.limbs);
    ay.set(r.y, p.y, unit.low, unit.limbs);
    bx.set(r.x, q.x, unit.low, unit.limbs);
    by.set(r.y, q.y, unit.low, unit.limbs);
    WideProduct dot, cross;
    dot.set(ax, bx, ay, by, false, unit.limbs);
    cross.set(ax, by, ay, bx, true, unit.limbs);
    // |pr|² |qr|² = dot² + cross², so with m = 2^63 β: (m dot)² + (m cross)² - (2^63 cross)².
    const uint64_t scaled = static_cast<uint64_t>(beta * 0x1p63), one = 1ull << 63;
    constexpr int kRoom = 2 * kMaxLimbs + 1;
    const int each = 2 * unit.limbs + 1, limbs = 2 * each;
    uint64_t sum[2 * kRoom], factor[kRoom] = {};
    set_zero(sum, limbs);
    const auto add_square = [&](const WideProduct& of, const uint64_t* by, bool minus) {
        set_zero(factor, each);
        add_product(factor, each, of.limb, of.used, by, 1, false);
        const int used = trimmed(factor, each);
        add_product(sum, limbs, factor, used, factor, used, minus);
    };
    add_square(dot, &scaled, false);
    add_square(cross, &scaled, false);
    add_square(cross, &one, true);
    return sign_of_limbs(sum, limbs);
}

}  // namespace exact

/// |ab|² rounded: off by less than 5 u of itself. World units squared.
FLIPSCOPE_HD inline double squared_length(Point a, Point b) {
    const double x = b.x - a.x, y = b.y - a.y;
    return x * x + y * y;
}

/// Whether the order of two squared_length() is that of the exact values.
FLIPSCOPE_HD inline bool are_far_apart(double first, double second) {
    return fabs(first - second) > 12 * detail::kHalfUlp * (first + second);
}

/// The sign of |ab| - |cd|. Exact.
FLIPSCOPE_HD inline int compare_lengths(Point a, Point b, Point c, Point d) {
    const double first = squared_length(a, b), second = squared_length(c, d);
    return are_far_apart(first, second) ? exact::sign_of(first - second) : exact::compare_lengths_sign(a, b, c, d);
}

/// Whether r lies inside the circle through p whose centre is p + β/2 (q - p), for 1 <= β <= kMostBeta. The lune of an
/// edge p q is what this circle and that of q and p have in common: that with the edge as diameter for β = 1, and for
/// β = 2 the points nearer to both ends than they are to each other. Exact; a point on the circle is not inside.
FLIPSCOPE_HD inline bool is_in_disc(Point p, Point q, Point r, double beta) {
    const double rx = r.x - p.x, ry = r.y - p.y, x = rx * (q.x - p.x), y = ry * (q.y - p.y);
    const double squared = rx * rx + ry * ry, value = squared - beta * (x + y);
    // In units of u: the square is off by 4, the product by 5; the rest covers terms in u² and the bound's rounding.
    const double error = 8 * detail::kHalfUlp * (squared + beta * (fabs(x) + fabs(y)));
    return fabs(value) > error ? value < 0 : exact::disc_sign(p, q, r, beta) < 0;
}

/// Whether r lies inside both circles through p and q of diameter |pq| / β, for kLeastBeta <= β < 1: where it sees the
/// edge under an obtuse angle whose sine is below β. Exact; a point on a circle is not inside.
FLIPSCOPE_HD inline bool is_in_lens(Point p, Point q, Point r, double beta) {
    if (!is_in_disc(p, q, r, 1)) return false;
    const double ax = r.x - p.x, ay = r.y - p.y, bx = r.x - q.x, by = r.y - q.y;
    const double dot = ax * bx + ay * by, cross = ax * by - ay * bx;
    const double all = (ax * ax + ay * ay) * (bx * bx + by * by), value = beta * beta * all - cross * cross;
    // The square of the cross product is off by 9 u of `all` at most, and the other term by 12 u.
    return fabs(value) > 32 * detail::kHalfUlp * (all + dot * dot) ? value > 0 : exact::lens_sign(p, q, r, beta) > 0;
}

}  // namespace flipscope
