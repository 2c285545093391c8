// Figures of the benchmark as SVG: time against n, or against block size, both axes logarithmic, or counts on a linear
// axis. Written by hand, so that a plot needs nothing but the program.
#pragma once

#include <string>
#include <vector>

#include "bench/experiments.h"

namespace flipscope::bench {

struct Curve {
    std::string name;
    int colour = 0;            // index into the palette: one for each distribution
    int dash = 0;              // 0: solid, for ours and for exact; others for peers and variants
    std::vector<double> x, y;  // both > 0; y may be 0 where its axis is linear
};

/// A line across the figure.
struct Level {
    std::string name;
    double y = 0;  // > 0
};

struct Figure {
    std::string title, x_label, y_label;
    double x_base = 10;  // of the ticks
    std::vector<Curve> curves;
    std::vector<Level> levels;
    bool y_linear = false;  // from 0
    /// The curve of that name, made with this colour and dash when it is new.
    Curve& curve(const std::string& name, int colour, int dash);
};

/// Where it stands in the list; a new one is appended.
int index_of(const std::string& word, std::vector<std::string>& list);

std::string to_svg(const Figure& figure);
/// Several in one picture, two in a row.
std::string to_svg(const std::vector<Figure>& figures);

/// One figure for the cases of one experiment; no curves where there are none.
Figure figure_of(const std::vector<Case>& cases, const std::string& experiment);

}  // namespace flipscope::bench
