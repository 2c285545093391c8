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
        keys[i] = uint64_t(grid.cell_1d(p.y)) * grid.cells + grid.cell_1d(p.x);
        ids[i] = i;
    }
};

}  // namespace

void PlaceGrid::build(Context& context, const TorusBox& box, View<const Point> positions, double least_width) {
    box_ = box;
    count_ = static_cast<uint32_t>(positions.count);
    // A little wider, so that the rounding of a cell's index hides no pair.
    const double most = std::min(box.side / (least_width * (1 + 1e-9)), std::sqrt(double(count_)) + 1);
    cells_ = static_cast<uint32_t>(std::clamp(most, 1.0, 32768.0));
    cells_per_unit_ = cells_ / box.side;
    keys_.resize(context, count_, false);
    ids_.resize(context, count_, false);
    positions_.resize(context, count_, false);
    starts_.resize(context, size_t(cells_) * cells_ + 1, false);
    launch(context, "grid.keys", count_, KeyByCell{view(), positions, keys_.view(), ids_.view()});
    if (count_ > 1) sort_by_key(context, "grid.sort", keys_, ids_, 2 * std::bit_width(cells_));
    launch(context, "grid.starts", cells_ * cells_ + 1, FindCellStarts{keys_.view(), count_, starts_.view()});
    launch(context, "grid.gather", count_, GatherByCell{positions, ids_.view(), positions_.view()});
}

PlaceGridView PlaceGrid::view() const {
    return {box_, cells_, cells_per_unit_, starts_.view(), ids_.view(), positions_.view()};
}

}  // namespace flipscope
