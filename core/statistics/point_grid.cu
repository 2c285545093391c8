#include "statistics/point_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "compute/primitives.h"
#include "geometry/cell_kernels.h"

namespace flipscope {

namespace {

struct KeyByCell {
    PointGridView grid;
    View<const Point> points;
    View<uint64_t> keys;
    View<uint32_t> ids;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = points[i];
        keys[i] = grid.window.contains(p) ? uint64_t(grid.row(p.y)) * grid.columns + grid.column(p.x)
                                          : uint64_t(grid.rows) * grid.columns;
        ids[i] = i;
    }
};

}  // namespace

void PointGrid::build(Context& context, const Window& window, View<const Point> points, double least_width) {
    const auto n = static_cast<uint32_t>(points.count);
    cells_ = {};
    cells_.window = window;
    const double most = std::max(1.0, std::min(double(n), 16'777'216.0));
    // A little wider, so that the rounding of a cell's index hides no pair; and no more than one a point.
    double width = least_width * (1 + 1e-9);
    if (!(width > 0)) width = std::max(window.width(), window.height());
    if (window.width() / width * (window.height() / width) > most) width = std::sqrt(window.area() / most);
    cells_.columns = static_cast<uint32_t>(std::clamp(window.width() / width, 1.0, 65536.0));
    cells_.rows = static_cast<uint32_t>(std::clamp(window.height() / width, 1.0, 65536.0));
    cells_.columns_per_unit = window.width() > 0 ? cells_.columns / window.width() : 0;
    cells_.rows_per_unit = window.height() > 0 ? cells_.rows / window.height() : 0;
    const uint32_t cells = cells_.columns * cells_.rows;
    keys_.resize(context, n, false);
    ids_.resize(context, n, false);
    positions_.resize(context, n, false);
    starts_.resize(context, size_t(cells) + 1, false);
    launch(context, "statistics.grid_keys", n, KeyByCell{cells_, points, keys_.view(), ids_.view()});
    if (n > 1) sort_by_key(context, "statistics.grid_sort", keys_, ids_, std::bit_width(cells));
    launch(context, "statistics.grid_starts", cells + 1, FindCellStarts{keys_.view(), n, starts_.view()});
    launch(context, "statistics.grid_gather", n, GatherByCell<Point>{points, ids_.view(), positions_.view()});
    inside_ = starts_.read(cells);
    cells_.starts = starts_.view();
    cells_.positions = positions_.view();
    cells_.ids = ids_.view();
}

}  // namespace flipscope
