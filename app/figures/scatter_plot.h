// One quantity over another: a dot for each element, and where there are many the number of elements in each of many
// hexagons. For the window and for files. Draws what it is given; the numbers are those of SceneStatistics.
#pragma once

#include <string>
#include <vector>

#include "app/figures/curve_plot.h"
#include "instruments/scene_statistics.h"

namespace flipscope::app {

/// Above this number of elements hexagons are drawn.
inline constexpr size_t kMostDots = 10'000;

/// Where the elements of a scatter lie on its axes: in its box, from 0 to 1, y upwards.
struct PlacedScatter {
    PlotPlane plane;
    std::vector<Point> places;  // (n) NaN: no place on a logarithmic axis
    size_t left_out = 0;        // of these
};
/// `log`: an axis without a number above zero stays linear.
PlacedScatter place_scatter(const Scatter& scatter, LogarithmicAxes log);

/// Hexagons across a box, on a lattice of rows whose pitch fits the box.
struct HexBins {
    struct Cell {
        Point middle;  // in the box, 0 to 1
        uint32_t count = 0, selected = 0;
    };
    std::vector<Cell> cells;  // with elements
    uint32_t most = 0;
    Point half;  // from the middle to the side and to the upper corner, of the box
};
/// Hexagons as regular as they can be for `aspect`, width over height of the box.
HexBins bin_scatter(const Scatter& scatter, const PlacedScatter& placed, double aspect);

/// Draws the plot with its legend at the lower end of the area, which is scatter_legend_height() high.
PlotPlane draw_scatter(const Ink& ink, const Area& area, const Scatter& scatter, PlacedScatter placed);
double scatter_legend_height(const Ink& ink, const Scatter& scatter);

/// "n = 47, Pearson r = 0.53, Spearman ρ = 0.49"
std::string correlation_text(const Correlation& correlation);
/// "cell area (m²) over dbh (cm)"
std::string scatter_title(const Scatter& scatter);
/// A row for each element.
std::string scatter_csv(const Scatter& scatter);

}  // namespace flipscope::app
