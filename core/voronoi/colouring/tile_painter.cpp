// The exact colouring on CPU threads: one thread lists the sites that may be nearest somewhere in a tile, and quarters
// the tile while the list shrinks; a tile with one remaining site is filled.
#include "voronoi/colouring/tile_painter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "voronoi/colouring/colouring_tiles.h"
#include "voronoi/colouring/lanes.h"

namespace flipscope {

namespace {

/// Lattice::shortest() for both axes; an open axis has an infinite period.
template <bool kPeriodic>
TwoDoubles turned(TwoDoubles d, TwoDoubles period) {
    if (!kPeriodic) return d;
    const TwoDoubles less = reinterpret_cast<TwoDoubles>((d + d > period) & reinterpret_cast<TwoMasks>(period));
    const TwoDoubles more = reinterpret_cast<TwoDoubles>((d + d < -period) & reinterpret_cast<TwoMasks>(period));
    return d - less + more;
}

/// Rival::excludes() for a point, both axes at once.
template <bool kPeriodic>
struct QuickRival {
    TwoDoubles period, low, high, low_squared, high_squared;
    double slack;

    QuickRival(TwoDoubles lattice_period, const Tile& tile, TwoDoubles place, double known_slack)
        : period(lattice_period),
          low{double(tile.left), double(tile.bottom)},
          high{double(tile.right), double(tile.top)},
          slack(known_slack) {
        const TwoDoubles middle = both(tile.middle()), at = middle + turned<kPeriodic>(place - middle, period);
        low_squared = (at - low) * (at - low);
        high_squared = (at - high) * (at - high);
    }
    bool excludes(TwoDoubles p) const {
        const TwoDoubles from_low = turned<kPeriodic>(p - low, period), from_high = turned<kPeriodic>(p - high, period);
        const TwoDoubles one = from_low * from_low - low_squared, other = from_high * from_high - high_squared;
        const TwoDoubles lead = one < other ? one : other;
        return lead[0] + lead[1] > slack;
    }
};

using FourFloats = Lanes<4>::Floats;
using FourWords = Lanes<4>::Words;

constexpr uint32_t kNoSign = 0x7FFFFFFF;  // of a float's bits

template <bool kPeriodic>
class TilePainter {
  public:
    TilePainter(const BinsView& bins, View<const uint8_t> obstacles, View<uint32_t> out)
        : bins_(bins), lattice_(bins.lattice), obstacles_(obstacles), out_(out) {
        if (lattice_.periodic.x) period_[0] = lattice_.width;
        if (lattice_.periodic.y) period_[1] = lattice_.height;
    }

    void paint(const Tile& tile) const {
        if (bins_.tree.levels == 0 && bins_.count() / 2 > lattice_.pixel_count()) return paint_each(tile);
        Nearest nearest;
        bins_.find_nearest(tile.middle(), nearest);
        if (nearest.label == kNone) return paint_each(tile);
        const Point at = bins_.sites[nearest.label];
        Collector collector(bins_, Rival(lattice_, tile, at, nearest.squared), period_, tile, at);
        collector.list.add(both(at), nearest.label);
        bins_.visit_near(tile.middle(), collector.rival.reach(), collector);
        if (collector.overflowed) {
            // Small parts would also have long lists, for a few pixels each.
            if (longer_side(tile) < kLeaf / 2) return paint_each(tile);
            return for_quarters(tile, [&](const Tile& quarter) { paint(quarter); });
        }
        paint(tile, collector.list, collector.rival.slack());
    }

  private:
    static constexpr uint32_t kMost = 1024;  // sites of a list
    static constexpr uint32_t kLookBack = 8;
    static constexpr uint32_t kLeaf = 8;    // pixels in a row of a tile that is not divided further,
    static constexpr uint32_t kFew = 12;    // unless its list is longer than this,
    static constexpr uint32_t kMany = 64;   // or of a quarter of it
    static constexpr uint32_t kLong = 160;  // sites above which a search of the tree is faster

    struct List {
        uint32_t size;
        TwoDoubles at[kMost];  // not initialised: thousands of lists are made
        uint32_t labels[kMost];

