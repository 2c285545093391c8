// The nearest of several sites: by squared distances rounded to doubles, where any near one suffices; or exactly, for
// colours, clusters and the inner ring. Exactly means without any rounding, from the coordinates as they are; ties go
// to the lowest label.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "compute/view.h"
#include "flipscope/detail/exact.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// The best site considered so far, in any order. NaN and distances that overflow are nearest to nothing.
struct Nearest {
    double squared = std::numeric_limits<double>::max();  // world units²
    uint32_t label = kNone;

    FLIPSCOPE_HD bool before(const Nearest& other) const {
        return squared < other.squared || (squared == other.squared && label < other.label);
    }
    FLIPSCOPE_HD void consider(double other_squared, uint32_t other_label) {
        const Nearest other{other_squared, other_label};
        if (other.before(*this)) *this = other;
    }
    FLIPSCOPE_HD void consider(const Lattice& lattice, Point p, Point site, uint32_t site_label) {
        consider(lattice.squared_distance(p, site), site_label);
    }
    /// Whether no site in a box can be better. `gap`: a lower bound for the computed squared distance to the box.
    FLIPSCOPE_HD bool beats_box(double gap, Point, Point, uint32_t lowest_label) const {
        return !Nearest{gap, lowest_label}.before(*this);
    }
};

namespace detail {

/// Whether both coordinates are multiples of 2^-10 below 2^15: then squared distances are exact.
FLIPSCOPE_HD inline bool is_coarse(Point p) {
    const double x = p.x * 1024, y = p.y * 1024;
    return fabs(x) < 0x1p25 && fabs(y) < 0x1p25 && static_cast<int32_t>(x) == x && static_cast<int32_t>(y) == y;
}

/// The period to add so that `from` - `to` is within half a period of 0.
FLIPSCOPE_HD inline double shortest_turn(double from, double to, double period) {
    const double d = from - to, half = period / 2, added = from - d;  // rounding error of d, by Knuth
    const double lost = (from - (d + added)) + (added - to);
    if (d > half || (d == half && lost > 0)) return -period;
    if (d < -half || (d == -half && lost < 0)) return period;
    return 0;
}

/// The sign of |p - a|² - |p - b|², by shortest displacements. Exact for coordinates that are 0 or have a magnitude of
/// 2^-200 to 2^200; for others the sign is that of the computation in doubles. Not inlined: rarely called.
FLIPSCOPE_HD_NOINLINE inline int compare_distances(const Lattice& lattice, Point p, Point a, Point b) {
    if (is_coarse(a) && is_coarse(b) && is_coarse(p))
        return exact::sign_of(lattice.squared_distance(p, a) - lattice.squared_distance(p, b));
    const double w = lattice.width, h = lattice.height;
    const auto [around_x, around_y] = lattice.periodic;
    const double turns[4] = {around_x ? shortest_turn(a.x, p.x, w) : 0, around_y ? shortest_turn(a.y, p.y, h) : 0,
                             around_x ? shortest_turn(b.x, p.x, w) : 0, around_y ? shortest_turn(b.y, p.y, h) : 0};
    const double v[10] = {a.x, a.y, b.x, b.y, p.x, p.y, turns[0], turns[1], turns[2], turns[3]};
    const double largest = exact::magnitude(v, 10);
    if (largest == 0) return 0;
    int64_t i[10];
    if (largest >= kMinCoordinate && largest <= kMaxCoordinate && exact::to_integers(v, largest, i)) {
        const auto square = [&](int site, int axis) {  // of a difference below 3 · 2^61
            const exact::Int128 d =
                static_cast<exact::Int128>(i[2 * site + axis]) - i[4 + axis] + i[6 + 2 * site + axis];
            return d * d;
        };
        // Within half a period along a periodic axis, or as the difference of two coordinates otherwise, d is below
        // 2^62, so that the sums fit.
        return exact::sign_of((square(0, 0) - square(1, 0)) + (square(0, 1) - square(1, 1)));
    }
    const int low = exact::lowest_bit(v, 10);
    const int limbs = exact::limbs_for(2 * largest, low);
    if (!(largest <= kMaxCoordinate) || limbs > exact::kMaxLimbs)
        return exact::sign_of(lattice.squared_distance(p, a) - lattice.squared_distance(p, b));
    uint64_t lead[2 * exact::kMaxLimbs];
    exact::set_zero(lead, 2 * limbs);
    for (int k = 0; k < 4; ++k) {
        exact::WideDifference d;
        d.set(v[k], v[4 + k % 2], low, limbs, turns[k]);
        exact::add_product(lead, 2 * limbs, d, d, k >= 2);
    }
    return exact::sign_of_limbs(lead, 2 * limbs);
}

/// An upper bound for a squared distance that rounding made `squared`, or for a similar one: the error is less than
/// four parts in 2^53 of each, and along periodic axes four of the squared periods.
FLIPSCOPE_HD inline double limit_of_nearest(const Lattice& lattice, double squared) {
    constexpr double kPart = 0x1p-49;
    const double w = lattice.width, h = lattice.height;
    const auto [around_x, around_y] = lattice.periodic;
    return squared +
           kPart * (around_x || around_y ? squared + ((around_x ? w * w : 0) + (around_y ? h * h : 0)) : squared);
}

}  // namespace detail

/// As Nearest, but exact: near ties are compared without rounding. All sites must be considered from the same place.
struct ExactNearest {
    double squared = std::numeric_limits<double>::max();  // world units², rounded as by Lattice::squared_distance
    double limit = std::numeric_limits<double>::max();    // a larger value of that expression is certainly farther
    Point at;                                             // the nearest site
    uint32_t label = kNone;

    FLIPSCOPE_HD void consider(const Lattice& lattice, Point p, Point site, uint32_t site_label) {
        const double other = lattice.squared_distance(p, site);
        if (other <= limit) [[unlikely]]
            settle(lattice, p, site, site_label, other);
    }
    FLIPSCOPE_HD bool beats_box(double gap, Point low, Point high, uint32_t lowest_label) const {
        return gap > limit || (low == high && low == at && label <= lowest_label);
    }

  private:
    FLIPSCOPE_HD void settle(const Lattice& lattice, Point p, Point site, uint32_t site_label, double other) {
        const double other_limit = detail::limit_of_nearest(lattice, other);
        if (label != kNone && other_limit >= squared) {
            const int sign = detail::compare_distances(lattice, p, site, at);
            if (sign > 0 || (sign == 0 && label <= site_label)) return;
        }
        squared = other;
        limit = other_limit;
        at = site;
        label = site_label;
    }
};

/// As ExactNearest while rounding cannot matter; if `tied`, an ExactNearest must decide. The loop has no calls, so that
/// it needs few GPU registers.
struct ClearNearest {
    double squared = std::numeric_limits<double>::max();
    double limit = std::numeric_limits<double>::max();
    uint32_t label = kNone;
    bool tied = false;  // another site may be as near, given rounding

    FLIPSCOPE_HD void consider(const Lattice& lattice, Point p, Point site, uint32_t site_label) {
        const double other = lattice.squared_distance(p, site);
        if (!(other <= limit)) return;
        const double other_limit = detail::limit_of_nearest(lattice, other);
        tied = label != kNone && other_limit >= squared;
        if (!(other < squared)) return;
        squared = other;
        limit = other_limit;
        label = site_label;
    }
};

}  // namespace flipscope
