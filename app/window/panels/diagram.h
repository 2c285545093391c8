// Draws a lab's diagrams for the inspector and the detail view: cells in their tints from the picture; links, sites and
// words in the colours of their roles.
#pragma once

#include <vector>

#include "app/window/ui.h"

namespace flipscope::app {

/// Draws diagrams side by side with their titles above, as large as `width` allows; one below the other if they would
/// be too small.
void draw_diagrams(const Ui& ui, const std::vector<const Diagram*>& diagrams, float width, float most_height);

/// The sign for an edge between two cells that is too short to be visible.
void draw_vanishing_edge(const Ui& ui, ImDrawList& draw, ImVec2 at);

}  // namespace flipscope::app