        List() : size(0) {}
        void add(TwoDoubles p, uint32_t label) {
            at[size] = p;
            labels[size++] = label;
        }
        /// The index of p if it is the first or was added recently: coincident sites are close in the order.
        uint32_t find(Point p) const {
            if (size > 0 && at[0][0] == p.x && at[0][1] == p.y) return 0;
            const uint32_t oldest = size < kLookBack ? 0 : size - kLookBack;
            for (uint32_t k = size; k > oldest; --k)
                if (at[k - 1][0] == p.x && at[k - 1][1] == p.y) return k - 1;
            return size;
        }
    };

    struct Collector {
        const BinsView& bins;
        Rival rival;
        QuickRival<kPeriodic> quick;
        List list;
        bool overflowed = false;

        Collector(const BinsView& view, const Rival& known, TwoDoubles period, const Tile& tile, Point place)
            : bins(view), rival(known), quick(period, tile, both(place), known.slack()) {}
        bool full() const { return overflowed; }
        void visit(uint32_t slot) {
            const Point p = bins.points[slot];
            if (quick.excludes(both(p)) || overflowed) return;
            const uint32_t label = bins.labels[slot], k = list.find(p);
            if (k < list.size)  // the lowest label represents coincident sites
                list.labels[k] = std::min(list.labels[k], label);
            else if (list.size < kMost)
                list.add(both(p), label);
            else
                overflowed = true;
        }
        bool skips(const SiteNode& node) const {
            if (rival.excludes(node.low, node.high)) return true;
            if (!(node.low == node.high)) return false;
            const uint32_t k = list.find(node.low);
            return k < list.size && list.labels[k] <= node.lowest_label;
        }
    };

    /// From the first pixel to the last.
    static uint32_t longer_side(const Tile& tile) { return std::max(tile.right - tile.left, tile.top - tile.bottom); }

    template <class Take>
    static void for_quarters(const Tile& tile, const Take& take) {
        const uint32_t x = tile.left + (tile.right - tile.left) / 2, y = tile.bottom + (tile.top - tile.bottom) / 2;
        take(Tile{tile.left, tile.bottom, x, y});
        if (x < tile.right) take(Tile{x + 1, tile.bottom, tile.right, y});
        if (y < tile.top) take(Tile{tile.left, y + 1, x, tile.top});
        if (x < tile.right && y < tile.top) take(Tile{x + 1, y + 1, tile.right, tile.top});
    }

    /// `slack`: of the rival of the initial tile, whose reach was the farthest.
    void paint(const Tile& tile, const List& list, double slack) const {
        if (list.size == 1) return fill(tile, list.labels[0]);
        const uint32_t longer = longer_side(tile);
        if (longer < kLeaf && list.size <= kFew) return compare<kLeaf / 4, kLeaf>(tile, list, slack);
        if (longer < kLeaf / 2 && list.size <= kMany) return compare<kLeaf / 8, kLeaf / 2>(tile, list, slack);
        if (longer < kLeaf / 2 && (bins_.tree.levels == 0 || list.size > kLong)) return paint_each(tile);
        if (longer < kLeaf / 2) return decide_each(tile, list);
        for_quarters(tile, [&](const Tile& quarter) {
            const TwoDoubles middle = both(quarter.middle());
            uint32_t nearest = 0;
            double least = std::numeric_limits<double>::infinity();
            for (uint32_t k = 0; k < list.size; ++k) {
                const TwoDoubles d = turned<kPeriodic>(list.at[k] - middle, period_), squares = d * d;
                const double squared = squares[0] + squares[1];
                nearest = squared < least ? k : nearest;
                least = std::min(least, squared);
            }
            const QuickRival<kPeriodic> rival(period_, quarter, list.at[nearest], slack);
            List shorter;
            for (uint32_t k = 0; k < list.size; ++k) {
                shorter.at[shorter.size] = list.at[k];
                shorter.labels[shorter.size] = list.labels[k];
                shorter.size += !rival.excludes(list.at[k]);
            }
            paint(quarter, shorter, slack);
        });
    }

