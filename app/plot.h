// A small plot: bars or a line over whole numbers, with axes, ticks at round values, and the value under the cursor.
// Knows nothing of triangulations.
#pragma once

#include <string>
#include <vector>

#include "app/theme.h"

namespace flipscope::app {

struct PlotSeries {
    std::vector<double> values;  // at x = 1, 2, 3, …; NaN: none
    size_t shown = 0;            // values from here on lie in the future of the scrubbed position and are drawn faint
    std::string x_name, y_name;  // "round", "points inserted": with the unit
};

struct PlotLook {
    const Palette& colors;
    const Fonts& fonts;
    Color color;
    float scale;
    bool logarithmic = false;
};

/// Draws into the next `height` pixels of the current window, as wide as there is room.
void draw_plot(const char* id, const PlotSeries& series, const PlotLook& look, float height);

/// "12,345", "1.25", "−3": at most `decimals` digits after the point.
std::string number_text(double value, int decimals = 0);
/// "950", "12.3 k", "1.20 M".
std::string short_number(double value);

}  // namespace flipscope::app
