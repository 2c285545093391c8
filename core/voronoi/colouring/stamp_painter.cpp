// Every site is compared with the pixels of a rectangle around it, its stamp, and each pixel keeps the nearest and
// second nearest. Distances are integers whose last bits identify the site. A site that leads by more than all rounding
// errors, and is nearer than the reach of stamps, is nearest; the few remaining pixels are searched exactly. Stamps
// shrink with the cells, so the cost per pixel does not depend on the number of sites.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "voronoi/colouring/lanes.h"
#include "voronoi/colouring/tile_painter.h"

namespace flipscope {

namespace {

/// Constants for all sites.
struct Stamp {
    static constexpr uint32_t kPlaceBits = 13, kMostSites = 1u << kPlaceBits;  // around a tile
    static constexpr uint32_t kTileWidth = 64, kMostTileHeight = 32;           // pixels
    // Keys are compared as floats, which every x86-64 does in one instruction: so their bits must be those of normal
    // floats.
    static constexpr uint32_t kNear = 0x00800000, kNoSite = 0x7F000000;
    static constexpr double kUnits = (kNoSite - kNear) >> kPlaceBits;
    static constexpr double kReach = 2;  // squared, in cells: one pixel in 500 has no site in the circle of this radius
    static constexpr double kCoordinateLoss = 1.0 / 65536;  // of single precision within 256 of a tile, with a margin

    uint32_t columns, rows;  // pixels per stamp
    float half_width, half_height;
    uint32_t tile_height;  // pixels
    float scale;           // units of a key for a squared lattice unit
    double loss;           // error of a key, in units
    int32_t margin;        // keys that differ by no more count as equal
    int32_t limit;         // a key below belongs to a site nearer than all sites not compared

    Stamp(const Lattice& lattice, uint32_t sites, uint32_t lanes) {
        const double cell = pixels_a_cell(lattice, sites), side = 2 * std::sqrt(kReach * cell);
        rows = std::max(2u, static_cast<uint32_t>(side + 0.5));
        columns = static_cast<uint32_t>(side + lanes - 0.5) / lanes * lanes;
        if (columns == lanes) rows = std::max(4u, (rows + 1) / 2 * 2);  // as required by press_small()
        half_width = 0.5f * static_cast<float>(columns);
        half_height = 0.5f * static_cast<float>(rows);
        tile_height = kMostTileHeight;
        while (tile_height > 4 && 1.5 * (kTileWidth + columns) * (tile_height + rows) > kMostSites * cell)
            tile_height /= 2;
        // In a key, each square is truncated to an integer; before that, both coordinates and two products were
        // rounded.
        const double farthest = 1.01 * (half_width * half_width + half_height * half_height);
        scale = static_cast<float>(kUnits / (farthest + 1));
        loss = 2 + (2 * (half_width + half_height) * kCoordinateLoss + farthest / 1048576) * scale;
        const double reach = std::min(half_width, half_height) - 2 * kCoordinateLoss;
        margin = static_cast<int32_t>(static_cast<uint32_t>(2 * loss + 1) << kPlaceBits);
        limit = static_cast<int32_t>(kNear + (static_cast<uint32_t>(reach * reach * scale - loss) << kPlaceBits));
    }
    static double pixels_a_cell(const Lattice& lattice, uint32_t sites) {
        return double(lattice.width) * lattice.height / std::max(1u, sites);
    }
};

/// For one thread. Members are inline, so that a function compiled for AVX2 compiles them for it as well.
template <uint32_t kLanes>
class StampPainter {
  public:
    static bool serves(const BinsView& bins) {
        const Lattice& lattice = bins.lattice;
        const double cell = Stamp::pixels_a_cell(lattice, bins.count());
        if (bins.tree.levels > 0 || cell < kSmallest || cell > kLargest) return false;
        const Stamp stamp(lattice, bins.count(), kLanes);
        return (!lattice.periodic.x || stamp.columns <= lattice.width) &&
               (!lattice.periodic.y || stamp.rows <= lattice.height);
    }

