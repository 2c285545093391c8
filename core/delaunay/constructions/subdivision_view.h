// The cells of space subdivision and their candidates, for kernels and for the lab that draws them.
#pragma once

#include "compute/view.h"
#include "delaunay/constructions/subdivision_predicates.h"
#include "geometry/point.h"

namespace flipscope {

/// A leaving cell with at most so many candidates is solved by one thread; a larger one by the host.
inline constexpr uint32_t kMostByThread = 12;
/// In cells with at most so many every candidate is compared with all others.
inline constexpr uint32_t kMostCompared = 16;

/// Why a cell leaves.
enum CellVerdict : uint32_t {
    kStays,
    kFew,         // few candidates: every triple can be tried
    kCocircular,  // all on one circle: no split separates them
    kTooSmall,    // the middle of its sides is not a double, or below 2^-200
    kCrowded      // splits multiply the candidates, as between long parallel Voronoi edges
};

/// A square [low, low + side) in x and y, whose corners are doubles, exactly.
struct Cell {
    Point low;                  // world units
    double side = 0;            // world units, a power of two
    uint32_t strain = 0;        // splits in a row, up to this cell's own, that left 7/4 of the candidates or more
    uint32_t parent_count = 0;  // candidates of the cell that it is a quarter of

    FLIPSCOPE_HD Point high() const { return {low.x + side, low.y + side}; }
    FLIPSCOPE_HD static bool is_exact_sum(double a, double b) {  // Knuth's two-sum leaves no rest
        const double sum = a + b, back = sum - a;
        return (a - (sum - back)) + (b - back) == 0;
    }
    FLIPSCOPE_HD bool can_halve() const {
        const double half = side / 2;
        return half >= kMinCoordinate && is_exact_sum(low.x, half) && is_exact_sum(low.y, half);
    }
    FLIPSCOPE_HD Cell quarter(uint32_t which, uint32_t count) const {
        const double half = side / 2;
        return {{which & 1 ? low.x + half : low.x, which & 2 ? low.y + half : low.y}, half, strain, count};
    }
    /// Including its border.
    FLIPSCOPE_HD bool holds(Point p) const {
        const Point end = high();
        return p.x >= low.x && p.y >= low.y && p.x <= end.x && p.y <= end.y;
    }
    /// Whether q is strictly closer than p to all of the cell: the difference of their squared distances is linear in
    /// the place, so the corner farthest towards p decides for all.
    FLIPSCOPE_HD bool is_closer(Point q, Point p) const {
        const Point corner{p.x > q.x ? low.x + side : low.x, p.y > q.y ? low.y + side : low.y};
        return compare_distances(p, q, corner) > 0;
    }
    /// For counter-clockwise a, b, c; the upper borders are excluded, so that every circumcentre is in one cell.
    FLIPSCOPE_HD bool holds_circumcentre(Point a, Point b, Point c) const {
        const Point end = high();
        return circumcentre_x_side(a, b, c, low.x) >= 0 && circumcentre_y_side(a, b, c, low.y) >= 0 &&
               circumcentre_x_side(a, b, c, end.x) < 0 && circumcentre_y_side(a, b, c, end.y) < 0;
    }
    FLIPSCOPE_HD bool touches_border_of(const Cell& root) const {
        const Point end = high(), root_end = root.high();
        return low.x == root.low.x || low.y == root.low.y || end.x == root_end.x || end.y == root_end.y;
    }
};

struct CellsView {
    View<const Point> positions;  // (v)
    View<const uint32_t> inputs;  // (v)
    View<Cell> cells;             // (c)
    View<uint32_t> begins, ends;  // (c) of each cell's part of the array
    View<uint32_t> points;        // (m) the array: a vertex,
    View<uint32_t> cell_of;       // (m) and the cell that it is a candidate of

    FLIPSCOPE_HD uint32_t count(uint32_t cell) const { return ends[cell] - begins[cell]; }
    FLIPSCOPE_HD Point place(uint32_t i) const { return positions[points[i]]; }
};

}  // namespace flipscope
