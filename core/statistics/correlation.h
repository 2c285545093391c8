// How far two numbers of the same elements go together. On the host; sums have a fixed order.
#pragma once

#include <cstdint>
#include <span>

namespace flipscope {

struct Correlation {
    uint64_t count = 0;                // of pairs
    double pearson = 0, spearman = 0;  // -1 … 1; NaN for fewer than two pairs, or where one of the numbers is constant
};

/// Pearson's coefficient, and Spearman's: that of the ranks, of which equal numbers share the mean. Without NaN; both
/// spans are equally long.
Correlation correlation_of(std::span<const double> x, std::span<const double> y);

}  // namespace flipscope
