// The exact colouring as CPU threads like it: one thread takes a tile, lists the centres that can be nearest somewhere
// in it, and quarters the tile while the list gets shorter; what has one centre left is filled.
#include "voronoi/tile_painter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "voronoi/colouring_tiles.h"

namespace flipscope {

namespace {

// What every x86-64 has registers for; with the very operations of Lattice::squared_distance.
using TwoDoubles = double __attribute__((vector_size(16)));
using TwoMasks = int64_t __attribute__((vector_size(16)));
using FourLabels = uint32_t __attribute__((vector_size(16)));

TwoDoubles both(Point p) { return TwoDoubles{p.x, p.y}; }

/// Lattice::shortest() for both axes; the period of an open lattice is infinite.
TwoDoubles turned(TwoDoubles d, TwoDoubles period) {
    const TwoDoubles less = reinterpret_cast<TwoDoubles>((d + d > period) & reinterpret_cast<TwoMasks>(period));
    const TwoDoubles more = reinterpret_cast<TwoDoubles>((d + d < -period) & reinterpret_cast<TwoMasks>(period));
    return d - less + more;
}

/// Rival::excludes() of a point, both axes at once.
struct QuickRival {
    TwoDoubles period, low, high, low_squared, high_squared;
    double slack;

    QuickRival(TwoDoubles lattice_period, const Tile& tile, TwoDoubles place, double known_slack)
        : period(lattice_period),
          low{double(tile.left), double(tile.bottom)},
          high{double(tile.right), double(tile.top)},
          slack(known_slack) {
        const TwoDoubles middle = both(tile.middle()), at = middle + turned(place - middle, period);
        low_squared = (at - low) * (at - low);
        high_squared = (at - high) * (at - high);
    }
    bool excludes(TwoDoubles p) const {
        const TwoDoubles from_low = turned(p - low, period), from_high = turned(p - high, period);
        const TwoDoubles one = from_low * from_low - low_squared, other = from_high * from_high - high_squared;
        const TwoDoubles lead = one < other ? one : other;
        return lead[0] + lead[1] > slack;
    }
};

class TilePainter {
  public:
    TilePainter(const BinsView& bins, View<const uint8_t> obstacles, View<uint32_t> out)
        : bins_(bins), lattice_(bins.lattice), obstacles_(obstacles), out_(out) {
        constexpr double endless = std::numeric_limits<double>::infinity();
        period_ = TwoDoubles{endless, endless};
        if (lattice_.periodic) period_ = TwoDoubles{double(lattice_.width), double(lattice_.height)};
    }

    void paint(const Tile& tile) const {
        Nearest nearest;
        bins_.find_nearest(tile.middle(), nearest);
        if (nearest.label == kNone) return paint_each(tile);
        const Point at = bins_.centres[nearest.label];
        Collector collector(bins_, Rival(lattice_, tile, at, nearest.squared), period_, tile, at);
        collector.list.add(both(at), nearest.label);
        bins_.visit_near(tile.middle(), collector.rival.reach(), collector);
        if (collector.overflowed) {
            // Small parts would have long lists as well, each for a few sites only.
            if (longer_side(tile) < kLeaf / 2) return paint_each(tile);
            return for_quarters(tile, [&](const Tile& quarter) { paint(quarter); });
        }
        collector.list.sort();
        paint(tile, collector.list, collector.rival.slack());
    }

  private:
    static constexpr uint32_t kMost = 48;  // centres of a list
    static constexpr uint32_t kLeaf = 8;   // sites in a row of a tile that is not divided further,
    static constexpr uint32_t kFew = 6;    // unless its list is longer than this

    struct List {
        uint32_t size;
        TwoDoubles at[kMost];  // left as they are: lists are made by the thousand
        uint32_t labels[kMost];

        List() : size(0) {}
        void add(TwoDoubles p, uint32_t label) {
            at[size] = p;
            labels[size++] = label;
        }
        uint32_t find(Point p) const {
            uint32_t k = 0;
            while (k < size && !(at[k][0] == p.x && at[k][1] == p.y)) ++k;
            return k;
        }
        /// By label: so that the first of equals is the one.
        void sort() {
            for (uint32_t i = 1; i < size; ++i)
                for (uint32_t k = i; k > 0 && labels[k] < labels[k - 1]; --k) {
                    std::swap(labels[k], labels[k - 1]);
                    std::swap(at[k], at[k - 1]);
                }
        }
    };

