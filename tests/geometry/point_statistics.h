// Statistics of sets of points, by pairs within a distance: for the tests of point processes. All in the units of the
// coordinates.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "geometry/bounds.h"

namespace flipscope {

/// Calls visit(i, j, dx, dy) for every ordered pair within `reach`, from i to j. On the unit torus or in the plane.
template <class Visit>
void for_each_near(const std::vector<Point>& points, double reach, bool torus, const Visit& visit) {
    const auto [low, high] = torus || points.empty() ? Bounds{{0, 0}, {1, 1}} : bounds_of(points);
    const double size = std::max({high.x - low.x, high.y - low.y, reach});
    const int64_t most = static_cast<int64_t>(std::sqrt(static_cast<double>(points.size()))) + 1;
    const int64_t width = std::clamp<int64_t>(static_cast<int64_t>(size / reach), 1, most);
    const auto along = [&](double v) {
        return std::clamp<int64_t>(static_cast<int64_t>(v / size * static_cast<double>(width)), 0, width - 1);
    };
    const auto cell_of = [&](int64_t row, int64_t column) { return static_cast<size_t>(row * width + column); };
    std::vector<std::vector<uint32_t>> cells(static_cast<size_t>(width * width));
    for (size_t i = 0; i < points.size(); ++i)
        cells[cell_of(along(points[i].y - low.y), along(points[i].x - low.x))].push_back(static_cast<uint32_t>(i));
    const auto around = [&](int64_t at) {  // each once
        std::vector<int64_t> all;
        for (int64_t k = at - 1; k <= at + 1; ++k) {
            const int64_t one = torus ? (k + width) % width : k;
            if (one >= 0 && one < width && std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
        }
        return all;
    };
    const auto shortest = [&](double d) { return torus ? d - std::floor(d + 0.5) : d; };
    for (int64_t row = 0; row < width; ++row)
        for (int64_t column = 0; column < width; ++column)
            for (const int64_t y : around(row))
                for (const int64_t x : around(column))
                    for (const uint32_t i : cells[cell_of(row, column)])
                        for (const uint32_t j : cells[cell_of(y, x)]) {
                            const double dx = shortest(points[j].x - points[i].x);
                            const double dy = shortest(points[j].y - points[i].y);
                            if (i != j && dx * dx + dy * dy <= reach * reach) visit(i, j, dx, dy);
                        }
}

/// Distances to the nearest other point; at most `reach`, which must reach one.
inline std::vector<double> nearest_distances(const std::vector<Point>& points, double reach, bool torus) {
    std::vector<double> nearest(points.size(), reach);
    for_each_near(points, reach, torus, [&](uint32_t i, uint32_t, double dx, double dy) {
        nearest[i] = std::min(nearest[i], std::hypot(dx, dy));
    });
    return nearest;
}

/// g(r) on the unit torus in rings of equal width up to `reach`: pairs in the ring, over those of as many independent
/// points.
inline std::vector<double> pair_correlation(const std::vector<Point>& points, double reach, size_t rings) {
    std::vector<double> g(rings, 0);
    for_each_near(points, reach, true, [&](uint32_t, uint32_t, double dx, double dy) {
        const auto ring = static_cast<size_t>(std::hypot(dx, dy) / reach * static_cast<double>(rings));
        if (ring < rings) ++g[ring];
    });
    const auto n = static_cast<double>(points.size());
    for (size_t k = 0; k < rings; ++k) {
        const double inner = reach * static_cast<double>(k) / static_cast<double>(rings);
        const double outer = reach * static_cast<double>(k + 1) / static_cast<double>(rings);
        g[k] /= n * (n - 1) * std::numbers::pi * (outer * outer - inner * inner);
    }
    return g;
}

}  // namespace flipscope
