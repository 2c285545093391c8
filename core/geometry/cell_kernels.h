// Kernels shared by grids of cells, for points sorted by cell keys: the start of each cell, and the points in the order
// of cells. Each grid defines its own keys. Only kernel sources include it.
#pragma once

#include "compute/view.h"
#include "flipscope/view.h"
#include "geometry/point.h"

namespace flipscope {

/// One index per cell, and one for the end.
struct FindCellStarts {
    View<const uint64_t> keys;  // ascending
    uint32_t count;             // of keys
    View<uint32_t> starts;
    FLIPSCOPE_HD void operator()(uint32_t cell) const {
        starts[cell] = lower_bound(keys.data, uint32_t(0), count, uint64_t(cell));
    }
};

/// One index per point.
template <class T>
struct GatherByCell {
    View<const T> values;
    View<const uint32_t> ids;  // by rank
    View<T> sorted;
    FLIPSCOPE_HD void operator()(uint32_t rank) const { sorted[rank] = values[ids[rank]]; }
};

}  // namespace flipscope
