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
    double below = 0, above = 0;  // how many of what it counts lie beyond the ends of its x axis
};

/// Where the lines of a plot lie.
struct CurvePlane {
    Area box;
    Axis x, y;
};

/// The first curve is drawn last, over the others, and names the axes. There must be one. Where values lie beyond the
/// x axis of a curve, an arrow at its end shows this and the legend counts them.
CurvePlane draw_curves(const Ink& ink, const Area& area, const std::vector<DrawnCurve>& curves, bool logarithmic);
/// What the legend takes of the area, at its lower end.
double curve_legend_height(const Ink& ink, const std::vector<DrawnCurve>& curves);

/// Whether a logarithmic axis would show anything: it has no place for values that are not above zero.
bool has_logarithm(const std::vector<DrawnCurve>& curves);

/// The names of the axes, and the point of each curve that is nearest to x.
std::string describe_curves(const std::vector<DrawnCurve>& curves, double x);

/// Plots one below the other as .svg, .pdf or .png, or their table as .csv. Throws Error where it cannot be written.
void write_plots(const std::string& file, const std::vector<Overlay>& plots);

}  // namespace flipscope::app
