// Reports on the screen: the one writer of what labs tell in panels. The inspector, the results and the distributions
// are drawn by it.
#pragma once

#include "app/window/ui.h"

namespace flipscope::app {

/// All sections below each other at the cursor: diagrams side by side, properties as name, value and why, with
/// links as words to click, tables with a
/// tick or a cross for a truth, distributions and curves as plots. `most`: how high the diagrams may be.
void draw_report(Ui& ui, const Report& report, float most);

/// Of its sections the distributions alone.
void draw_distributions(Ui& ui, const Report& report);

/// Numbers in two columns: the name, and the value flush right; units that find no room are in the tooltip.
void draw_numbers(const Ui& ui, const Properties& numbers);

}  // namespace flipscope::app
