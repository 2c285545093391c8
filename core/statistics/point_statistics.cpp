#include "statistics/point_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "compute/primitives.h"
#include "geometry/cell_kernels.h"
#include "statistics/add_histograms.h"

namespace flipscope {

namespace {

constexpr uint64_t kMostPairs = 400'000'000;  // tested pairs: half a second on two CPU threads
constexpr uint64_t kMostInCircles = 100'000'000;
constexpr uint32_t kMostBins = 128;
constexpr uint32_t kHistograms = 128;  // with one alone, all threads would add to the same few words
constexpr uint32_t kPointsARun = 8;

struct KeyByCell {
    PointGridView grid;
    View<const Point> points;
    View<uint64_t> keys;
    View<uint32_t> ids;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = points[i];
        const Window& w = grid.window;
        const bool inside = p.x >= w.low.x && p.x <= w.high.x && p.y >= w.low.y && p.y <= w.high.y;
        keys[i] =
            inside ? uint64_t(grid.row(p.y)) * grid.columns + grid.column(p.x) : uint64_t(grid.rows) * grid.columns;
        ids[i] = i;
    }
};

/// Visits ranges of ranks that hold all points within `reach` of a place, and some beyond.
struct Near {
    PointGridView grid;
    double reach;

    /// Cells along an axis, from `first` on; going round where it is periodic.
    struct Stretch {
        uint32_t first, count;
    };
    FLIPSCOPE_HD Stretch stretch(bool periodic, uint32_t own, uint32_t from, uint32_t to, double per_unit,
                                 uint32_t cells) const {
        if (!periodic) return {from, to - from + 1};
        const auto wide = static_cast<uint32_t>(reach * per_unit) + 1;
        if (2 * wide + 1 >= cells) return {0, cells};
        return {(own + cells - wide) % cells, 2 * wide + 1};
    }
    template <class Visit>
    FLIPSCOPE_HD void ranges(Point p, const Visit& visit) const {
        const Window& w = grid.window;
        const auto column = [&](double x) { return grid.column(x > w.low.x ? x < w.high.x ? x : w.high.x : w.low.x); };
        const auto row = [&](double y) { return grid.row(y > w.low.y ? y < w.high.y ? y : w.high.y : w.low.y); };
        const Stretch across = stretch(w.periodic_x, column(p.x), column(p.x - reach), column(p.x + reach),
                                       grid.columns_per_unit, grid.columns);
        const Stretch up =
            stretch(w.periodic_y, row(p.y), row(p.y - reach), row(p.y + reach), grid.rows_per_unit, grid.rows);
        const uint32_t end = across.first + across.count, cut = end < grid.columns ? end : grid.columns;
        for (uint32_t j = 0; j < up.count; ++j) {
            const uint32_t at = up.first + j;
            const uint32_t begin = (at < grid.rows ? at : at - grid.rows) * grid.columns;
            visit(grid.starts[begin + across.first], grid.starts[begin + cut]);
            if (end > grid.columns) visit(grid.starts[begin], grid.starts[begin + end - grid.columns]);
        }
    }
    FLIPSCOPE_HD double squared(Point a, Point b) const {
        const Window& w = grid.window;
        const double x = along(b.x - a.x, w.periodic_x, w.width()), y = along(b.y - a.y, w.periodic_y, w.height());
        return x * x + y * y;
    }
    FLIPSCOPE_HD static double along(double d, bool periodic, double side) {
        if (!periodic) return d;
        if (d > side / 2) d -= side;
        if (d < -side / 2) d += side;
        return d;
    }
    FLIPSCOPE_HD uint64_t count(Point p) const {
        uint64_t found = 0;
        ranges(p, [&](uint32_t from, uint32_t to) { found += to - from; });
        return found;
    }
};

struct PairsToCount {
    Near near;
    FLIPSCOPE_HD uint64_t operator()(uint32_t rank) const { return near.count(near.grid.positions[rank]); }
    FLIPSCOPE_HD static uint64_t combine(uint64_t a, uint64_t b) { return a + b; }
};

/// Points that pairs are counted from.
struct MarkCentres {
    Near near;
    uint32_t every;
    View<uint8_t> centres;  // (n) by rank
    FLIPSCOPE_HD void operator()(uint32_t rank, BlockSums& sums) const {
        const bool chosen = near.grid.window.depth(near.grid.positions[rank]) >= near.reach;
        centres[rank] = chosen && near.grid.ids[rank] % every == 0;
        sums.value[0] += centres[rank];
    }
};

/// Pairs of a few points into a histogram of its own first. Of all centres: with points of higher rank alone, each as
/// often as it has centres; of some, which are few: of these with all points.
struct CountRing {
    Near near;
    uint32_t count, bins;
    bool some;
    double bins_per_unit;
    View<const uint8_t> centres;
    View<uint64_t> histograms;  // (kHistograms, bins)
    static constexpr uint32_t kIndicesPerPoll = 8;
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        uint32_t found[kMostBins];
        for (uint32_t k = 0; k < bins; ++k) found[k] = 0;
        const uint32_t begin = run * kPointsARun, end = begin + kPointsARun < count ? begin + kPointsARun : count;
        const double most = near.reach * near.reach;
        for (uint32_t rank = begin; rank < end; ++rank) {
            const Point p = near.grid.positions[rank];
            const uint32_t self = centres[rank], first = some ? 0 : rank + 1;
            if (some && !self) continue;
            near.ranges(p, [&](uint32_t from, uint32_t to) {
                for (uint32_t other = from > first ? from : first; other < to; ++other) {
                    const double squared = near.squared(p, near.grid.positions[other]);
                    if (squared >= most || other == rank) continue;
                    const auto bin = static_cast<uint32_t>(sqrt(squared) * bins_per_unit);
                    found[bin < bins ? bin : bins - 1] += some ? 1 : self + centres[other];
                }
            });
        }
        uint64_t* const histogram = &histograms[size_t(run % kHistograms) * bins];
        for (uint32_t k = 0; k < bins; ++k)
            if (found[k]) atomic_add(histogram[k], uint64_t(found[k]));
    }
};