    StampPainter(const BinsView& bins, View<uint32_t> out)
        : bins_(bins), lattice_(bins.lattice), out_(out), stamp_(lattice_, bins.count(), kLanes) {
        for (uint32_t k = 0; k < kLanes; ++k) lane_[k] = static_cast<float>(k);
        for (auto* const keys : {&best_, &next_})
            std::fill_n(&(*keys)[0][0], sizeof(*keys) / sizeof(uint32_t), Stamp::kNoSite);
    }

    void paint_rows(uint32_t first, uint32_t end) {
        for (bottom_ = first; bottom_ < end; bottom_ += stamp_.tile_height)
            for (left_ = 0; left_ < lattice_.width; left_ += Stamp::kTileWidth) {
                width_ = std::min(Stamp::kTileWidth, lattice_.width - left_);
                height_ = std::min(stamp_.tile_height, end - bottom_);
                paint();
            }
    }

  private:
    using Floats = typename Lanes<kLanes>::Floats;
    using Words = typename Lanes<kLanes>::Words;
    using Ints = typename Lanes<kLanes>::Ints;

    static constexpr double kSmallest = 0.15, kLargest = kLanes == 8 ? 300 : 80;  // pixels per cell
    static constexpr int32_t kMargin = 64;      // columns beside a tile that stamps may touch
    static constexpr int32_t kMarginRows = 10;  // and rows, if a stamp is narrow
    static constexpr uint32_t kMostVectors = kMargin / kLanes, kPitch = Stamp::kTileWidth + 2 * kMargin;

    void paint() {
        clear();
        sites_ = 0;
        const int turns_x = lattice_.periodic.x ? 1 : 0, turns_y = lattice_.periodic.y ? 1 : 0;
        for (int y = -turns_y; y <= turns_y; ++y)
            for (int x = -turns_x; x <= turns_x; ++x)
                list_sites({left_ - x * double(lattice_.width), bottom_ - y * double(lattice_.height)});
        if (sites_ > Stamp::kMostSites) {
            for (uint32_t y = 0; y < height_; ++y)
                for (uint32_t x = 0; x < width_; ++x) search(x, y);
            return;
        }
        const uint32_t vectors = stamp_.columns / kLanes;
        if (vectors > 1)
            press_all<0>();
        else if (stamp_.rows <= 4)
            press_all<4>();
        else if (stamp_.rows <= 6)
            press_all<6>();
        else
            press_all<8>();
        for (uint32_t y = 0; y < height_; ++y) write(y);
    }

    uint32_t* best(int32_t x, int32_t y) { return best_[y + kMarginRows] + (x + kMargin); }
    uint32_t* next(int32_t x, int32_t y) { return next_[y + kMarginRows] + (x + kMargin); }

    void clear() {
        const Words no_site = Words{} + Stamp::kNoSite;
        for (uint32_t y = 0; y < height_; ++y) {
            for (uint32_t x = 0; x < Stamp::kTileWidth; x += kLanes) {
                std::memcpy(best(x, y), &no_site, sizeof no_site);
                std::memcpy(next(x, y), &no_site, sizeof no_site);
            }
            for (uint32_t x = 0; x < width_; x += 16)  // written soon
                __builtin_prefetch(&out_[lattice_.pixel(left_ + x, bottom_ + y)], 1);
        }
    }

