// What grids of cells do once their points have keys, and are sorted by them: where each cell begins, and the points in
// the order of cells. How a place becomes a key differs from grid to grid. Only kernel sources include it.
#pragma once

#include "compute/macros.h"
#include "compute/view.h"
#include "geometry/point.h"

namespace flipscope {

/// Once per cell, and for the end of the last one.
struct FindCellStarts {
    View<const uint64_t> keys;  // ascending
    uint32_t count;             // of keys
    View<uint32_t> starts;
    FLIPSCOPE_HD void operator()(uint32_t cell) const {
        starts[cell] = lower_bound(keys.data, uint32_t(0), count, uint64_t(cell));
    }
};

/// Once per point.
struct GatherByCell {
    View<const Point> positions;
    View<const uint32_t> ids;  // by rank
    View<Point> sorted;
    FLIPSCOPE_HD void operator()(uint32_t rank) const { sorted[rank] = positions[ids[rank]]; }
};

}  // namespace flipscope
