// Particles sorted into the cells of a periodic box, for searches of all pairs within a distance: the pair correlation
// and the audit of overlaps. Independent of triangulations. Sorted by cell, row by row, then by id, so the order is the
// same on every device.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "geometry/torus_box.h"

namespace flipscope {

/// The view for kernels. A rank is an index in the order of cells.
struct PlaceGridView {
    TorusBox box;
    uint32_t columns = 1, rows = 1;
    Point per_unit{1, 1};         // columns and rows
    View<const uint32_t> starts;  // (columns · rows + 1): the first rank of every cell, and n
    View<const uint32_t> ids;     // (n) the particle at each rank
    View<const Point> positions;  // (n) by rank

    FLIPSCOPE_HD static uint32_t cell_1d(double v, double per_unit, uint32_t cells) {
        const auto cell = static_cast<uint32_t>(v * per_unit);
        return cell < cells ? cell : cells - 1;
    }
    FLIPSCOPE_HD uint32_t column(Point p) const { return cell_1d(p.x, per_unit.x, columns); }
    FLIPSCOPE_HD uint32_t row(Point p) const { return cell_1d(p.y, per_unit.y, rows); }
    /// Calls visit(rank) once for every rank of the cells within `reach` of the cell of p, including that cell.
    template <class Visit>
    FLIPSCOPE_HD void for_near(Point p, uint32_t reach, const Visit& visit) const {
        const bool all_columns = 2 * reach + 1 >= columns, all_rows = 2 * reach + 1 >= rows;
        const uint32_t first_column = all_columns ? 0 : (column(p) + columns - reach) % columns;
        const uint32_t first_row = all_rows ? 0 : (row(p) + rows - reach) % rows;
        const uint32_t end = first_column + (all_columns ? columns : 2 * reach + 1),
                       cut = end < columns ? end : columns;
        for (uint32_t j = 0; j < (all_rows ? rows : 2 * reach + 1); ++j) {
            const uint32_t first = ((first_row + j) % rows) * columns;
            // Cells of one row are contiguous, except across the border of the box.
            for (uint32_t rank = starts[first + first_column]; rank < starts[first + cut]; ++rank) visit(rank);
            if (end > columns)
                for (uint32_t rank = starts[first]; rank < starts[first + end - columns]; ++rank) visit(rank);
        }
    }
};

class PlaceGrid {
  public:
    /// Sorts `positions` (n, in the box, where the context computes) into cells of at least `least_width`, world units;
    /// about one cell per particle at most.
    void build(Context& context, const TorusBox& box, View<const Point> positions, double least_width);
    PlaceGridView view() const;

  private:
    PlaceGridView cells_;  // without the views of the buffers
    uint32_t count_ = 0;
    Buffer<uint64_t> keys_{"cell keys"};
    Buffer<uint32_t> ids_{"ids by cell"}, starts_{"cell starts"};
    Buffer<Point> positions_{"positions by cell"};
};

}  // namespace flipscope
