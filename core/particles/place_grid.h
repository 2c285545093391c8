// Particles sorted into the square cells of a periodic box, for whatever looks at all pairs within a distance: the pair
// correlation and the audit of overlaps. It knows places alone and no triangulation. The order is that of the cells,
// row by row, and of the ids within a cell, so it is the same on every device.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "geometry/torus_box.h"

namespace flipscope {

/// What kernels read of the cells. A rank is a place in the order by cells.
struct PlaceGridView {
    TorusBox box;
    uint32_t cells = 1;           // per side
    double cells_per_unit = 1;    //
    View<const uint32_t> starts;  // (cells² + 1): the first rank of every cell, and n
    View<const uint32_t> ids;     // (n) the particle at each rank
    View<const Point> positions;  // (n) by rank

    FLIPSCOPE_HD uint32_t cell_1d(double v) const {
        const auto cell = static_cast<uint32_t>(v * cells_per_unit);
        return cell < cells ? cell : cells - 1;
    }
    /// Calls visit(rank) for every rank of the cells within `reach` of the one at p, and of that itself, each once.
    template <class Visit>
    FLIPSCOPE_HD void for_near(Point p, uint32_t reach, const Visit& visit) const {
        const bool all = 2 * reach + 1 >= cells;
        const uint32_t across = all ? cells : 2 * reach + 1;
        const uint32_t first_x = all ? 0 : (cell_1d(p.x) + cells - reach) % cells;
        const uint32_t first_y = all ? 0 : (cell_1d(p.y) + cells - reach) % cells;
        for (uint32_t j = 0; j < across; ++j) {
            const uint32_t row = ((first_y + j) % cells) * cells;
            // Cells of one row follow each other, but for the border of the box.
            const uint32_t end = first_x + across, cut = end < cells ? end : cells;
            for (uint32_t rank = starts[row + first_x]; rank < starts[row + cut]; ++rank) visit(rank);
            if (end > cells)
                for (uint32_t rank = starts[row]; rank < starts[row + end - cells]; ++rank) visit(rank);
        }
    }
};

class PlaceGrid {
  public:
    /// Sorts `positions` (n, in [0, side), where the context computes) into cells not smaller than `least_width`, world
    /// units, and no more than about one a particle.
    void build(Context& context, const TorusBox& box, View<const Point> positions, double least_width);
    PlaceGridView view() const;

  private:
    TorusBox box_;
    uint32_t cells_ = 1, count_ = 0;
    double cells_per_unit_ = 1;
    Buffer<uint64_t> keys_{"cell keys"};
    Buffer<uint32_t> ids_{"ids by cell"}, starts_{"cell starts"};
    Buffer<Point> positions_{"positions by cell"};
};

}  // namespace flipscope
