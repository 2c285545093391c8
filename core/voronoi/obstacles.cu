#include "voronoi/obstacles.h"

#include <algorithm>
#include <cmath>

#include "compute/launch.h"

namespace flipscope {

namespace {

/// One thread per pixel of the box around a segment of the path.
struct PaintPixel {
    Lattice lattice;
    View<uint8_t> obstacles;
    Point from, way;  // the segment: way is at most half a period along periodic axes
    double radius2;   // world units, squared
    int64_t left, bottom;
    uint32_t side_x;
    uint32_t nearest;  // pixel under the end of the segment
    uint8_t value;

    FLIPSCOPE_HD double squared_distance(Point q) const {  // q: relative to `from`
        const double length2 = way.x * way.x + way.y * way.y;
        const double along = length2 > 0 ? (q.x * way.x + q.y * way.y) / length2 : 0;
        const double t = along < 0 ? 0 : along > 1 ? 1 : along;
        const Point d{q.x - t * way.x, q.y - t * way.y};
        return d.x * d.x + d.y * d.y;
    }
    FLIPSCOPE_HD bool touches(uint32_t pixel) const {
        const Point q = lattice.difference(from, lattice.place(pixel));
        if (squared_distance(q) <= radius2) return true;
        if (!lattice.periodic.any() || (way.x == 0 && way.y == 0)) return false;
        // The image nearest to one end may not be nearest to the other.
        const int turns_x = lattice.periodic.x ? 1 : 0, turns_y = lattice.periodic.y ? 1 : 0;
        for (int i = -turns_x; i <= turns_x; ++i)
            for (int j = -turns_y; j <= turns_y; ++j)
                if (squared_distance({q.x + i * double(lattice.width), q.y + j * double(lattice.height)}) <= radius2)
                    return true;
        return false;
    }
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        int64_t x = left + i % side_x, y = bottom + i / side_x;
        if (lattice.periodic.x) x = (x % lattice.width + lattice.width) % lattice.width;
        if (lattice.periodic.y) y = (y % lattice.height + lattice.height) % lattice.height;
        if (x < 0 || y < 0 || x >= lattice.width || y >= lattice.height) return;
        const uint32_t pixel = lattice.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
        if (obstacles[pixel] == value || (pixel != nearest && !touches(pixel))) return;
        obstacles[pixel] = value;
        ++sums.value[0];
    }
};

/// A range of pixels, clipped to the lattice.
struct Span {
    int64_t low, count;
};
Span span_of(double low, double high, bool periodic, uint32_t period) {
    constexpr double kFar = 1e9;  // beyond every lattice
    const auto first = static_cast<int64_t>(std::floor(std::clamp(low, -kFar, kFar)));
    const auto last = static_cast<int64_t>(std::ceil(std::clamp(high, -kFar, kFar)));
    if (periodic) return {first, std::min<int64_t>(last - first + 1, period)};
    const int64_t from = std::max<int64_t>(first, 0), to = std::min<int64_t>(last, int64_t(period) - 1);
    return {from, std::max<int64_t>(to - from + 1, 0)};
}

uint32_t pixel_under(const Lattice& lattice, Point place) {
    place = lattice.wrapped(place);
    double x = std::floor(place.x + 0.5), y = std::floor(place.y + 0.5);
    if (lattice.periodic.x && x == lattice.width) x = 0;
    if (lattice.periodic.y && y == lattice.height) y = 0;
    const bool inside = x >= 0 && y >= 0 && x < lattice.width && y < lattice.height;
    return inside ? lattice.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y)) : kNone;
}

/// The beginning of the k-th of `count` objects of this size, equally spaced along a border of this length.
uint32_t begin_of(uint32_t k, uint32_t count, uint32_t length, uint32_t size) {
    const double middle = (k + 0.5) * length / count;
    return static_cast<uint32_t>(std::clamp(middle - size / 2.0 + 0.5, 0.0, double(length)));
}

}  // namespace

std::vector<uint8_t> make_obstacles(const Lattice& lattice, const ObstacleOptions& options,
                                    const std::vector<float>& shades) {
    if (options.kind == ObstacleKind::kNone) return {};
    const uint32_t w = lattice.width, h = lattice.height;
    std::vector<uint8_t> obstacles(lattice.pixel_count());
    if (options.kind == ObstacleKind::kImage) {
        std::transform(shades.begin(), shades.end(), obstacles.begin(),
                       [&](float shade) { return uint8_t(shade < options.threshold); });
        return obstacles;
    }
    const auto fill = [&](uint32_t left, uint32_t bottom, uint32_t across, uint32_t up) {
        for (uint32_t y = bottom; y < std::min(h, bottom + up); ++y)
            std::fill_n(&obstacles[lattice.pixel(left, y)], std::min(across, w - left), uint8_t(1));
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

uint64_t paint_obstacles(Context& context, const Lattice& lattice, Buffer<uint8_t>& obstacles,
                         const std::vector<Point>& path, double radius, bool paint) {
    Buffer<uint64_t> block_sums("block sums");
    block_sums.fill(context, kSumCount, 0);
    const auto sweep = [&](Point from, Point way, double width) {
        const Point end{from.x + way.x, from.y + way.y};
        const uint32_t nearest = pixel_under(lattice, end);
        from = lattice.wrapped(from);
        const double reach = std::max(width, 0.5) + 1;
        const Span x = span_of(std::min(from.x, from.x + way.x) - reach, std::max(from.x, from.x + way.x) + reach,
                               lattice.periodic.x, lattice.width);
        const Span y = span_of(std::min(from.y, from.y + way.y) - reach, std::max(from.y, from.y + way.y) + reach,
                               lattice.periodic.y, lattice.height);
        if (x.count == 0 || y.count == 0) return;
        launch(context, "obstacles.paint", static_cast<uint32_t>(x.count * y.count),
               PaintPixel{lattice, obstacles.view(), from, way, width * width, x.low, y.low,
                          static_cast<uint32_t>(x.count), nearest, uint8_t(paint)},
               block_sums.view());
    };
    for (size_t k = 0; k < path.size(); ++k) {
        const Point to = path[k], from = k ? path[k - 1] : to;
        const Point way{to.x - from.x, to.y - from.y};
        const auto [around_x, around_y] = lattice.periodic;
        const double periods =
            std::max(around_x ? std::abs(way.x) / lattice.width : 0, around_y ? std::abs(way.y) / lattice.height : 0);
        const bool still = way.x == 0 && way.y == 0, jumps = !(periods <= kLongestJump);
        if (still || jumps) {
            sweep(to, {0, 0}, radius);
            continue;
        }
        const int stretches = std::max(1, static_cast<int>(std::ceil(2 * periods)));
        const Point each{way.x / stretches, way.y / stretches};
        for (int i = 0; i < stretches; ++i)
            sweep({from.x + i * each.x, from.y + i * each.y}, each, std::max(radius, 0.5));
    }
    return block_sums.read(0);
}

}  // namespace flipscope
