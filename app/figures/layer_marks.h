// What layers bring along besides their shapes: bars of their colour scales, and the words of labels. Drawn with Dear
// ImGui's draw lists. Knows no lab.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "app/figures/box.h"
#include "app/render/renderer.h"
#include "app/view/palette.h"

namespace flipscope::app {

/// A bar of colours from `low` to `high` with its name, its unit and numbers below it, over a ground of the canvas'
/// colour. `ticks`: where numbers stand, 0…1 along the bar, and which.
struct BarTick {
    double place, value;
};
void draw_colour_bar(ImDrawList& draw, const ImFont& font, const Palette& colors, float scale, const Box& area,
                     const std::string& name, const std::string& unit, const std::vector<BarTick>& ticks,
                     const std::function<Color(double place)>& colour_at);
/// That of a scale: numbers at both ends and in the middle, or at powers of ten.
void draw_colour_bar(ImDrawList& draw, const ImFont& font, const Palette& colors, float scale, const Box& area,
                     const ColourScale& of);
float colour_bar_height(const ImFont& font, float scale);

/// `corner`: where the canvas begins on the screen; `pixel`: screen units of a pixel of the canvas.
void draw_layer_labels(ImDrawList& draw, const ImFont& font, const Palette& colors,
                       const std::vector<PlacedLabel>& labels, ImVec2 corner, float pixel);

}  // namespace flipscope::app
