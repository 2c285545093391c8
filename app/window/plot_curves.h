// Lines over one x axis in a panel, with what is under the cursor in words. Knows no lab.
#pragma once

#include <vector>

#include "app/figures/curve_plot.h"
#include "app/window/plot.h"

namespace flipscope::app {

/// As wide as there is room. `height` is without the legend.
void draw_curves(const char* id, const std::vector<DrawnCurve>& curves, const PlotStyle& style, float height);

}  // namespace flipscope::app
