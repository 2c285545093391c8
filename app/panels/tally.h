// What the history comes to at this moment, for the tables and plots of the right panel. Made anew only when the moment
// or the choice of plots changes: a history can be long.
#pragma once

#include <cstdint>
#include <vector>

#include "app/plot.h"
#include "app/window_ui.h"

namespace flipscope::app {

struct Tally {
    std::vector<int64_t> round, total;  // by counter: over this round, over all passes so far; kNotCounted
    std::vector<double> first, now;     // by measure: when first taken, when last taken; NaN: not yet
    PlotSeries rounds, passes;          // as the interface's state chooses
};

/// Valid until the next call.
const Tally& tally_of(const Ui& ui);

}  // namespace flipscope::app
