#include "statistics/correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace flipscope {

namespace {

double pearson(std::span<const double> x, std::span<const double> y) {
    const auto n = static_cast<double>(x.size());
    const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n,
                 mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
    double xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const double dx = x[i] - mean_x, dy = y[i] - mean_y;
        xx += dx * dx, xy += dx * dy, yy += dy * dy;
    }
    return xx > 0 && yy > 0 ? std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0) : NAN;
}

std::vector<double> ranks_of(std::span<const double> values) {
    std::vector<uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (size_t i = 0, end = 0; i < order.size(); i = end) {
        for (end = i + 1; end < order.size() && values[order[end]] == values[order[i]];) ++end;
        for (size_t k = i; k < end; ++k) ranks[order[k]] = 0.5 * static_cast<double>(i + end - 1);
    }
    return ranks;
}

}  // namespace

Correlation correlation_of(std::span<const double> x, std::span<const double> y) {
    if (x.size() < 2) return {x.size(), NAN, NAN};
    return {x.size(), pearson(x, y), pearson(ranks_of(x), ranks_of(y))};
}

}  // namespace flipscope
