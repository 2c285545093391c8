// Draws ids and names of elements into a picture: where they go is found out anew for every frame. The window and
// pictures made without one share this.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/box.h"
#include "app/figures/highlights.h"
#include "app/view/palette.h"
#include "lab/element_labels.h"

namespace flipscope::app {

/// What is seen of the plane in a view.
InView in_view(uint32_t part, const ShownView& view);

/// Draws those that overlap none before them; vertices come first. Returns the labels drawn.
std::vector<std::pair<std::string, Box>> draw_element_labels(ImDrawList& draw, const ImFont& font,
                                                             const Palette& colors, float scale,
                                                             const std::vector<ElementLabel>& labels,
                                                             const std::vector<ShownView>& views);

}  // namespace flipscope::app