    struct Collector {
        const BinsView& bins;
        Rival rival;
        QuickRival quick;
        List list;
        bool overflowed = false;

        Collector(const BinsView& view, const Rival& known, TwoDoubles period, const Tile& tile, Point place)
            : bins(view), rival(known), quick(period, tile, both(place), known.slack()) {}
        bool full() const { return overflowed; }
        void visit(uint32_t slot) {
            const Point p = bins.points[slot];
            if (quick.excludes(both(p)) || overflowed) return;
            const uint32_t label = bins.labels[slot], k = list.find(p);
            if (k < list.size)  // the lowest label stands for all that coincide
                list.labels[k] = std::min(list.labels[k], label);
            else if (list.size < kMost)
                list.add(both(p), label);
            else
                overflowed = true;
        }
        bool skips(const CentreNode& node) const {
            if (rival.excludes(node.low, node.high)) return true;
            if (!(node.low == node.high)) return false;
            const uint32_t k = list.find(node.low);
            return k < list.size && list.labels[k] <= node.lowest_label;
        }
    };

    /// From the first site to the last.
    static uint32_t longer_side(const Tile& tile) { return std::max(tile.right - tile.left, tile.top - tile.bottom); }

    template <class Take>
    static void for_quarters(const Tile& tile, const Take& take) {
        const uint32_t x = tile.left + (tile.right - tile.left) / 2, y = tile.bottom + (tile.top - tile.bottom) / 2;
        take(Tile{tile.left, tile.bottom, x, y});
        if (x < tile.right) take(Tile{x + 1, tile.bottom, tile.right, y});
        if (y < tile.top) take(Tile{tile.left, y + 1, x, tile.top});
        if (x < tile.right && y < tile.top) take(Tile{x + 1, y + 1, tile.right, tile.top});
    }

    /// `slack`: of the rival of the first tile, whose reach was the farthest.
    void paint(const Tile& tile, const List& list, double slack) const {
        if (list.size == 1) return fill(tile, list.labels[0]);
        const uint32_t longer = longer_side(tile);
        if (longer < kLeaf / 2) return compare<kLeaf / 8>(tile, list);
        if (longer < kLeaf && list.size <= kFew) return compare<kLeaf / 4>(tile, list);
        for_quarters(tile, [&](const Tile& quarter) {
            const TwoDoubles middle = both(quarter.middle());
            uint32_t nearest = 0;
            double least = std::numeric_limits<double>::infinity();
            for (uint32_t k = 0; k < list.size; ++k) {
                const TwoDoubles d = turned(list.at[k] - middle, period_), squares = d * d;
                const double squared = squares[0] + squares[1];
                nearest = squared < least ? k : nearest;
                least = std::min(least, squared);
            }
            const QuickRival rival(period_, quarter, list.at[nearest], slack);
            List shorter;
            for (uint32_t k = 0; k < list.size; ++k) {
                shorter.at[shorter.size] = list.at[k];
                shorter.labels[shorter.size] = list.labels[k];
                shorter.size += !rival.excludes(list.at[k]);
            }
            paint(quarter, shorter, slack);
        });
    }

    /// All sites of a small tile with all centres of the list, whose labels ascend.
    template <uint32_t kFours>
    void compare(const Tile& tile, const List& list) const {
        TwoDoubles across[kMost][2 * kFours];  // squared, along x
        const double width = lattice_.width, height = lattice_.height;
        for (uint32_t k = 0; k < list.size; ++k)
            for (uint32_t i = 0; i < 2 * kFours; ++i) {
                const uint32_t x = tile.left + 2 * i;
                const TwoDoubles d{off(x, list.at[k][0], width), off(x + 1, list.at[k][0], width)};
                across[k][i] = d * d;
            }
        const uint32_t bytes = (tile.right - tile.left + 1) * sizeof(uint32_t);
        for (uint32_t y = tile.bottom; y <= tile.top; ++y) {
            TwoDoubles least[2 * kFours];
            FourLabels labels[kFours];
            for (TwoDoubles& two : least) two = TwoDoubles{} + Nearest{}.squared;
            for (FourLabels& four : labels) four = FourLabels{} + kNone;
            for (uint32_t k = 0; k < list.size; ++k) {
                const double d = off(y, list.at[k][1], height);
                const double up = d * d;
                for (uint32_t i = 0; i < kFours; ++i) {
                    const FourLabels nearer = __builtin_shufflevector(
                        reinterpret_cast<FourLabels>(improve(least[2 * i], across[k][2 * i] + up)),
                        reinterpret_cast<FourLabels>(improve(least[2 * i + 1], across[k][2 * i + 1] + up)), 0, 2, 4, 6);
                    labels[i] = (nearer & list.labels[k]) | (~nearer & labels[i]);
                }
            }
            uint32_t* const row = out_.data + lattice_.site(tile.left, y);
            if (bytes == sizeof(labels))
                std::memcpy(row, labels, sizeof(labels));
            else
                std::memcpy(row, labels, bytes);
        }
        stamp_obstacles(tile);
    }
    static TwoMasks improve(TwoDoubles& least, TwoDoubles squared) {
        const TwoMasks nearer = squared < least;
        least = nearer ? squared : least;
        return nearer;
    }
    double off(uint32_t site, double p, double period) const {
        return lattice_.periodic ? Lattice::shortest(site, p, period) : p - site;
    }

