// A study area for kernels: whether it contains a point, and the distance of a point from its border. The sides of
// polygons are sorted into the cells of a grid, so that a point meets few of them.
#pragma once

#include <span>
#include <vector>

#include "compute/buffer.h"
#include "flipscope/predicates.h"
#include "flipscope/study_area.h"
#include "statistics/window.h"

namespace flipscope {

struct AreaSide {
    Point from, to;  // world units; the area is on the left

    /// Whether the side crosses the ray from p to the right. Of two sides that meet at a corner of p's height, that
    /// with the lower end there counts.
    FLIPSCOPE_HD bool is_right_of(Point p) const {
        const Point low = from.y < to.y ? from : to, high = from.y < to.y ? to : from;
        return p.y >= low.y && p.y < high.y && orient2d(low, high, p) > 0;
    }
    FLIPSCOPE_HD bool contains(Point p) const {
        return p.x >= (from.x < to.x ? from.x : to.x) && p.x <= (from.x < to.x ? to.x : from.x) &&
               p.y >= (from.y < to.y ? from.y : to.y) && p.y <= (from.y < to.y ? to.y : from.y) &&
               orient2d(from, to, p) == 0;
    }
};

/// The sides that meet each cell, or lie close to it.
struct AreaGrid {
    int32_t columns = 0, rows = 0;                                   // 0: there is no grid
    Point low, size;                                                 // its corner, and that of a cell; world units
    View<const uint32_t> starts;                                     // (rows · columns + 1)
    View<const uint32_t> sides;                                      // their indices
    View<const uint8_t> states;                                      // (rows · columns)
    static constexpr uint8_t kOutside = 0, kInside = 1, kMixed = 2;  // kMixed: sides are near
    FLIPSCOPE_HD static int32_t place(double offset, double size, int32_t count) {
        const double k = offset / size;
        return !(k > 0) ? 0 : k >= count ? count - 1 : static_cast<int32_t>(k);
    }
    FLIPSCOPE_HD int32_t column(double x) const { return place(x - low.x, size.x, columns); }
    FLIPSCOPE_HD int32_t row(double y) const { return place(y - low.y, size.y, rows); }
};

struct AreaView {
    Window window;  // the bounds; the area itself if there are no sides
    View<const AreaSide> sides;
    double area = 0;     // world units squared
    AreaGrid grid = {};  // without it every point meets all sides

