// Sites sorted into bins, so that a search for the nearest site tests few of them: used by every colouring of the
// lattice, the neighbour rules and Lloyd's iteration. If sites are spread evenly, the bins are a grid with one or two
// sites each, made by counting; if they are clustered or leave voids, a tree of boxes over the sites in Morton order.
// Results depend neither on this choice nor on the order within a bin: (distance, label) decides, exactly or as rounded
// to doubles.
#pragma once

#include "compute/buffer.h"
#include "compute/launch.h"
#include "voronoi/colouring/site_boxes.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// The parameters that the device computes, because only it may know the number of sites.
struct BinGrid {
    uint32_t count = 0;  // sites
    uint32_t columns = 1, rows = 1;
    double width = 1, height = 1;  // of a bin, world units; bins at an open border have no outer bound
    double columns_per_unit = 1, rows_per_unit = 1;

    FLIPSCOPE_HD uint32_t column(double x) const { return place(x * columns_per_unit, columns); }
    FLIPSCOPE_HD uint32_t row(double y) const { return place(y * rows_per_unit, rows); }
    FLIPSCOPE_HD uint32_t bin(Point p) const { return row(p.y) * columns + column(p.x); }
    /// NaN goes to the first bin, where no distance to it is the least.
    FLIPSCOPE_HD static uint32_t place(double at, uint32_t n) {
        const double first = at > 0 ? at : 0, last = n - 1;
        return static_cast<uint32_t>(first < last ? first : last);
    }
};

/// Columns and rows of bins, inclusive; along a periodic axis they may exceed the border.
struct BinWindow {
    int32_t left, right, low, high;
};

struct BinsView {
    Lattice lattice;
    const BinGrid* grid = nullptr;  // a single one, on the device
    View<const Point> sites;        // (n) by label; wrapped along periodic axes
    View<const uint32_t> starts;    // (bins + 1) first slot of each bin, row by row
    View<const Point> points;       // (n) by slot
    View<const uint32_t> labels;    // (n) by slot
    SiteTree tree;                  // no levels: use the grid

    FLIPSCOPE_HD uint32_t count() const { return grid->count; }

    /// The label of the site exactly nearest to p, ties to the lowest label; kNone: no site. Wraps p along periodic
    /// axes.
    FLIPSCOPE_HD uint32_t nearest(Point p) const {
        ExactNearest best;
        find_nearest(lattice.wrapped(p), best);
        return best.label;
    }
    /// The same with the squared distance, rounded for a Nearest, exact for an ExactNearest; p must lie within the
    /// lattice along periodic axes.
    template <class Best>
    FLIPSCOPE_HD void find_nearest(Point p, Best& best) const {
        if (tree.levels > 0)
            search_tree(p, best);
        else
            search_rings(p, best);
    }

    /// Calls judge.visit(slot) once for every site within `reach` of p along both axes, and for some more.
    /// judge.skips(node) may exclude a box of sites; the search ends when judge.full().
    template <class Judge>
    FLIPSCOPE_HD void visit_near(Point p, double reach, Judge& judge) const {
        if (tree.levels > 0)
            visit_tree(judge);
        else
            visit_bins(p, reach, judge);
    }

    /// Whether no site outside the bin (x, y) of p and its neighbours can be nearer to p.
    template <class Best>
    FLIPSCOPE_HD bool settled(Point p, int32_t x, int32_t y, const Best& best) const {
        const double safe = safe_distance(p, x, y, 1);
        return safe > 0 && best.squared < safe * safe;
    }

    // The next two serve threads that share a search of the grid.