    /// Compares all pixels of a small tile with all sites of the list, four pixels at a time in single precision:
    /// squared distances minus that of the first site, which are small and linear in x and y.
    template <uint32_t kFours, uint32_t kRows>
    void compare(const Tile& tile, const List& list, double slack) const {
        constexpr double kMiddle = 0.5 * (kRows - 1);
        const TwoDoubles middle = {tile.left + kMiddle, tile.bottom + kMiddle}, reach = period_ * 0.5 - kRows;
        const TwoDoubles rival = turned<kPeriodic>(list.at[0] - middle, period_);
        bool one_image = turned_alike(rival, reach);
        FourFloats across[kMany][kFours];
        float up[kMany];
        double largest = 0;
        for (uint32_t k = 1; k < list.size; ++k) {
            const TwoDoubles off = turned<kPeriodic>(list.at[k] - middle, period_), slope = 2 * (rival - off);
            const TwoDoubles squares = off * off - rival * rival;
            const double constant = squares[0] + squares[1];
            one_image &= turned_alike(off, reach);
            largest = std::max(largest, magnitude(constant) + kRows * (magnitude(slope[0]) + magnitude(slope[1])));
            up[k] = static_cast<float>(slope[1]);
            for (uint32_t i = 0; i < kFours; ++i) {
                const float first = static_cast<float>(4 * i - kMiddle);
                across[k][i] =
                    static_cast<float>(constant) + static_cast<float>(slope[0]) * (FourFloats{0, 1, 2, 3} + first);
            }
        }
        if (!one_image || !(largest < kTooLarge)) return decide_each(tile, list);

        FourFloats closest = FourFloats{} + static_cast<float>(kTooLarge);
        const uint32_t bytes = (tile.right - tile.left + 1) * sizeof(uint32_t);
        for (uint32_t y = tile.bottom; y <= tile.top; ++y) {
            FourFloats best[kFours] = {};
            FourWords labels[kFours];
            for (FourWords& four : labels) four = FourWords{} + list.labels[0];
            const float row = static_cast<float>(y - tile.bottom - kMiddle);
            for (uint32_t k = 1; k < list.size; ++k)
                for (uint32_t i = 0; i < kFours; ++i) {
                    const FourFloats squared = across[k][i] + up[k] * row, behind = squared - best[i];
                    const FourWords nearer = reinterpret_cast<FourWords>(behind < 0);
                    const FourFloats gap = reinterpret_cast<FourFloats>(reinterpret_cast<FourWords>(behind) & kNoSign);
                    closest = gap < closest ? gap : closest;
                    best[i] = squared < best[i] ? squared : best[i];
                    labels[i] ^= nearer & (labels[i] ^ list.labels[k]);
                }
            uint32_t* const place = out_.data + lattice_.pixel(tile.left, y);
            if (bytes == sizeof(labels))
                std::memcpy(place, labels, sizeof(labels));
            else
                std::memcpy(place, labels, bytes);
        }
        const float least = std::min(std::min(closest[0], closest[1]), std::min(closest[2], closest[3]));
        if (least <= largest * kSingleRounding + 4 * slack) return decide_each(tile, list);
        stamp_obstacles(tile);
    }
    /// Whether all pixels of a small tile have the same nearest image of a site.
    static bool turned_alike(TwoDoubles off, TwoDoubles reach) {
        return magnitude(off[0]) < reach[0] && magnitude(off[1]) < reach[1];
    }
    uint32_t decide(Point pixel, const List& list) const {
        ExactNearest best;
        for (uint32_t k = 0; k < list.size; ++k)
            best.consider(lattice_, pixel, {list.at[k][0], list.at[k][1]}, list.labels[k]);
        return best.label;
    }
    void decide_each(const Tile& tile, const List& list) const {
        for (uint32_t y = tile.bottom; y <= tile.top; ++y)
            for (uint32_t x = tile.left; x <= tile.right; ++x)
                out_[lattice_.pixel(x, y)] = decide({double(x), double(y)}, list);
        stamp_obstacles(tile);
    }