    FLIPSCOPE_HD bool is_polygon() const { return sides.count > 0; }
    /// Exact. The border belongs to the area; NaN lies outside.
    FLIPSCOPE_HD bool contains(Point p) const {
        if (!window.contains(p)) return false;
        if (!is_polygon()) return true;
        bool inside = false;
        if (grid.columns == 0) {
            for (size_t i = 0; i < sides.count; ++i) {
                if (sides[i].contains(p)) return true;
                inside ^= sides[i].is_right_of(p);
            }
            return inside;
        }
        const size_t cell = grid.row(p.y) * size_t(grid.columns) + grid.column(p.x);
        if (grid.states[cell] != AreaGrid::kMixed) return grid.states[cell] == AreaGrid::kInside;
        for (uint32_t k = grid.starts[cell]; k < grid.starts[cell + 1]; ++k)
            if (sides[grid.sides[k]].contains(p)) return true;
        return is_enclosed(p);
    }
    /// By the parity of the sides on the right of p without those in [skipped, skipped_end). If none are skipped, the
    /// way to the right ends at the first cell whose state is known. Needs the grid.
    FLIPSCOPE_HD bool is_enclosed(Point p, uint32_t skipped = 0, uint32_t skipped_end = 0) const {
        bool inside = false;
        const int32_t row = grid.row(p.y);
        Point at = p;
        for (int32_t column = grid.column(p.x); column < grid.columns; ++column) {
            const size_t cell = row * size_t(grid.columns) + column;
            if (skipped == skipped_end && grid.states[cell] != AreaGrid::kMixed)
                return inside != (grid.states[cell] == AreaGrid::kInside);
            // A side in several cells counts where it passes from the right of `at` to the left of `next`.
            const Point next{grid.low.x + (column + 1) * grid.size.x, p.y};
            for (uint32_t k = grid.starts[cell]; k < grid.starts[cell + 1]; ++k) {
                const uint32_t i = grid.sides[k];
                if (i - skipped >= skipped_end - skipped)
                    inside ^= sides[i].is_right_of(at) != sides[i].is_right_of(next);
            }
            at = next;
        }
        return inside;
    }
    /// Distance of a point from the border, negative outside. World units.
    FLIPSCOPE_HD double depth(Point p) const {
        if (!is_polygon()) return window.depth(p);
        double least = INFINITY;
        if (grid.columns == 0) {
            for (size_t i = 0; i < sides.count; ++i) least = nearer(least, squared_distance(p, sides[i]));
        } else {
            const int32_t column = grid.column(p.x), row = grid.row(p.y);
            const Point inner{clamped(p.x, window.low.x, window.high.x), clamped(p.y, window.low.y, window.high.y)};
            const double x = p.x - inner.x, y = p.y - inner.y, away = x * x + y * y;
            // Cells ring by ring. Those of ring k are at least k - 1 cells away, less the rounding.
            const double step = (grid.size.x < grid.size.y ? grid.size.x : grid.size.y) * (1 - 0x1p-20);
            const int32_t last = grid.columns > grid.rows ? grid.columns : grid.rows;
            for (int32_t k = 0; k < last; ++k) {
                const double reach = k > 1 ? (k - 1) * step : 0;
                if (away + reach * reach > least) break;
                for (int32_t r = row - k; r <= row + k; ++r) {
                    if (r < 0 || r >= grid.rows) continue;
                    const bool whole = r == row - k || r == row + k;
                    for (int32_t c = column - k; c <= column + k; c += whole || k == 0 ? 1 : 2 * k) {
                        if (c < 0 || c >= grid.columns) continue;
                        const size_t cell = r * size_t(grid.columns) + c;
                        for (uint32_t i = grid.starts[cell]; i < grid.starts[cell + 1]; ++i)
                            least = nearer(least, squared_distance(p, sides[grid.sides[i]]));
                    }
                }
            }
        }
        return contains(p) ? sqrt(least) : -sqrt(least);
    }
    FLIPSCOPE_HD static double clamped(double v, double low, double high) {
        return v < low ? low : v > high ? high : v;
    }
    FLIPSCOPE_HD static double nearer(double a, double b) { return b < a ? b : a; }
    FLIPSCOPE_HD static double squared_distance(Point p, AreaSide side) {
        const double x = side.to.x - side.from.x, y = side.to.y - side.from.y;
        double t = ((p.x - side.from.x) * x + (p.y - side.from.y) * y) / (x * x + y * y);
        t = t > 0 ? t < 1 ? t : 1 : 0;
        const double dx = side.from.x + t * x - p.x, dy = side.from.y + t * y - p.y;
        return dx * dx + dy * dy;
    }
};

Window window_of(const StudyArea& area);
std::vector<AreaSide> sides_of(const StudyArea& area);

/// A study area with its grid, in host memory.
class AreaIndex {
  public:
    explicit AreaIndex(const StudyArea& area);
    AreaIndex(const AreaIndex&) = delete;
    const AreaView& view() const { return view_; }

  private:
    AreaView view_;
    std::vector<AreaSide> sides_;
    std::vector<uint32_t> starts_, ids_;
    std::vector<uint8_t> states_;
};

/// The points in the area, in their order. Leaves out the marks of the others, too, if there are any.
std::vector<Point> points_inside(const StudyArea& area, std::span<const Point> points);

/// A study area in the memory of a device.
class AreaOnDevice {
  public:
    void upload(Context& context, const StudyArea& area);
    const AreaView& view() const { return view_; }

  private:
    AreaView view_;
    Buffer<AreaSide> sides_{"sides of the study area"};
    Buffer<uint32_t> starts_{"cells of the study area"}, ids_{"sides in cells of the study area"};
    Buffer<uint8_t> states_{"states of cells of the study area"};
};

}  // namespace flipscope