    void fill(const Tile& tile, uint32_t label) const {
        for (uint32_t y = tile.bottom; y <= tile.top; ++y)
            std::fill_n(out_.data + lattice_.site(tile.left, y), tile.right - tile.left + 1, label);
        stamp_obstacles(tile);
    }

    void paint_each(const Tile& tile) const {
        for (uint32_t y = tile.bottom; y <= tile.top; ++y)
            for (uint32_t x = tile.left; x <= tile.right; ++x) {
                Nearest nearest;
                bins_.find_nearest({double(x), double(y)}, nearest);
                out_[lattice_.site(x, y)] = nearest.label;
            }
        stamp_obstacles(tile);
    }

    void stamp_obstacles(const Tile& tile) const {
        if (!obstacles_) return;
        for (uint32_t y = tile.bottom; y <= tile.top; ++y)
            for (uint32_t site = lattice_.site(tile.left, y); site <= lattice_.site(tile.right, y); ++site)
                if (obstacles_[site]) out_[site] = kMaxLink;
    }

    const BinsView& bins_;
    Lattice lattice_;
    View<const uint8_t> obstacles_;
    View<uint32_t> out_;
    TwoDoubles period_;
};

/// Tiles of a few centres each, so that lists are short and few.
uint32_t side_of_tiles(const Lattice& lattice, uint32_t centres) {
    const double sites_per_centre = double(lattice.width) * lattice.height / std::max(1u, centres);
    return std::bit_floor(static_cast<uint32_t>(std::clamp(2 * std::sqrt(sites_per_centre), 4.0, 64.0)));
}

struct PaintTask {
    static constexpr uint32_t kSites = 1u << 14;  // of a task, about
    BinsView bins;
    View<const uint8_t> obstacles;
    View<uint32_t> out;
    uint32_t side, columns, tiles, tiles_a_task;

    PaintTask(const BinsView& view, View<const uint8_t> obstacle_sites, View<uint32_t> colours)
        : bins(view), obstacles(obstacle_sites), out(colours), side(side_of_tiles(view.lattice, view.count())) {
        const Lattice& lattice = bins.lattice;
        columns = (lattice.width + side - 1) / side;
        tiles = columns * ((lattice.height + side - 1) / side);
        tiles_a_task = std::max(1u, kSites / (side * std::min(side, lattice.height)));
    }
    uint32_t tasks() const { return (tiles + tiles_a_task - 1) / tiles_a_task; }

    static void run(const void* task, uint32_t chunk) {
        const PaintTask& self = *static_cast<const PaintTask*>(task);
        const Lattice& lattice = self.bins.lattice;
        const TilePainter painter(self.bins, self.obstacles, self.out);
        const uint32_t end = std::min(self.tiles, (chunk + 1) * self.tiles_a_task);
        for (uint32_t i = chunk * self.tiles_a_task; i < end; ++i) {
            const uint32_t left = i % self.columns * self.side, bottom = i / self.columns * self.side;
            painter.paint({left, bottom, std::min(left + self.side, lattice.width) - 1,
                           std::min(bottom + self.side, lattice.height) - 1});
        }
    }
};

}  // namespace

void paint_tiles(Context& context, const char* label, const BinsView& bins, View<const uint8_t> obstacles,
                 View<uint32_t> out) {
    Context::Stopwatch stopwatch(context, label, bins.lattice.site_count());
    const PaintTask task(bins, obstacles, out);
    context.run_chunks(task.tasks(), &PaintTask::run, &task);
}

}  // namespace flipscope
