// The exact colouring on CPU threads where cells are small: sites of a strip are compared with all centres in the bins
// around it, as culling would cost more than it saves. For tile_painter.cpp alone.
#pragma once

#include <limits>

#include "voronoi/tile_candidates.h"

namespace flipscope {

class StripPainter {
  public:
    /// Whether the strips of this lattice fit such bins.
    static bool serves(const BinsView& bins) {
        const Lattice& lattice = bins.lattice;
        const double cell = double(lattice.width) * lattice.height / std::max(1u, bins.count());
        if (bins.tree.levels > 0 || lattice.width < kSites || cell < kSmallest || cell > kLargest) return false;
        // Around a torus each centre has to be among the candidates once, and on its short side.
        return !lattice.periodic || (2 * (kSites + 4 * bins.grid->width) < lattice.width &&
                                     2 * (kRows + 4 * bins.grid->height) < lattice.height);
    }

    StripPainter(const BinsView& bins, View<uint32_t> out) : bins_(bins), lattice_(bins.lattice), out_(out) {}

    void paint_rows(uint32_t first, uint32_t end) const {
        while (first < end) {
            const uint32_t row = bins_.grid->row(first);
            uint32_t next = first + 1;
            while (next < end && next - first < kRows && bins_.grid->row(next) == row) ++next;
            for (uint32_t x = 0; x < lattice_.width; x += kSites)
                paint(std::min(x, lattice_.width - kSites), first, next, static_cast<int32_t>(row));
            first = next;
        }
    }

  private:
    static constexpr uint32_t kFours = 2, kSites = 4 * kFours, kRows = 16;
    static constexpr double kSmallest = 0.5, kLargest = 60;  // sites a cell
    using Candidates = TileCandidates<kFours, kRows>;

    struct Gather {
        const BinsView& bins;
        Candidates& candidates;
        Point first, period;  // the first site; the size of the lattice
        bool overflowed = false;

        /// The bins of a row from column `left` to `right`, on a torus counted beyond it.
        void take_row(int32_t row, int32_t left, int32_t right) {
            const int32_t columns = bins.grid->columns, rows = bins.grid->rows;
            Point origin = first;
            if (row < 0 || row >= rows) {
                if (!bins.lattice.periodic) return;
                const int32_t turn = row < 0 ? 1 : -1;
                row += turn * rows;
                origin.y += turn * period.y;
            }
            if (bins.lattice.periodic) {
                if (left < 0) take({origin.x + period.x, origin.y}, row, left + columns, columns - 1);
                if (right >= columns) take({origin.x - period.x, origin.y}, row, 0, right - columns);
            }
            take(origin, row, std::max(left, 0), std::min(right, columns - 1));
        }
        void take(Point origin, int32_t row, int32_t left, int32_t right) {
            const uint32_t* const starts = &bins.starts[row * bins.grid->columns];
            const uint32_t end = starts[right + 1];
            for (uint32_t slot = starts[left]; slot < end; ++slot) {
                if (candidates.full()) {
                    overflowed = true;
                    return;
                }
                candidates.add(both(bins.points[slot]) - both(origin), bins.labels[slot]);
            }
        }
    };

    /// Sites left… of rows from first to end, which lie in the same row of bins.
    void paint(uint32_t left, uint32_t first, uint32_t end, int32_t row) const {
        Candidates candidates;
        const BinGrid& grid = *bins_.grid;
        const int32_t low = static_cast<int32_t>(grid.column(left)) - 1;
        const int32_t high = static_cast<int32_t>(grid.column(left + kSites - 1)) + 1;
        Gather gather{
            bins_, candidates, {double(left), double(first)}, {double(lattice_.width), double(lattice_.height)}};
        for (int32_t j = row - 1; j <= row + 1; ++j) gather.take_row(j, low, high);
        if (gather.overflowed) return paint_each(left, first, end);
        candidates.prepare();

        const double rounding = 2 * kRounding * (double(lattice_.width) + lattice_.height);
        const double beside = lesser(distance(left, low, grid.width, grid.columns),
                                     -distance(left + kSites - 1, high + 1, grid.width, grid.columns));
        for (uint32_t y = first; y < end; ++y) {
            const double safe = lesser(beside, lesser(distance(y, row - 1, grid.height, grid.rows),
                                                      -distance(y, row + 2, grid.height, grid.rows))) -
                                rounding;
            const float limit = safe > 0 ? Candidates::limit(safe * safe) : 0;
            const typename Candidates::Row found = candidates.compare(y - first);
            uint32_t* const place = out_.data + lattice_.site(left, y);
            for (uint32_t i = 0; i < kFours; ++i) {
                const FourWords labels = candidates.labels(found.best[i]);
                std::memcpy(place + 4 * i, &labels, sizeof(labels));
                if (!found.certain(i, limit)) settle(candidates, found, i, limit, left + 4 * i, y);
            }
        }
    }
    /// From the side of a bin to a site: endless where bins are.
    double distance(uint32_t site, int32_t side, double width, uint32_t bins) const {
        constexpr double endless = 1e30;
        if (!lattice_.periodic && side <= 0) return endless;
        if (!lattice_.periodic && side >= static_cast<int32_t>(bins)) return -endless;
        return site - side * width;
    }

    void settle(const Candidates& candidates, const typename Candidates::Row& row, uint32_t i, float limit,
                uint32_t left, uint32_t y) const {
        for (uint32_t k = 0; k < 4; ++k) {
            if (row.certain(i, k, limit)) continue;
            const Point site{double(left + k), double(y)};
            uint32_t& out = out_[lattice_.site(left + k, y)];
            if (row.best[i][k] < limit)
                out = candidates.nearest(bins_, site);
            else
                search(site, out);
        }
    }
    void search(Point site, uint32_t& out) const {
        Nearest nearest;
        bins_.find_nearest(site, nearest);
        out = nearest.label;
    }
    void paint_each(uint32_t left, uint32_t first, uint32_t end) const {
        for (uint32_t y = first; y < end; ++y)
            for (uint32_t x = left; x < left + kSites; ++x) search({double(x), double(y)}, out_[lattice_.site(x, y)]);
    }

    const BinsView& bins_;
    Lattice lattice_;
    View<uint32_t> out_;
};

}  // namespace flipscope