struct Circles {
    Near near;
    uint32_t across;  // circles a row, and rows
    FLIPSCOPE_HD Point centre(uint32_t i) const {
        const Window& w = near.grid.window;
        const double margin_x = w.periodic_x ? 0 : near.reach, margin_y = w.periodic_y ? 0 : near.reach;
        const double x = (i % across + 0.5) / across, y = (i / across + 0.5) / across;
        return {w.low.x + margin_x + x * (w.width() - 2 * margin_x),
                w.low.y + margin_y + y * (w.height() - 2 * margin_y)};
    }
};

struct PointsToCount {
    Circles circles;
    FLIPSCOPE_HD uint64_t operator()(uint32_t i) const { return circles.near.count(circles.centre(i)); }
    FLIPSCOPE_HD static uint64_t combine(uint64_t a, uint64_t b) { return a + b; }
};

constexpr uint32_t kMostRadii = 32;

struct CountInCircles {
    Circles circles;
    uint32_t radii;
    View<uint64_t> histograms;  // (kHistograms, 2 · radii): counts, then their squares
    static constexpr uint32_t kIndicesPerPoll = 8;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        uint32_t found[kMostRadii];
        for (uint32_t k = 0; k < radii; ++k) found[k] = 0;
        const Near& near = circles.near;
        const Point p = circles.centre(i);
        const double per_unit = radii / near.reach, most = near.reach * near.reach;
        near.ranges(p, [&](uint32_t from, uint32_t to) {
            for (uint32_t rank = from; rank < to; ++rank) {
                const double squared = near.squared(p, near.grid.positions[rank]);
                if (squared >= most) continue;
                const auto ring = static_cast<uint32_t>(sqrt(squared) * per_unit);
                ++found[ring < radii ? ring : radii - 1];
            }
        });
        uint64_t* const histogram = &histograms[size_t(i % kHistograms) * 2 * radii];
        uint64_t inside = 0;
        for (uint32_t k = 0; k < radii; ++k) {
            inside += found[k];
            atomic_add(histogram[k], inside);
            atomic_add(histogram[radii + k], inside * inside);
        }
    }
};

/// Circles of a greater radius meet an image of themselves. World units.
double most_reach(const Window& window) {
    const double none = window.width() + window.height();
    return std::min(window.periodic_x ? window.width() / 2 : none, window.periodic_y ? window.height() / 2 : none);
}

}  // namespace

void PointGrid::build(Context& context, const Window& window, View<const Point> points, double least_width) {
    const auto n = static_cast<uint32_t>(points.count);
    cells_ = {};
    cells_.window = window;
    const double most = std::max(1.0, std::min(double(n), 16'777'216.0));
    // A little wider, so that the rounding of a cell's index hides no pair; and no more than one a point.
    double width = least_width * (1 + 1e-9);
    if (!(width > 0)) width = std::max(window.width(), window.height());
    if (window.width() / width * (window.height() / width) > most) width = std::sqrt(window.area() / most);
    cells_.columns = static_cast<uint32_t>(std::clamp(window.width() / width, 1.0, 65536.0));
    cells_.rows = static_cast<uint32_t>(std::clamp(window.height() / width, 1.0, 65536.0));
    cells_.columns_per_unit = window.width() > 0 ? cells_.columns / window.width() : 0;
    cells_.rows_per_unit = window.height() > 0 ? cells_.rows / window.height() : 0;
    const uint32_t cells = cells_.columns * cells_.rows;
    keys_.resize(context, n, false);
    ids_.resize(context, n, false);
    positions_.resize(context, n, false);
    starts_.resize(context, size_t(cells) + 1, false);
    launch(context, "statistics.grid_keys", n, KeyByCell{view(), points, keys_.view(), ids_.view()});
    if (n > 1) sort_by_key(context, "statistics.grid_sort", keys_, ids_, std::bit_width(cells));
    launch(context, "statistics.grid_starts", cells + 1, FindCellStarts{keys_.view(), n, starts_.view()});
    launch(context, "statistics.grid_gather", n, GatherByCell{points, ids_.view(), positions_.view()});
    inside_ = starts_.read(cells);
}