    /// Lists the sites whose stamps meet the tile with its first pixel at `origin`, including images one period away.
    void list_sites(Point origin) {
        const BinGrid& grid = *bins_.grid;
        const float low_x = -stamp_.half_width, high_x = static_cast<float>(width_) + stamp_.half_width;
        const float low_y = -stamp_.half_height, high_y = static_cast<float>(height_) + stamp_.half_height;
        if (origin.x + high_x < 0 || origin.x + low_x > lattice_.width || origin.y + high_y < 0 ||
            origin.y + low_y > lattice_.height)
            return;
        const uint32_t first = grid.column(origin.x + low_x), last = grid.column(origin.x + high_x);
        const uint32_t top = grid.row(origin.y + high_y);
        const uint32_t bottom = grid.row(origin.y + low_y);
        for (uint32_t row = bottom; row <= top; ++row) {
            const uint32_t* const starts = &bins_.starts[row * grid.columns];
            if (row < top) look_ahead(starts[grid.columns + first], starts[grid.columns + last + 1]);
            if (row == bottom || row == top || last - first < 2) {
                list_if_met(origin, starts[first], starts[last + 1]);
                continue;
            }
            list_if_met(origin, starts[first], starts[first + 1]);
            const uint32_t end = starts[last];
            for (uint32_t slot = starts[first + 1]; slot < end; ++slot)
                list(both(bins_.points[slot]) - both(origin), bins_.labels[slot]);
            list_if_met(origin, starts[last], starts[last + 1]);
        }
    }
    /// For bins partly outside the tile's range, or on a border, where they have no outer bound.
    void list_if_met(Point origin, uint32_t first, uint32_t end) {
        for (uint32_t slot = first; slot < end; ++slot) {
            const Point p = bins_.points[slot];
            const double x = p.x - origin.x, y = p.y - origin.y;
            if (x > -stamp_.half_width && x < width_ + stamp_.half_width && y > -stamp_.half_height &&
                y < height_ + stamp_.half_height)
                list(TwoDoubles{x, y}, bins_.labels[slot]);
        }
    }
    void list(TwoDoubles off, uint32_t label) {
        const uint32_t place = std::min(sites_++, Stamp::kMostSites);
        x_[place] = static_cast<float>(off[0]);
        y_[place] = static_cast<float>(off[1]);
        labels_[place] = label;
    }
    void look_ahead(uint32_t first, uint32_t end) const {
        for (uint32_t slot = first; slot < end; slot += 4) __builtin_prefetch(&bins_.points[slot]);
        for (uint32_t slot = first; slot < end; slot += 16) __builtin_prefetch(&bins_.labels[slot]);
    }

    /// Neighbours in the list overlap, so they alternate with distant ones, which lets a core process several at once.
    template <uint32_t kRows>
    void press_all() {
        const uint32_t part = (sites_ + 3) / 4;
        for (uint32_t i = 0; i < part; ++i)
            for (uint32_t k = i; k < sites_; k += part)
                if (kRows > 0)
                    press_small<kRows>(k);
                else
                    press(k);
    }
    int32_t first_within(float at, float half) const {
        constexpr int32_t kPositive = 64;  // conversions truncate towards 0
        return static_cast<int32_t>(at + (kPositive - half)) + 1 - kPositive;
    }
    /// Squared distances of the pixels from `first` on, as keys.
    void square(float first, float at, Words& keys) const {
        const Floats d = lane_ + (first - at);
        keys = reinterpret_cast<Words>(__builtin_convertvector(d * d * stamp_.scale, Ints)) << Stamp::kPlaceBits;
    }