    /// The bins of all sites within `reach` of p along both axes.
    FLIPSCOPE_HD BinWindow window_around(Point p, double reach) const {
        const int32_t columns = grid->columns, rows = grid->rows;
        BinWindow window{bin_below((p.x - reach) * grid->columns_per_unit, columns),
                         bin_below((p.x + reach) * grid->columns_per_unit, columns),
                         bin_below((p.y - reach) * grid->rows_per_unit, rows),
                         bin_below((p.y + reach) * grid->rows_per_unit, rows)};
        if (!lattice.periodic.x) {
            window.left = window.left < columns ? window.left : columns - 1;
            window.right = window.right >= 0 ? window.right : 0;
        }
        if (!lattice.periodic.y) {
            window.low = window.low < 0 ? 0 : window.low >= rows ? rows - 1 : window.low;
            window.high = window.high < 0 ? 0 : window.high >= rows ? rows - 1 : window.high;
        } else if (window.high - window.low + 1 >= rows) {
            window.low = 0;
            window.high = rows - 1;
        }
        return window;
    }
    /// Visits bins from column `first` to `last` of one row, wrapped along periodic axes, clipped otherwise.
    template <class Take>
    FLIPSCOPE_HD void take_columns(int32_t row, int32_t first, int32_t last, Take&& take) const {
        const int32_t columns = grid->columns, rows = grid->rows;
        if (lattice.periodic.y) row = row < 0 ? row + rows : row >= rows ? row - rows : row;
        if (row < 0 || row >= rows) return;  // beyond an open border, or more than one period away
        if (lattice.periodic.x) {
            if (last - first + 1 >= columns) {
                first = 0;
                last = columns - 1;
            } else if (last < 0 || first >= columns) {
                const int32_t turn = last < 0 ? columns : -columns;
                first += turn;
                last += turn;
            } else if (first < 0 || last >= columns) {
                const int32_t left = first < 0 ? first + columns : first, right = first < 0 ? last : last - columns;
                take(starts[row * columns + left], starts[row * columns + columns]);
                take(starts[row * columns], starts[row * columns + right + 1]);
                return;
            }
        } else {
            first = first < 0 ? 0 : first;
            last = last >= columns ? columns - 1 : last;
            if (first > last) return;
        }
        take(starts[row * columns + first], starts[row * columns + last + 1]);
    }

  private:
    template <class Best>
    FLIPSCOPE_HD void consider(Point p, uint32_t first, uint32_t end, Best& best) const {
        for (uint32_t slot = first; slot < end; ++slot) best.consider(lattice, p, points[slot], labels[slot]);
    }

    template <class Best>
    struct Consider {
        const BinsView& bins;
        Point p;
        Best& best;
        FLIPSCOPE_HD void operator()(uint32_t first, uint32_t end) const { bins.consider(p, first, end, best); }
    };

    /// Ring by ring around the bin of p, until no site outside can be nearer.
    template <class Best>
    FLIPSCOPE_HD void search_rings(Point p, Best& best) const {
        const int32_t x = grid->column(p.x), y = grid->row(p.y);
        const int32_t columns = grid->columns, rows = grid->rows;
        const int32_t end = columns > rows ? columns : rows;
        const Consider<Best> take{*this, p, best};
        for (int32_t j = y - 1; j <= y + 1; ++j) take_columns(j, x - 1, x + 1, take);
        for (int32_t r = 1; r < end; ++r) {
            // A ring that wraps around has no new bins.
            if (r > 1 && (!lattice.periodic.y || 2 * r <= rows)) {
                take_columns(y - r, x - r, x + r, take);
                take_columns(y + r, x - r, x + r, take);
            }
            if (r > 1 && (!lattice.periodic.x || 2 * r <= columns))
                for (int32_t j = y - r + 1; j < y + r; ++j) {
                    take_columns(j, x - r, x - r, take);
                    take_columns(j, x + r, x + r, take);
                }
            const double safe = safe_distance(p, x, y, r);
            if (safe > 0 && best.squared < safe * safe) return;
        }
    }

    /// A lower bound for the computed distance from p to any site in a bin outside ring r around (x, y).
    FLIPSCOPE_HD double safe_distance(Point p, int32_t x, int32_t y, int32_t r) const {
        const int32_t columns = grid->columns, rows = grid->rows;
        double safe = kFarAway;
        if (lattice.periodic.x ? 2 * r + 1 < columns : x > r) safe = lesser(safe, p.x - double(x - r) * grid->width);
        if (lattice.periodic.x ? 2 * r + 1 < columns : x + r + 1 < columns)
            safe = lesser(safe, double(x + r + 1) * grid->width - p.x);
        if (lattice.periodic.y ? 2 * r + 1 < rows : y > r) safe = lesser(safe, p.y - double(y - r) * grid->height);
        if (lattice.periodic.y ? 2 * r + 1 < rows : y + r + 1 < rows)
            safe = lesser(safe, double(y + r + 1) * grid->height - p.y);
        return safe - kRounding * (magnitude(p.x) + magnitude(p.y) + lattice.width + lattice.height);
    }

    template <class Judge>
    FLIPSCOPE_HD void visit_bins(Point p, double reach, Judge& judge) const {
        const BinWindow window = window_around(p, reach);
        const auto take = VisitSlots<Judge>{judge};
        for (int32_t j = window.low; j <= window.high; ++j) take_columns(j, window.left, window.right, take);
    }
    template <class Judge>
    struct VisitSlots {
        Judge& judge;
        FLIPSCOPE_HD void operator()(uint32_t first, uint32_t end) const {
            for (uint32_t slot = first; slot < end; ++slot) judge.visit(slot);
        }
    };
    /// Rounded down; clamped to one lattice on either side.
    FLIPSCOPE_HD static int32_t bin_below(double at, int32_t n) {
        if (!(at > double(-n))) return -n;
        if (at >= double(2 * n)) return 2 * n - 1;
        const int32_t whole = static_cast<int32_t>(at);
        return double(whole) > at ? whole - 1 : whole;
    }

