#include "voronoi/components/threshold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "compute/cancel.h"

namespace flipscope {

namespace {

constexpr size_t kBins = 65536;  // so many that distant outliers leave enough bins to the other levels

/// The median of each pixel and its eight neighbours; the border pixels are repeated outside.
template <class Number>
std::vector<Number> medians(const Number* values, uint32_t width, uint32_t height) {
    std::vector<Number> medians;
    medians.reserve(size_t{width} * height);
    CancelPoll poll;
    for (uint32_t y = 0; y < height; ++y) {
        const Number* rows[] = {values + size_t{y > 0 ? y - 1 : y} * width, values + size_t{y} * width,
                                values + size_t{y + 1 < height ? y + 1 : y} * width};
        for (uint32_t x = 0; x < width; ++x) {
            poll();
            const uint32_t columns[] = {x > 0 ? x - 1 : x, x, x + 1 < width ? x + 1 : x};
            std::array<Number, 9> around;
            for (size_t i = 0; i < 9; ++i) around[i] = rows[i / 3][columns[i % 3]];
            std::nth_element(around.begin(), around.begin() + 4, around.end());
            medians.push_back(around[4]);
        }
    }
    return medians;
}

template <class Number>
double otsu(const std::vector<Number>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double low = static_cast<double>(*least), range = static_cast<double>(*most) - low;
    if (!(range > 0) || !std::isfinite(range)) return 0.5 * low + 0.5 * static_cast<double>(*most);
    struct Bin {
        uint64_t count = 0;
        double low = HUGE_VAL, high = -HUGE_VAL;  // of its values
    };
    std::vector<Bin> bins(kBins);
    CancelPoll poll;
    for (const Number value : values) {
        poll();
        const double at = (static_cast<double>(value) - low) / range * kBins;
        Bin& bin = bins[std::min(static_cast<size_t>(at), kBins - 1)];
        ++bin.count;
        bin.low = std::min(bin.low, static_cast<double>(value));
        bin.high = std::max(bin.high, static_cast<double>(value));
    }
    std::erase_if(bins, [](const Bin& bin) { return bin.count == 0; });
    // Values relative to the lowest, divided by the range: sums neither overflow nor lose precision to a large offset.
    const auto middle = [&](const Bin& bin) { return (0.5 * (bin.low - low) + 0.5 * (bin.high - low)) / range; };
    double total = 0, below = 0, best = -1, threshold = low;
    for (const Bin& bin : bins) total += static_cast<double>(bin.count) * middle(bin);
    const auto all = static_cast<double>(values.size());
    double count = 0;
    for (size_t i = 0; i + 1 < bins.size(); ++i) {
        count += static_cast<double>(bins[i].count);
        below += static_cast<double>(bins[i].count) * middle(bins[i]);
        const double apart = (total - below) / (all - count) - below / count;
        const double between = count * (all - count) * apart * apart;
        if (between <= best) continue;
        best = between;
        threshold = 0.5 * bins[i].high + 0.5 * bins[i + 1].low;
    }
    return threshold;
}

template <class Number>
double threshold_of(const Number* values, uint32_t width, uint32_t height) {
    std::vector<Number> smooth = medians(values, width, height);
    const auto [low, high] = std::minmax_element(smooth.begin(), smooth.end());
    if (*low < *high) return otsu(smooth);
    // Everything visible is smaller than three pixels.
    smooth.assign(values, values + size_t{width} * height);
    return otsu(smooth);
}

}  // namespace

double otsu_threshold(const float* values, uint32_t width, uint32_t height) {
    return threshold_of(values, width, height);
}

double otsu_threshold(const double* values, uint32_t width, uint32_t height) {
    return threshold_of(values, width, height);
}

}  // namespace flipscope
