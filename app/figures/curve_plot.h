// Plots: axes for all of them; curves over each other with a legend below. Laid out once, for the window and for files.
// Knows no lab.
#pragma once

#include <string>
#include <vector>

#include "app/figures/annotation.h"
#include "app/run/overlay.h"
#include "app/run/plot_axis.h"

namespace flipscope {
struct Scatter;
}

namespace flipscope::app {

struct DrawnCurve {
    const Curve* curve;
    std::string label;  // in the legend; empty: not listed
    Color color;
    bool strong = false;          // a wider line
    double dash = 0;              // of the size of the letters; 0: a whole line
    double below = 0, above = 0;  // number of values beyond the ends of its x axis
    bool points = false;          // separate, not joined by a line

    /// 0: unknown.
    double error(size_t i) const { return i < curve->errors.size() && curve->errors[i] > 0 ? curve->errors[i] : 0; }
};

/// Where the lines or bars of a plot lie.
struct PlotPlane {
    Axis x, y;
    Area box = {};

    double x_at(double value) const { return box.x + x.place(value) * box.width; }
    double y_at(double value) const { return box.bottom() - y.place(value) * box.height; }
};

/// Gaps between the box of a plot and the ends of its area, in units of the font size.
struct PlotMargins {
    double left = 0.45, right = 0.2;  // left: besides the numbers
};
/// Draws the axes in `area`: a grid with numbers left of the box, and the numbers of x in a line below it. Sets the
/// box, which is at least 1 wide and high.
void draw_axes(const Ink& ink, const Area& area, PlotPlane& plane, const std::string& x_unit = {},
               const PlotMargins& margins = {});

/// Requires a curve. The first is drawn last, over the others, and names the axes. An arrow marks an end of the x axis
/// that values of a curve exceed; the legend counts them. The name of a logarithmic axis counts the points that it
/// leaves out. Bars show standard errors. `log`: of drawable_axes().
PlotPlane draw_curves(const Ink& ink, const Area& area, const std::vector<DrawnCurve>& curves, LogarithmicAxes log);
/// Height of the legend, at the lower end of an area of this width.
double curve_legend_height(const Ink& ink, const std::vector<DrawnCurve>& curves, double width);

/// The wanted logarithmic axes, both or one, that show a point: zero and negative values have no place on them.
LogarithmicAxes drawable_axes(const std::vector<DrawnCurve>& curves, LogarithmicAxes wanted);

/// The names of the axes, and the point of each curve whose place on the axis is nearest to `at`, from 0 to 1.
std::string describe_curves(const std::vector<DrawnCurve>& curves, const Axis& x, double at);

/// The page of plots in a file. Without a size plots of 7.5 inches stand one below the other; on a page of a given size
/// they share it in rows and columns.
struct PlotPage {
    double width_pt = 0, height_pt = 0;  // points; 0: as many as needed
    double font_pt = 10;                 // font size, points
    double dpi = 192;                    // of PNG
    bool light = true;
    LogarithmicAxes log = {};  // besides those of the curves
};
/// Plots and a scatter (or nullptr) as .svg, .pdf or .png, or the table of the plots as .csv; of a scatter alone its
/// own. Throws Error if it cannot be written, or if the page is too small.
void write_plots(const std::string& file, const std::vector<Overlay>& plots, const Scatter* scatter = nullptr,
                 const PlotPage& page = {});

}  // namespace flipscope::app
