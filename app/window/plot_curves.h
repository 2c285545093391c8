// Lines over one x axis, those of earlier runs under the present one, with a legend below. Knows no lab.
#pragma once

#include <string>
#include <vector>

#include "app/run/overlay.h"
#include "app/window/plot.h"

namespace flipscope::app {

/// The first one is drawn last, over the others, and stronger; it names the axes. `height` is without the legend.
void draw_curves(const char* id, const std::vector<DrawnCurve>& curves, const PlotStyle& style, float height);

}  // namespace flipscope::app
