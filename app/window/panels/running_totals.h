// What the history comes to in this state, for the tables and plots of the right panel. Made anew only when the state
// or the choice of plots changes, and at a cost that does not go with the length of the run.
#pragma once

#include <cstdint>
#include <vector>

#include "app/window/plot.h"
#include "app/window/ui.h"

namespace flipscope::app {

struct RunningTotals {
    std::vector<int64_t> round, total;  // by counter: over this round, over all passes so far; kNotCounted
    std::vector<double> first, now;     // by measure: when first taken, when last taken; NaN: not yet
    PlotSeries rounds, passes;          // as the interface's state chooses
};

/// What is chosen of a run, by round and by pass: value by value in a short one; in a long one means of neighbours,
/// with the least and the greatest of them.
PlotSeries series_per_round(const LabModel& model, const PlotChoice& choice);
PlotSeries series_per_pass(const LabModel& model, const PlotChoice& choice);

/// Valid until the next call.
const RunningTotals& running_totals_of(const Ui& ui);

}  // namespace flipscope::app
