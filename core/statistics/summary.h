// A million numbers in a few: count, mean, deviation, range and a histogram, with the same bits on every device,
// because sums have a fixed order. NaN counts as no number.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/buffer.h"
#include "geometry/point.h"

namespace flipscope {

struct SampleSummary {
    uint64_t count = 0;
    double mean = 0, deviation = 0;  // of all numbers, not of a sample of them: divided by their count
    double least = 0, greatest = 0;
};

/// Which numbers count: those whose flag has none of `bits`. No flags: all.
struct Excluding {
    View<const uint8_t> flags;
    uint8_t bits = 0;
};

/// All 0 where there is no number. Waits.
SampleSummary summarise(Context& context, View<const double> values, const Excluding& excluding = {});

/// How many numbers lie in each of `bins` equal bins of [low, high), the last one with high itself, and beyond. Waits.
struct BinnedNumbers {
    std::vector<uint64_t> counts;   // (bins)
    uint64_t below = 0, above = 0;  // of low, and of high
};
BinnedNumbers histogram(Context& context, View<const double> values, double low, double high, uint32_t bins,
                        const Excluding& excluding = {});

/// The mean of complex numbers x + iy, NaN left out. Waits.
Point mean_of(Context& context, View<const Point> values, const Excluding& excluding = {});

/// Sums of `values` by `degrees`: what Lewis' and Aboav–Weaire's laws are about. (kMostDegree + 1), the last one for
/// all greater degrees. Waits.
inline constexpr uint32_t kMostDegree = 20;
struct ByDegree {
    std::vector<uint64_t> counts;
    std::vector<double> sums;
};
ByDegree sum_by_degree(Context& context, View<const double> degrees, View<const double> values,
                       const Excluding& excluding = {});

/// The greatest distance between the distribution functions of two samples (Kolmogorov 1933, Smirnov 1939), 0 … 1, and
/// how likely one at least as great is between samples of one distribution, by the limit for large ones. NaN is left
/// out; 0 and 1 where either sample is empty. Sorts both.
struct SampleDistance {
    double distance = 0, p_value = 1;
};
SampleDistance distance_between(std::vector<double> a, std::vector<double> b);

}  // namespace flipscope
