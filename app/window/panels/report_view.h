// Draws reports: the only writer of labs' texts in panels. Used by the inspector, the results and the distributions.
#pragma once

#include <vector>

#include "app/window/ui.h"

namespace flipscope::app {

/// Draws all sections at the cursor, one below the other: diagrams side by side, properties as name, value and reason
/// with links to click, tables with a tick or a cross for a truth value, distributions and curves as plots. `most`:
/// largest height of a diagram.
void draw_report(Ui& ui, const Report& report, float most);

/// Draws only the distributions of its sections.
void draw_distributions(Ui& ui, const Report& report);

/// Numbers in two columns: the name, and the value flush right; units that do not fit go into the tooltip.
void draw_numbers(const Ui& ui, const Properties& numbers);

/// Draws a lab's diagrams side by side with their titles above, as large as `width` allows; one below the other if they
/// would be too small. Cells have their tints from the picture; links, sites and words the colours of their roles.
void draw_diagrams(const Ui& ui, const std::vector<const Diagram*>& diagrams, float width, float most_height);

/// The sign for an edge between two cells that is too short to be visible.
void draw_vanishing_edge(const Ui& ui, ImDrawList& draw, ImVec2 at);

}  // namespace flipscope::app
