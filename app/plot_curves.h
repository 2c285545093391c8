// Lines over one x axis, those of earlier runs under the present one, with a legend below. Knows no lab.
#pragma once

#include <string>
#include <vector>

#include "app/plot.h"
#include "steps/algorithm.h"

namespace flipscope::app {

struct DrawnCurve {
    const Curve* curve;
    std::string label;  // in the legend; empty: not listed
    Color color;
};

/// The first one is drawn last, over the others, and stronger; it names the axes. `height` is without the legend.
void draw_curves(const char* id, const std::vector<DrawnCurve>& curves, const PlotLook& look, float height);

/// Whether a logarithmic axis would show anything: what is not above zero has no place on it.
bool has_logarithm(const std::vector<DrawnCurve>& curves);

/// The names of the axes, and what each curve has nearest to x.
std::string describe_curves(const std::vector<DrawnCurve>& curves, double x);

}  // namespace flipscope::app
