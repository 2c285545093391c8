// Plots of curves: axes, lines over each other, a legend below. Laid out once, for the window and for files. Knows no
// lab.
#pragma once

#include <string>
#include <vector>

#include "app/figures/annotation.h"
#include "app/run/overlay.h"
#include "app/run/plot_axis.h"

namespace flipscope::app {

struct DrawnCurve {
    const Curve* curve;
    std::string label;  // in the legend; empty: not listed
    Color color;
    bool strong = false;          // a wider line
    double dash = 0;              // of the size of the letters; 0: a whole line
    double below = 0, above = 0;  // number of values beyond the ends of its x axis
};

/// Where the lines of a plot lie.
struct CurvePlane {
    Area box;
    Axis x, y;
};

/// Requires a curve. The first is drawn last, over the others, and names the axes. An arrow marks an end of the x axis
/// that values of a curve exceed; the legend counts them.
CurvePlane draw_curves(const Ink& ink, const Area& area, const std::vector<DrawnCurve>& curves, bool logarithmic);
/// Height of the legend, at the lower end of the area.
double curve_legend_height(const Ink& ink, const std::vector<DrawnCurve>& curves);

/// Whether a logarithmic axis, which shows positive values alone, would show anything.
bool has_logarithm(const std::vector<DrawnCurve>& curves);

/// The names of the axes, and the point of each curve that is nearest to x.
std::string describe_curves(const std::vector<DrawnCurve>& curves, double x);

/// Plots one below the other as .svg, .pdf or .png, or their table as .csv. Throws Error if it cannot be written.
void write_plots(const std::string& file, const std::vector<Overlay>& plots);

}  // namespace flipscope::app
