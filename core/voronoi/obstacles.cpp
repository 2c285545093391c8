#include "voronoi/obstacles.h"

#include <algorithm>
#include <cmath>

#include "compute/launch.h"

namespace flipscope {

namespace {

/// One for every site of the square around the brush, of so many sites a side.
struct PaintSite {
    Lattice lattice;
    View<uint8_t> obstacles;
    Point place;
    double radius2;  // world units, squared
    int64_t left, bottom;
    uint32_t side_x;
    uint32_t nearest;  // site under the middle of the brush
    uint8_t value;
    FLIPSCOPE_HD void operator()(uint32_t i, Tally& tally) const {
        int64_t x = left + i % side_x, y = bottom + i / side_x;
        if (lattice.periodic) {
            x = (x % lattice.width + lattice.width) % lattice.width;
            y = (y % lattice.height + lattice.height) % lattice.height;
        }
        if (x < 0 || y < 0 || x >= lattice.width || y >= lattice.height) return;
        const uint32_t site = lattice.site(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
        if (site != nearest && lattice.squared_distance(place, lattice.place(site)) > radius2) return;
        if (obstacles[site] == value) return;
        obstacles[site] = value;
        ++tally.value[0];
    }
};

/// Where the k-th of so many things of this size begins, at equal distances along a border of this length.
uint32_t begin_of(uint32_t k, uint32_t count, uint32_t length, uint32_t size) {
    const double middle = (k + 0.5) * length / count;
    return static_cast<uint32_t>(std::clamp(middle - size / 2.0 + 0.5, 0.0, double(length)));
}

}  // namespace

std::vector<uint8_t> make_obstacles(const Lattice& lattice, const ObstacleOptions& options,
                                    const std::vector<float>& shades) {
    if (options.kind == ObstacleKind::kNone) return {};
    const uint32_t w = lattice.width, h = lattice.height;
    std::vector<uint8_t> obstacles(lattice.site_count());
    if (options.kind == ObstacleKind::kImage) {
        std::transform(shades.begin(), shades.end(), obstacles.begin(),
                       [&](float shade) { return uint8_t(shade < options.threshold); });
        return obstacles;
    }
    const auto fill = [&](uint32_t left, uint32_t bottom, uint32_t across, uint32_t up) {
        for (uint32_t y = bottom; y < std::min(h, bottom + up); ++y)
            std::fill_n(&obstacles[lattice.site(left, y)], std::min(across, w - left), uint8_t(1));
    };
    for (uint32_t k = 0; k < options.count; ++k) {
        if (options.kind == ObstacleKind::kPosts) {
            fill(0, begin_of(k, options.count, h, options.width), options.height, options.width);
        } else {
            const uint32_t tall = std::min(options.height, h);
            const uint32_t left = begin_of(k, options.count, w, options.width);
            if (left < w) fill(left, k % 2 ? h - tall : 0, options.width, tall);
        }
    }
    return obstacles;
}

uint64_t paint_obstacles(Context& context, const Lattice& lattice, Buffer<uint8_t>& obstacles, Point place,
                         double radius, bool paint) {
    const auto size = [](double middle, double reach, bool periodic, uint32_t period) {
        int64_t low = static_cast<int64_t>(std::floor(middle - reach));
        int64_t high = static_cast<int64_t>(std::ceil(middle + reach));
        if (periodic)
            high = std::min<int64_t>(high, low + period - 1);
        else
            low = std::max<int64_t>(low, 0), high = std::min<int64_t>(high, int64_t(period) - 1);
        return std::pair(low, std::max<int64_t>(high - low + 1, 0));
    };
    place = lattice.wrapped(place);
    const double reach = std::max(radius, 0.5) + 1;
    const auto [left, across] = size(place.x, reach, lattice.periodic, lattice.width);
    const auto [bottom, up] = size(place.y, reach, lattice.periodic, lattice.height);
    if (across == 0 || up == 0) return 0;
    int64_t x = static_cast<int64_t>(std::floor(place.x + 0.5)), y = static_cast<int64_t>(std::floor(place.y + 0.5));
    if (lattice.periodic) x %= lattice.width, y %= lattice.height;
    const bool inside = x >= 0 && y >= 0 && x < lattice.width && y < lattice.height;
    const uint32_t nearest = inside ? lattice.site(static_cast<uint32_t>(x), static_cast<uint32_t>(y)) : kNone;
    Buffer<uint64_t> tallies("tallies");
    tallies.resize(context, kTallyWidth);
    tallies.fill_bytes(0);
    launch(context, "obstacles.paint", static_cast<uint32_t>(across * up),
           PaintSite{lattice, obstacles.view(), place, radius * radius, left, bottom, static_cast<uint32_t>(across),
                     nearest, uint8_t(paint)},
           tallies.view());
    return tallies.read(0);
}

}  // namespace flipscope
