#include "statistics/point_statistics.h"

#include <algorithm>
#include <cmath>

#include "compute/histogram.h"
#include "compute/primitives.h"
#include "statistics/area_view.h"

namespace flipscope {

namespace {

constexpr uint64_t kMostPairs = 400'000'000;  // tested pairs: half a second on two CPU threads
constexpr uint64_t kMostInCircles = 100'000'000;

struct PairsToCount {
    NearPoints near;
    FLIPSCOPE_HD uint64_t operator()(uint32_t rank) const { return near.count(near.grid.positions[rank]); }
    FLIPSCOPE_HD static uint64_t combine(uint64_t a, uint64_t b) { return a + b; }
};

struct Circles {
    NearPoints near;
    AreaView area;
    uint32_t across;  // circles a row, and rows
    FLIPSCOPE_HD bool fits(uint32_t i) const { return !area.is_polygon() || area.depth(centre(i)) >= near.reach; }
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
    FLIPSCOPE_HD uint64_t operator()(uint32_t i) const {
        return circles.fits(i) ? circles.near.count(circles.centre(i)) : 0;
    }
    FLIPSCOPE_HD static uint64_t combine(uint64_t a, uint64_t b) { return a + b; }
};

constexpr uint32_t kMostRadii = 32;

struct CountInCircles {
    Circles circles;
    uint32_t radii;
    static constexpr uint32_t kIndicesPerPoll = 8, kMostBins = 2 * kMostRadii + 1;
    /// Bins: counts, their squares, and the circles.
    FLIPSCOPE_HD void operator()(uint32_t i, const Bins& sums) const {
        if (!circles.fits(i)) return;
        uint32_t found[kMostRadii];
        for (uint32_t k = 0; k < radii; ++k) found[k] = 0;
        const NearPoints& near = circles.near;
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
        sums.add(2 * radii, 1);
        uint64_t inside = 0;
        for (uint32_t k = 0; k < radii; ++k) {
            inside += found[k];
            sums.add(k, inside);
            sums.add(radii + k, inside * inside);
        }
    }
};

/// Circles of a greater radius meet an image of themselves. World units.
double most_reach(const Window& window) {
    const double none = window.width() + window.height();
    return std::min(window.periodic_x ? window.width() / 2 : none, window.periodic_y ? window.height() / 2 : none);
}

}  // namespace

double share_with_few_pairs(Context& context, const PointGrid& grid, double reach) {
    const NearPoints near{grid.view(), reach};
    const uint64_t pairs = reduce(context, "statistics.pairs_to_count", grid.count(), PairsToCount{near}, uint64_t(0));
    return std::min(1.0, std::sqrt(2 * double(kMostPairs) / double(std::max<uint64_t>(pairs, 1))));
}

NumberVariance number_variance(Context& context, const StudyArea& area, const PointGrid& grid, double reach,
                               uint32_t radii) {
    NumberVariance result;
    const Window& window = grid.window();
    radii = std::min(radii, kMostRadii);
    reach = std::min(reach, most_reach(window));
    if (grid.count() < 2 || !(reach > 0) || radii == 0) return result;
    if ((!window.periodic_x && window.width() <= 2 * reach) || (!window.periodic_y && window.height() <= 2 * reach))
        return result;
    AreaOnDevice on_device;
    on_device.upload(context, area);
    Circles circles{{grid.view(), reach}, on_device.view(), 128};
    while (circles.across > 8 && reduce(context, "statistics.circles_to_count", circles.across * circles.across,
                                        PointsToCount{circles}, uint64_t(0)) > kMostInCircles)
        circles.across /= 2;
    const std::vector<uint64_t> found = histogram_of(context, "statistics.circles", circles.across * circles.across,
                                                     2 * radii + 1, 64, CountInCircles{circles, radii});
    result.circles = static_cast<uint32_t>(found.back());
    if (result.circles == 0) return {};
    for (uint32_t k = 0; k < radii; ++k) {
        const double mean = double(found[k]) / result.circles;
        result.radii.push_back((k + 1) * reach / radii);
        result.means.push_back(mean);
        result.variances.push_back(double(found[radii + k]) / result.circles - mean * mean);
    }
    return result;
}

}  // namespace flipscope