    void fill(const Tile& tile, uint32_t label) const {
        for (uint32_t y = tile.bottom; y <= tile.top; ++y)
            std::fill_n(out_.data + lattice_.pixel(tile.left, y), tile.right - tile.left + 1, label);
        stamp_obstacles(tile);
    }

    /// One search per pixel, each starting from the result of its neighbour.
    void paint_each(const Tile& tile) const {
        uint32_t last = kNone;
        for (uint32_t y = tile.bottom; y <= tile.top; ++y)
            for (uint32_t x = tile.left; x <= tile.right; ++x) {
                const Point pixel{double(x), double(y)};
                ExactNearest nearest;
                if (last != kNone) nearest.consider(lattice_, pixel, bins_.sites[last], last);
                bins_.find_nearest(pixel, nearest);
                out_[lattice_.pixel(x, y)] = last = nearest.label;
            }
        stamp_obstacles(tile);
    }

    void stamp_obstacles(const Tile& tile) const {
        if (!obstacles_) return;
        for (uint32_t y = tile.bottom; y <= tile.top; ++y)
            for (uint32_t pixel = lattice_.pixel(tile.left, y); pixel <= lattice_.pixel(tile.right, y); ++pixel)
                if (obstacles_[pixel]) out_[pixel] = kMaxLink;
    }

    const BinsView& bins_;
    Lattice lattice_;
    View<const uint8_t> obstacles_;
    View<uint32_t> out_;
    TwoDoubles period_ = TwoDoubles{} + std::numeric_limits<double>::infinity();  // along open axes
};

/// Tiles of a few sites each keep lists short and few; larger ones if sites are clustered elsewhere.
uint32_t side_of_tiles(const BinsView& bins) {
    const double pixels_per_site = double(bins.lattice.width) * bins.lattice.height / std::max(1u, bins.count());
    const double cells = bins.tree.levels > 0 ? 8 : 2;
    return std::bit_floor(static_cast<uint32_t>(std::clamp(cells * std::sqrt(pixels_per_site), 4.0, 64.0)));
}

/// Tiles in the order of rows, with about kPixels per task.
template <bool kPeriodic>
struct PaintTiles {
    static constexpr uint32_t kPixels = 1u << 14;
    BinsView bins;
    View<const uint8_t> obstacles;
    View<uint32_t> out;
    uint32_t side, columns, tiles, tiles_a_task;

    PaintTiles(const BinsView& view, View<const uint8_t> obstacle_pixels, View<uint32_t> colours)
        : bins(view), obstacles(obstacle_pixels), out(colours), side(side_of_tiles(view)) {
        const Lattice& lattice = bins.lattice;
        columns = (lattice.width + side - 1) / side;
        tiles = columns * ((lattice.height + side - 1) / side);
        tiles_a_task = std::max(1u, kPixels / (side * std::min(side, lattice.height)));
    }
    uint32_t tasks() const { return (tiles + tiles_a_task - 1) / tiles_a_task; }

    void operator()(uint32_t chunk) const {
        const Lattice& lattice = bins.lattice;
        const TilePainter<kPeriodic> painter(bins, obstacles, out);
        const uint32_t end = std::min(tiles, (chunk + 1) * tiles_a_task);
        for (uint32_t i = chunk * tiles_a_task; i < end; ++i) {
            const uint32_t left = i % columns * side, bottom = i / columns * side;
            painter.paint(
                {left, bottom, std::min(left + side, lattice.width) - 1, std::min(bottom + side, lattice.height) - 1});
        }
    }
};

}  // namespace

void paint_tiles(Context& context, const char* label, const BinsView& bins, View<const uint8_t> obstacles,
                 View<uint32_t> out, uint32_t most_lanes) {
    Context::Stopwatch stopwatch(context, label, bins.lattice.pixel_count());
    if (paint_stamps(context, bins, obstacles, out, most_lanes)) return;
    const auto run = [&]<class Paint>() {
        const Paint paint(bins, obstacles, out);
        context.run_chunks(paint.tasks(), paint);
    };
    bins.lattice.periodic.any() ? run.template operator()<PaintTiles<true>>()
                                : run.template operator()<PaintTiles<false>>();
}

}  // namespace flipscope
