// Small plots in panels: bars or lines over whole numbers, histograms, curves and roses, with the values under the
// cursor in words. Independent of labs.
#pragma once

#include <string>
#include <vector>

#include "app/base/number_text.h"
#include "app/figures/curve_plot.h"
#include "app/figures/theme.h"
#include "lab/report.h"

namespace flipscope::app {

/// A range chosen by dragging along the axis, and marked values.
struct Brush {
    bool chosen = false;       // a range is chosen
    double low = 0, high = 0;  // of it
    bool changed = false;      // in this frame
    std::vector<double> marks = {};
};

struct PlotStyle {
    const Palette& colors;
    const Fonts& fonts;
    Color first, second;  // of the series
    float scale;
    LogarithmicAxes logarithmic = {};  // x of curves alone
    Brush* brush = nullptr;            // of plots that can be brushed
};

/// Reserves the next `height` pixels of the current window, across the available width, as an item for the mouse.
Area plot_area(const char* id, float height);

void draw_plot(const char* id, const PlotSeries& series, const PlotStyle& style, float height);

/// `height` is without the legend.
void draw_curves(const char* id, const std::vector<DrawnCurve>& curves, const PlotStyle& style, float height);

/// The current counts filled (first colour), the earlier ones outlined (second colour).
void draw_bins(const char* id, const Distribution& bins, const PlotStyle& style, float height);

/// Bins of directions from 0 to 180° around a centre, 0° to the right and 90° up. The other half is their mirror image,
/// as a line has no sense of direction. Rings mark counts.
void draw_rose(const char* id, const Distribution& bins, const PlotStyle& style, float height);

}  // namespace flipscope::app
