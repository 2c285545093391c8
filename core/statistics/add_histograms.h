// Sums partial histograms, which avoid contention for a few words. Only kernel sources of this folder include it.
#pragma once

#include "compute/view.h"
#include "flipscope/view.h"

namespace flipscope {

/// Once per bin.
struct AddHistograms {
    View<const uint64_t> histograms;  // (any number, bins)
    uint32_t bins;
    View<uint64_t> sums;
    FLIPSCOPE_HD void operator()(uint32_t bin) const {
        uint64_t sum = 0;
        for (size_t at = bin; at < histograms.count; at += bins) sum += histograms[at];
        sums[bin] = sum;
    }
};

}  // namespace flipscope