    template <class Best>
    FLIPSCOPE_HD void search_tree(Point p, Best& best) const {
        uint32_t stack[SiteTree::kStack];
        uint32_t held = 0;
        stack[held++] = tree.root();
        while (held > 0) {
            const uint32_t node = stack[--held];
            if (!tree[node].may_hold_better(lattice, p, best)) continue;
            const uint32_t level = SiteTree::level(node), first = SiteTree::index(node) * SiteTree::kFan;
            if (level == 0) {
                const uint32_t end = first + SiteTree::kFan < count() ? first + SiteTree::kFan : count();
                consider(p, first, end, best);
                continue;
            }
            // The nearest child last, so that it is visited first; of equally near ones, the one with the lowest label.
            Nearest gap[SiteTree::kFan];
            const uint32_t begin = held;
            for (uint32_t k = 0; k < SiteTree::kFan && first + k < tree.size(level - 1); ++k) {
                const uint32_t child = SiteTree::pack(level - 1, first + k);
                const Nearest mine{squared_gap(lattice, p, tree[child].low, tree[child].high),
                                   tree[child].lowest_label};
                uint32_t at = held++;
                for (; at > begin && gap[at - begin - 1].before(mine); --at) {
                    gap[at - begin] = gap[at - begin - 1];
                    stack[at] = stack[at - 1];
                }
                gap[at - begin] = mine;
                stack[at] = child;
            }
        }
    }

    template <class Judge>
    FLIPSCOPE_HD void visit_tree(Judge& judge) const {
        uint32_t stack[SiteTree::kStack];
        uint32_t held = 0;
        stack[held++] = tree.root();
        while (held > 0 && !judge.full()) {
            const uint32_t node = stack[--held];
            if (judge.skips(tree[node])) continue;
            const uint32_t level = SiteTree::level(node), first = SiteTree::index(node) * SiteTree::kFan;
            const uint32_t size = level == 0 ? count() : tree.size(level - 1);
            const uint32_t end = first + SiteTree::kFan < size ? first + SiteTree::kFan : size;
            if (level == 0)
                for (uint32_t k = first; k < end; ++k) judge.visit(k);
            else  // in the order of slots: coincident sites are adjacent, the lowest label first
                for (uint32_t k = end; k > first; --k) stack[held++] = SiteTree::pack(level - 1, k - 1);
        }
    }
};

/// A site before it has a slot.
struct BinnedSite {
    Point at;
    uint32_t label, bin;
};

/// The bins of a set of sites. Call build() whenever they change; memory is kept.
class SiteBins {
  public:
    /// `sites`: (count.bound) world units, of which the first count are binned; they may lie outside an open lattice,
    /// coincide and cluster. A site with NaN coordinates is nearest to nothing. If the host knows the count, or can
    /// read it without waiting, it chooses between grid and tree; on CUDA with a count on the device it uses the grid
    /// and does not wait.
    void build(Context&, const Lattice&, View<const Point> sites, Extent count);
    /// For subsequent launches; invalid after the next build().
    BinsView view() const;
    /// Of the last build(), on the device.
    Extent count() const;
    bool uses_tree() const { return tree_.levels > 0; }

    struct ShapeGrid;  // for bins.cu

  private:
    bool place_by_block(Context&, const ShapeGrid&, View<const Point> sites, bool tallied);
    void place_by_threads(Context&, const BinGrid&, View<const Point> sites);
    void count_into_bins(Context&, View<const Point> sites, Extent count, uint32_t bins);
    void build_tree(Context&, uint32_t count);
    void scan(Context&, uint32_t n);

    Lattice lattice_;
    uint32_t bound_ = 0;  // sites
    SiteTree tree_;
    Buffer<BinGrid> grid_{"bin grid"};
    Buffer<uint32_t> count_{"site count"};
    Buffer<uint64_t> block_sums_{"bin sums"};
    Buffer<Point> sites_{"sites by label"}, points_{"sites by bin"};
    Buffer<uint32_t> bins_{"bin of site"}, ranks_{"rank in bin"}, starts_{"bin starts"}, labels_{"labels by bin"};
    Buffer<BinnedSite> sorted_{"sites by band of bins"};
    Buffer<uint32_t> band_starts_{"band starts"};
    Buffer<uint64_t> keys_{"Morton keys"};
    Buffer<SiteNode> nodes_{"site boxes"};
};

}  // namespace flipscope
