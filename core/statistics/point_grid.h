// Points sorted into the cells of a window, for searches of all points within a distance: the statistics of points, and
// the pair correlation and the audit of overlaps of particles. The order is the same on every device.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "statistics/window.h"

namespace flipscope {

/// Points sorted into the cells of a window, row by row, and by index within a cell.
struct PointGridView {
    Window window;
    uint32_t columns = 1, rows = 1;
    double columns_per_unit = 1, rows_per_unit = 1;
    View<const uint32_t>
        starts;  // (columns · rows + 1): the first rank of every cell, then the number of points in the window
    View<const Point> positions;  // (n) by rank; those in the window
    View<const uint32_t> ids;     // (n) by rank

    FLIPSCOPE_HD uint32_t column(double x) const {
        const auto cell = static_cast<uint32_t>((x - window.low.x) * columns_per_unit);
        return cell < columns ? cell : columns - 1;
    }
    FLIPSCOPE_HD uint32_t row(double y) const {
        const auto cell = static_cast<uint32_t>((y - window.low.y) * rows_per_unit);
        return cell < rows ? cell : rows - 1;
    }
};

class PointGrid {
  public:
    /// Sorts the points in the window into cells of at least `least_width`, world units; about one cell per point at
    /// most. Ignores NaN and points outside the window.
    void build(Context& context, const Window& window, View<const Point> points, double least_width);
    const PointGridView& view() const { return cells_; }
    uint32_t count() const { return inside_; }  // of points in the window
    const Window& window() const { return cells_.window; }

  private:
    PointGridView cells_;
    uint32_t inside_ = 0;
    Buffer<uint64_t> keys_{"cell keys"};
    Buffer<uint32_t> ids_{"ids by cell"}, starts_{"cell starts"};
    Buffer<Point> positions_{"positions by cell"};
};

/// Visits ranges of ranks that hold all points within `reach` of a place, and some beyond.
struct NearPoints {
    PointGridView grid;
    double reach;

    /// Cells along an axis, from `first` on; going round where it is periodic.
    struct Stretch {
        uint32_t first, count;
    };
    FLIPSCOPE_HD Stretch stretch(bool periodic, uint32_t own, uint32_t from, uint32_t to, double per_unit,
                                 uint32_t cells) const {
        if (!periodic) return {from, to - from + 1};
        const auto wide = static_cast<uint32_t>(reach * per_unit) + 1;
        if (2 * wide + 1 >= cells) return {0, cells};
        return {(own + cells - wide) % cells, 2 * wide + 1};
    }
    template <class Visit>
    FLIPSCOPE_HD void ranges(Point p, const Visit& visit) const {
        const Window& w = grid.window;
        const auto column = [&](double x) { return grid.column(x > w.low.x ? x < w.high.x ? x : w.high.x : w.low.x); };
        const auto row = [&](double y) { return grid.row(y > w.low.y ? y < w.high.y ? y : w.high.y : w.low.y); };
        const Stretch across = stretch(w.periodic_x, column(p.x), column(p.x - reach), column(p.x + reach),
                                       grid.columns_per_unit, grid.columns);
        const Stretch up =
            stretch(w.periodic_y, row(p.y), row(p.y - reach), row(p.y + reach), grid.rows_per_unit, grid.rows);
        const uint32_t end = across.first + across.count, cut = end < grid.columns ? end : grid.columns;
        for (uint32_t j = 0; j < up.count; ++j) {
            const uint32_t at = up.first + j;
            const uint32_t begin = (at < grid.rows ? at : at - grid.rows) * grid.columns;
            visit(grid.starts[begin + across.first], grid.starts[begin + cut]);
            if (end > grid.columns) visit(grid.starts[begin], grid.starts[begin + end - grid.columns]);
        }
    }
    /// visit(rank) for each of them.
    template <class Visit>
    FLIPSCOPE_HD void each(Point p, const Visit& visit) const {
        ranges(p, [&](uint32_t from, uint32_t to) {
            for (uint32_t rank = from; rank < to; ++rank) visit(rank);
        });
    }
    FLIPSCOPE_HD double squared(Point a, Point b) const {
        const Window& w = grid.window;
        const double x = along(b.x - a.x, w.periodic_x, w.width()), y = along(b.y - a.y, w.periodic_y, w.height());
        return x * x + y * y;
    }
    FLIPSCOPE_HD static double along(double d, bool periodic, double side) {
        if (!periodic) return d;
        if (d > side / 2) d -= side;
        if (d < -side / 2) d += side;
        return d;
    }
    FLIPSCOPE_HD uint64_t count(Point p) const {
        uint64_t found = 0;
        ranges(p, [&](uint32_t from, uint32_t to) { found += to - from; });
        return found;
    }
};

}  // namespace flipscope
