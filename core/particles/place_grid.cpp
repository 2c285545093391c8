#include "particles/place_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "compute/primitives.h"
#include "geometry/cell_kernels.h"

namespace flipscope {

namespace {

struct KeyByCell {
    PlaceGridView grid;
    View<const Point> positions;
    View<uint64_t> keys;
    View<uint32_t> ids;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = positions[i];
        keys[i] = uint64_t(grid.row(p)) * grid.columns + grid.column(p);
        ids[i] = i;
    }
};

}  // namespace

void PlaceGrid::build(Context& context, const TorusBox& box, View<const Point> positions, double least_width) {
    count_ = static_cast<uint32_t>(positions.count);
    // Slightly wider, so that rounding of a cell's index misses no pair.
    const auto cells = [&](double side, double other) {
        const double most = std::min(side / (least_width * (1 + 1e-9)), std::sqrt(count_ * (side / other)) + 1);
        return static_cast<uint32_t>(std::clamp(most, 1.0, 32768.0));
    };
    const Point sides = box.lengths();  // in a channel, cells at opposite walls are neighbours, too, which is harmless
    cells_.box = box;
    cells_.columns = cells(sides.x, sides.y);
    cells_.rows = cells(sides.y, sides.x);
    cells_.per_unit = {cells_.columns / sides.x, cells_.rows / sides.y};
    const uint32_t cell_count = cells_.columns * cells_.rows;
    keys_.resize(context, count_, false);
    ids_.resize(context, count_, false);
    positions_.resize(context, count_, false);
    starts_.resize(context, size_t(cell_count) + 1, false);
    launch(context, "grid.keys", count_, KeyByCell{view(), positions, keys_.view(), ids_.view()});
    if (count_ > 1)
        sort_by_key(context, "grid.sort", keys_, ids_, std::bit_width(cells_.columns) + std::bit_width(cells_.rows));
    launch(context, "grid.starts", cell_count + 1, FindCellStarts{keys_.view(), count_, starts_.view()});
    launch(context, "grid.gather", count_, GatherByCell{positions, ids_.view(), positions_.view()});
}

PlaceGridView PlaceGrid::view() const {
    PlaceGridView view = cells_;
    view.starts = starts_.view();
    view.ids = ids_.view();
    view.positions = positions_.view();
    return view;
}

}  // namespace flipscope
