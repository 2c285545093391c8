// Small plots: bars or lines over whole numbers, and how many elements have a value in each of equal bins; with axes,
// ticks at round values, and what is under the cursor in words. Knows nothing of triangulations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/number_text.h"
#include "app/plot_axis.h"
#include "app/theme.h"

namespace flipscope::app {

struct PlotLook {
    const Palette& colors;
    const Fonts& fonts;
    Color first, second;  // of the series
    float scale;
    bool logarithmic = false;
};

/// Draws into the next `height` pixels of the current window, as wide as there is room.
void draw_plot(const char* id, const PlotSeries& series, const PlotLook& look, float height);

struct BinSeries {
    double low = 0, high = 0;  // of all bins together
    std::string unit;
    std::vector<uint64_t> before, now;
};

/// The same for bins: filled as they are now (first colour), outlined as they were (second colour).
void draw_bins(const char* id, const BinSeries& bins, const PlotLook& look, float height);

}  // namespace flipscope::app