PointGridView PointGrid::view() const {
    PointGridView view = cells_;
    view.starts = starts_.view();
    view.positions = positions_.view();
    view.ids = ids_.view();
    return view;
}

WindowCorrelation window_correlation(Context& context, const PointGrid& grid, double reach, uint32_t bins) {
    WindowCorrelation result;
    const Window& window = grid.window();
    bins = std::min(bins, kMostBins);
    reach = std::min(reach, most_reach(window));
    const uint32_t n = grid.count();
    if (n < 2 || !(reach > 0) || bins == 0) return result;
    const Near near{grid.view(), reach};
    const uint64_t pairs = reduce(context, "statistics.pairs_to_count", n, PairsToCount{near}, uint64_t(0));
    result.every = pairs / 2 <= kMostPairs ? 1 : static_cast<uint32_t>(pairs / kMostPairs + 1);
    result.width = reach / bins;
    Buffer<uint8_t> centres("centres");
    Buffer<uint64_t> histograms("pair histograms"), sums("pairs by distance"), counted("centre count");
    centres.resize(context, n);
    counted.resize(context, kSumCount);
    counted.fill_bytes(0);
    histograms.resize(context, size_t(kHistograms) * bins);
    histograms.fill_bytes(0);
    sums.resize(context, bins);
    launch(context, "statistics.centres", n, MarkCentres{near, result.every, centres.view()}, counted.view());
    result.centres = counted.read(0);
    if (result.centres == 0) return result;
    launch(context, "statistics.pairs", (n + kPointsARun - 1) / kPointsARun,
           CountRing{near, n, bins, result.every > 1, 1 / result.width, centres.view(), histograms.view()});
    launch(context, "statistics.pairs_sum", bins, AddHistograms{histograms.view(), bins, sums.view()});
    result.pairs = sums.download();
    // So many more points would lie in a ring around each centre if they lay anywhere in the window.
    const double density = (n - 1) / window.area();
    for (size_t k = 0; k < bins; ++k) {
        const double ring = std::numbers::pi * double(2 * k + 1) * result.width * result.width;
        result.values.push_back(double(result.pairs[k]) / (double(result.centres) * density * ring));
    }
    return result;
}

NumberVariance number_variance(Context& context, const PointGrid& grid, double reach, uint32_t radii) {
    NumberVariance result;
    const Window& window = grid.window();
    radii = std::min(radii, kMostRadii);
    reach = std::min(reach, most_reach(window));
    if (grid.count() < 2 || !(reach > 0) || radii == 0) return result;
    if ((!window.periodic_x && window.width() <= 2 * reach) || (!window.periodic_y && window.height() <= 2 * reach))
        return result;
    Circles circles{{grid.view(), reach}, 128};
    while (circles.across > 8 && reduce(context, "statistics.circles_to_count", circles.across * circles.across,
                                        PointsToCount{circles}, uint64_t(0)) > kMostInCircles)
        circles.across /= 2;
    result.circles = circles.across * circles.across;
    Buffer<uint64_t> histograms("circle histograms"), sums("points in circles");
    histograms.resize(context, size_t(kHistograms) * 2 * radii);
    histograms.fill_bytes(0);
    sums.resize(context, 2 * radii);
    launch(context, "statistics.circles", result.circles, CountInCircles{circles, radii, histograms.view()});
    launch(context, "statistics.circles_sum", 2 * radii, AddHistograms{histograms.view(), 2 * radii, sums.view()});
    const std::vector<uint64_t> found = sums.download();
    for (uint32_t k = 0; k < radii; ++k) {
        const double mean = double(found[k]) / result.circles;
        result.radii.push_back((k + 1) * reach / radii);
        result.means.push_back(mean);
        result.variances.push_back(double(found[radii + k]) / result.circles - mean * mean);
    }
    return result;
}

}  // namespace flipscope
