// Draws reports: the only writer of labs' texts in panels. Used by the inspector, the results and the distributions.
#pragma once

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

}  // namespace flipscope::app
