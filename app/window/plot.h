// Small plots: bars or lines over whole numbers, and how many elements have a value in each of equal bins; with axes,
// ticks at round values, and what is under the cursor in words. Knows no lab.
#pragma once

#include <string>
#include <vector>

#include "app/base/number_text.h"
#include "app/figures/theme.h"
#include "app/run/plot_axis.h"
#include "lab/report.h"

namespace flipscope::app {

/// The text, cut with an ellipsis where it is wider than `width` in the present font.
std::string cut_to_fit(const std::string& text, float width);

/// Whether a plot between these has a pixel each way. Strides and scales divide by its size.
bool has_room(float left, float right, float top, float bottom);
/// `wanted`, moved into low … high; low where there is no room for both.
float placed_within(float wanted, float low, float high);

/// A range of the axis that is chosen by dragging, and values that are marked.
struct Brush {
    bool chosen = false;       // there is a range
    double low = 0, high = 0;  // of it
    bool changed = false;      // by this frame
    std::vector<double> marks = {};
};

struct PlotStyle {
    const Palette& colors;
    const Fonts& fonts;
    Color first, second;  // of the series
    float scale;
    bool logarithmic = false;
    Brush* brush = nullptr;  // of plots that take one
};

/// Draws into the next `height` pixels of the current window, as wide as there is room.
void draw_plot(const char* id, const PlotSeries& series, const PlotStyle& style, float height);

/// The same for bins: filled as they are now (first colour), outlined as they were (second colour).
void draw_bins(const char* id, const Distribution& bins, const PlotStyle& style, float height);

/// Of what a distribution has in its bins: whole numbers with whole ticks, where all are whole; from zero up.
Axis axis_of_amounts(const Distribution& bins, bool logarithmic);
/// How many lie beyond the ends of the bins: "3 below, 12 above"; empty: none.
std::string beyond_text(const Distribution& bins);
/// "10° – 20°", and how many of both series lie there, with their share.
std::string describe_bin(const Distribution& bins, size_t i);
/// Both names with the signs of their series, from the right end of a line.
void draw_bin_names(ImDrawList& draw, const PlotStyle& style, ImVec2 end, const Distribution& bins, bool has_before);

/// Bins that are directions from 0 to 180° around a centre, 0° to the right and 90° up; the other half, which a line
/// without a sense of direction has as well, is their mirror image. Rings mark counts.
void draw_rose(const char* id, const Distribution& bins, const PlotStyle& style, float height);

}  // namespace flipscope::app
