// Bounds on distances from a place to a box of sites, and the tree of such boxes. The bounds need no slack: rounding is
// monotonic, so the expression that decides colours, evaluated at the nearest side of a box, never exceeds its value
// for a site inside.
#pragma once

#include <cstdint>

#include "compute/view.h"
#include "voronoi/colouring/nearest.h"
#include "voronoi/lattice.h"

namespace flipscope {

inline constexpr double kFarAway = 1e300;
/// For sums of a few rounded terms, relative to their magnitudes, with a margin.
inline constexpr double kRounding = 1.0 / 70368744177664;  // 2^-46

FLIPSCOPE_HD inline double lesser(double a, double b) { return b < a ? b : a; }
FLIPSCOPE_HD inline double greater(double a, double b) { return b > a ? b : a; }
FLIPSCOPE_HD inline double magnitude(double a) { return a < 0 ? -a : a; }

/// Along one axis: a lower bound for the computed distance from p to any value in [low, high].
FLIPSCOPE_HD inline double axis_gap(double p, double low, double high, bool periodic, double period) {
    if (low <= p && p <= high) return 0;
    if (!periodic) return p < low ? low - p : p - high;
    return lesser(magnitude(Lattice::shortest(p, low, period)), magnitude(Lattice::shortest(p, high, period)));
}
FLIPSCOPE_HD inline double squared_gap(const Lattice& lattice, Point p, Point low, Point high) {
    const double x = axis_gap(p.x, low.x, high.x, lattice.periodic.x, lattice.width);
    const double y = axis_gap(p.y, low.y, high.y, lattice.periodic.y, lattice.height);
    return x * x + y * y;
}

/// A box around sites, world units.
struct SiteNode {
    Point low, high;
    uint32_t lowest_label = kNone;

    template <class Best>
    FLIPSCOPE_HD bool may_hold_better(const Lattice& lattice, Point p, const Best& best) const {
        return !best.beats_box(squared_gap(lattice, p, low, high), low, high, lowest_label);
    }
};

/// Level 0: boxes of kFan sites in the order of their slots; each further level: boxes of kFan boxes, up to a single
/// one.
struct SiteTree {
    static constexpr uint32_t kFan = 4, kMostLevels = 16;
    static constexpr uint32_t kStack = (kFan - 1) * kMostLevels + 1;  // of a depth-first search

    View<const SiteNode> nodes;
    uint32_t levels = 0;
    uint32_t firsts[kMostLevels + 1] = {};  // index in nodes of each level

    FLIPSCOPE_HD static uint32_t pack(uint32_t level, uint32_t index) { return level << 28 | index; }
    FLIPSCOPE_HD static uint32_t level(uint32_t node) { return node >> 28; }
    FLIPSCOPE_HD static uint32_t index(uint32_t node) { return node & 0x0FFFFFFFu; }
    FLIPSCOPE_HD uint32_t root() const { return pack(levels - 1, 0); }
    FLIPSCOPE_HD uint32_t size(uint32_t level) const { return firsts[level + 1] - firsts[level]; }
    FLIPSCOPE_HD const SiteNode& operator[](uint32_t node) const { return nodes[firsts[level(node)] + index(node)]; }
};

}  // namespace flipscope