    /// For stamps as wide as a vector; writes to the margins.
    template <uint32_t kRows>
    void press_small(uint32_t k) {
        const int32_t left = first_within(x_[k], stamp_.half_width), low = first_within(y_[k], 0.5f * kRows);
        Words across;
        square(static_cast<float>(left), x_[k], across);
        across += Stamp::kNear | k;
        uint32_t up[(kRows + kLanes - 1) / kLanes * kLanes];
        for (uint32_t row = 0; row < kRows; row += kLanes) {
            Words rows;
            square(static_cast<float>(low + static_cast<int32_t>(row)), y_[k], rows);
            std::memcpy(&up[row], &rows, sizeof rows);
        }
        uint32_t *const nearest = best(left, low), *const second = next(left, low);
        for (uint32_t row = 0; row < kRows; ++row)
            compare(nearest + row * kPitch, second + row * kPitch, across, up[row]);
    }
    /// For any stamp, clipped to the tile.
    void press(uint32_t k) {
        const int32_t vectors = static_cast<int32_t>(stamp_.columns / kLanes), lanes = kLanes;
        const int32_t left = first_within(x_[k], stamp_.half_width), low = first_within(y_[k], stamp_.half_height);
        const int32_t first = std::max(low, 0);
        const int32_t rows = std::min(low + static_cast<int32_t>(stamp_.rows), static_cast<int32_t>(height_)) - first;
        const int32_t from = left < 0 ? -left / lanes : 0;
        const int32_t to = std::min(vectors, (static_cast<int32_t>(width_) - left + lanes - 1) / lanes);
        Words across[kMostVectors];
        for (int32_t i = from; i < to; ++i) {
            square(static_cast<float>(left + i * lanes), x_[k], across[i]);
            across[i] += Stamp::kNear | k;
        }
        uint32_t up[kMostVectors * kLanes];
        for (int32_t row = 0; row < rows; row += lanes) {
            Words some;
            square(static_cast<float>(first + row), y_[k], some);
            std::memcpy(&up[row], &some, sizeof some);
        }
        uint32_t *nearest = best(left + from * lanes, first), *second = next(left + from * lanes, first);
        int32_t i = from;
        for (; to - i >= 4; i += 4, nearest += 4 * lanes, second += 4 * lanes)
            press_rows<4>(nearest, second, across + i, up, rows);
        if (to - i == 3)
            press_rows<3>(nearest, second, across + i, up, rows);
        else if (to - i == 2)
            press_rows<2>(nearest, second, across + i, up, rows);
        else if (to - i == 1)
            press_rows<1>(nearest, second, across + i, up, rows);
    }
    template <uint32_t kVectors>
    static void press_rows(uint32_t* nearest, uint32_t* second, const Words* across, const uint32_t* up, int32_t rows) {
        Words mine[kVectors];
        for (uint32_t i = 0; i < kVectors; ++i) mine[i] = across[i];
        for (int32_t row = 0; row < rows; ++row, nearest += kPitch, second += kPitch)
            for (uint32_t i = 0; i < kVectors; ++i)
                compare(nearest + i * kLanes, second + i * kLanes, mine[i], up[row]);
    }
    static void compare(uint32_t* nearest_keys, uint32_t* second_keys, const Words& across, uint32_t up) {
        const Floats key = reinterpret_cast<Floats>(across + up);
        Floats nearest, second;
        std::memcpy(&nearest, nearest_keys, sizeof nearest);
        std::memcpy(&second, second_keys, sizeof second);
        const Floats worse = nearest > key ? nearest : key;
        second = second < worse ? second : worse;
        nearest = nearest < key ? nearest : key;
        std::memcpy(nearest_keys, &nearest, sizeof nearest);
        std::memcpy(second_keys, &second, sizeof second);
    }

    void write(uint32_t y) {
        uint32_t* const out = &out_[lattice_.pixel(left_, bottom_ + y)];
        for (uint32_t x = 0; x < width_; x += kLanes) {
            Ints nearest, second;
            std::memcpy(&nearest, best(x, y), sizeof nearest);
            std::memcpy(&second, next(x, y), sizeof second);
            const Words doubtful = reinterpret_cast<Words>(second - nearest <= stamp_.margin) |
                                   reinterpret_cast<Words>(nearest >= stamp_.limit);
            uint64_t parts[sizeof doubtful / 8], any = 0;
            std::memcpy(parts, &doubtful, sizeof doubtful);
            for (const uint64_t part : parts) any |= part;
            if (any == 0 && x + kLanes <= width_) {
                for (uint32_t k = 0; k < kLanes; ++k) out[x + k] = labels_[nearest[k] & (Stamp::kMostSites - 1)];
                continue;
            }
            for (uint32_t k = 0; k < kLanes && x + k < width_; ++k)
                if (nearest[k] >= stamp_.limit)
                    search(x + k, y);
                else if (doubtful[k])
                    settle(x + k, y, static_cast<uint32_t>(nearest[k]));
                else
                    out[x + k] = labels_[nearest[k] & (Stamp::kMostSites - 1)];
        }
    }
    struct Judge {
        const BinsView& bins;
        Point pixel;
        ExactNearest nearest;
        void visit(uint32_t slot) { nearest.consider(bins.lattice, pixel, bins.points[slot], bins.labels[slot]); }
        bool full() const { return false; }
        bool skips(const SiteNode&) const { return false; }
    };
    /// Decides exactly between the sites within the distance of this key.
    void settle(uint32_t x, uint32_t y, uint32_t key) const {
        const double reach = std::sqrt((((key - Stamp::kNear) >> Stamp::kPlaceBits) + 1 + stamp_.loss) / stamp_.scale);
        Judge judge{bins_, {double(left_ + x), double(bottom_ + y)}, {}};
        bins_.visit_near(judge.pixel, reach, judge);
        out_[lattice_.pixel(left_ + x, bottom_ + y)] = judge.nearest.label;
    }
    void search(uint32_t x, uint32_t y) const {
        ExactNearest nearest;
        bins_.find_nearest({double(left_ + x), double(bottom_ + y)}, nearest);
        out_[lattice_.pixel(left_ + x, bottom_ + y)] = nearest.label;
    }

