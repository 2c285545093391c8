// Curves over one x axis, earlier runs below the current one, with a legend underneath. Independent of labs.
#pragma once

#include <string>
#include <vector>

#include "app/run/overlay.h"
#include "app/window/plot.h"

namespace flipscope::app {

/// The first curve names the axes; it is drawn last and strongest. `height` excludes the legend.
void draw_curves(const char* id, const std::vector<DrawnCurve>& curves, const PlotStyle& style, float height);

}  // namespace flipscope::app
