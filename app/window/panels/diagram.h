// Draws a lab's diagrams: cells in the tints they have in the picture, links, sites and words in the colours of their
// roles. The inspector and the detail view show them.
#pragma once

#include <vector>

#include "app/window/ui.h"

namespace flipscope::app {

/// Draws at the cursor, `width` wide and as high as its aspect asks, but at most `most_height`; whole, undistorted and
/// in the middle. Leaves the cursor below.
void draw_diagram(const Ui& ui, const Diagram& diagram, float width, float most_height);

/// Diagrams beside each other with their titles above, as large as `width` allows; below each other where they would
/// get too small.
void draw_diagrams(const Ui& ui, const std::vector<const Diagram*>& diagrams, float width, float most_height);

/// What stands for an edge between two cells that is too short to be seen.
void draw_vanishing_edge(const Ui& ui, ImDrawList& draw, ImVec2 at);

}  // namespace flipscope::app