    const BinsView& bins_;
    Lattice lattice_;
    View<uint32_t> out_;
    Stamp stamp_;
    Floats lane_;
    uint32_t left_ = 0, bottom_ = 0, width_ = 0, height_ = 0;  // of the tile
    uint32_t sites_ = 0;  // around the tile; if there are too many they are only counted
    float x_[Stamp::kMostSites + 1], y_[Stamp::kMostSites + 1];  // relative to its first pixel
    uint32_t labels_[Stamp::kMostSites + 1];
    // Keys of the nearest and the second nearest site so far, with margins that are written but not used.
    uint32_t best_[Stamp::kMostTileHeight + 2 * kMarginRows][kPitch];
    uint32_t next_[Stamp::kMostTileHeight + 2 * kMarginRows][kPitch];
};

/// Rows of tiles, with about kPixels per task.
template <uint32_t kLanes>
struct PaintStamps {
    static constexpr uint32_t kPixels = 1u << 16;
    BinsView bins;
    View<const uint8_t> obstacles;
    View<uint32_t> out;
    uint32_t rows_a_task;

    PaintStamps(const BinsView& view, View<const uint8_t> obstacle_pixels, View<uint32_t> colours)
        : bins(view), obstacles(obstacle_pixels), out(colours) {
        const uint32_t height = Stamp(view.lattice, view.count(), kLanes).tile_height;
        rows_a_task = std::max(1u, kPixels / (height * view.lattice.width)) * height;
    }
    uint32_t tasks() const { return (bins.lattice.height + rows_a_task - 1) / rows_a_task; }

    void paint(uint32_t chunk) const {
        const Lattice& lattice = bins.lattice;
        const uint32_t first = chunk * rows_a_task, end = std::min(lattice.height, first + rows_a_task);
        StampPainter<kLanes>(bins, out).paint_rows(first, end);
        if (!obstacles) return;
        for (uint32_t pixel = lattice.pixel(0, first); pixel < lattice.pixel(0, end); ++pixel)
            if (obstacles[pixel]) out[pixel] = kMaxLink;
    }
};

#if defined(__x86_64__)
/// Compiled for AVX2 with everything it calls; not every x86-64 has it.
__attribute__((target("avx2"), flatten)) void paint_eight_at_a_time(const PaintStamps<8>& stamps, uint32_t chunk) {
    stamps.paint(chunk);
}
bool has_eight_lanes() { return __builtin_cpu_supports("avx2"); }
#else
void paint_eight_at_a_time(const PaintStamps<8>& stamps, uint32_t chunk) { stamps.paint(chunk); }
bool has_eight_lanes() { return false; }
#endif

}  // namespace

bool paint_stamps(Context& context, const BinsView& bins, View<const uint8_t> obstacles, View<uint32_t> out,
                  uint32_t most_lanes) {
    if (most_lanes >= 8 && has_eight_lanes() && StampPainter<8>::serves(bins)) {
        const PaintStamps<8> stamps(bins, obstacles, out);
        context.run_chunks(stamps.tasks(), [&](uint32_t chunk) { paint_eight_at_a_time(stamps, chunk); });
        return true;
    }
    if (!StampPainter<4>::serves(bins)) return false;
    const PaintStamps<4> stamps(bins, obstacles, out);
    context.run_chunks(stamps.tasks(), [&](uint32_t chunk) { stamps.paint(chunk); });
    return true;
}

}  // namespace flipscope
