// Sums over the history up to this state, for the tables and plots of the right panel. Recomputed only when the state
// or the choice of plots changes, at a cost independent of the run's length.
#pragma once

#include <cstdint>
#include <vector>

#include "app/window/plot.h"
#include "app/window/ui.h"

namespace flipscope::app {

struct RunningTotals {
    std::vector<int64_t> round, total;  // by counter: over this round, over all passes so far; kNotCounted: none
    std::vector<double> first, now;     // by measure: first and latest value; NaN: not yet measured
    PlotSeries rounds, passes;          // of the plots' chosen quantities
};

/// The chosen quantities of a run, by round and by pass: every value of a short run; means of neighbours, with their
/// minimum and maximum, for a long one.
PlotSeries series_per_round(const LabModel& model, const PlotChoice& choice);
PlotSeries series_per_pass(const LabModel& model, const PlotChoice& choice);

/// Valid until the next call.
const RunningTotals& running_totals_of(const Ui& ui);

}  // namespace flipscope::app
