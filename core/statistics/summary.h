// Summaries of many numbers: count, mean, deviation, range and a histogram, with the same bits on every device, because
// sums have a fixed order. NaN is ignored.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/buffer.h"
#include "geometry/point.h"

namespace flipscope {

struct SampleSummary {
    uint64_t count = 0;
    double mean = 0, deviation = 0;  // population deviation: divided by the count
    double least = 0, greatest = 0;
};

/// Excludes numbers whose flag has any of `bits`. Without flags nothing is excluded.
struct Excluding {
    View<const uint8_t> flags;
    uint8_t bits = 0;
};

/// Numbers from `low` to `high`; NaN is ignored.
struct NumberSample {
    View<const double> values;
    Excluding excluding = {};
    double low = -INFINITY, high = INFINITY;
};

/// All 0 without numbers. Several samples take hardly longer than one on CUDA. Waits.
std::vector<SampleSummary> summarise(Context& context, std::span<const NumberSample> samples);
SampleSummary summarise(Context& context, View<const double> values, const Excluding& excluding = {});

/// The medians, exactly: of an even number of values the mean of the two in the middle; NaN without numbers. Waits.
std::vector<double> medians_of(Context& context, std::span<const NumberSample> samples,
                               std::span<const SampleSummary> summaries);
double median_of(Context& context, View<const double> values, const Excluding& excluding = {});
double median_of(std::vector<double> values);

/// The number of values in each of `bins` equal bins of [low, high), the last one including high, and beyond them.
/// Waits.
struct BinnedNumbers {
    std::vector<uint64_t> counts;   // (bins)
    uint64_t below = 0, above = 0;  // of low, and of high
};
struct BinnedNumberSample {
    NumberSample sample;
    double low, high;
    uint32_t bins;  // at most 256
};
std::vector<BinnedNumbers> histograms(Context& context, std::span<const BinnedNumberSample> samples);
BinnedNumbers histogram(Context& context, View<const double> values, double low, double high, uint32_t bins,
                        const Excluding& excluding = {});

/// Sums of `values` by `degrees`, for Lewis' and Aboav–Weaire's laws: (kMostDegree + 1), the last one for all greater
/// degrees. Waits.
inline constexpr uint32_t kMostDegree = 20;
struct ByDegree {
    std::vector<uint64_t> counts;
    std::vector<double> sums;
};
ByDegree sum_by_degree(Context& context, View<const double> degrees, View<const double> values,
                       const Excluding& excluding = {});

/// The greatest distance between the distribution functions of two samples (Kolmogorov 1933, Smirnov 1939), 0 … 1, and
/// its p-value, by the asymptotic distribution. Ignores NaN; 0 and 1 if either sample is empty. Sorts both samples.
struct SampleDistance {
    double distance = 0, p_value = 1;
};
SampleDistance distance_between(std::vector<double> a, std::vector<double> b);

/// How far two numbers of the same elements go together.
struct Correlation {
    uint64_t count = 0;                // of pairs
    double pearson = 0, spearman = 0;  // -1 … 1; NaN for fewer than two pairs, or where one of the numbers is constant
};

/// Pearson's coefficient, and Spearman's: that of the ranks, of which equal numbers share the mean. Without NaN; both
/// spans are equally long.
Correlation correlation_of(std::span<const double> x, std::span<const double> y);

}  // namespace flipscope
