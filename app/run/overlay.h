// Curves of several runs laid over each other: a lab's own (flow profiles of several concentrations), its
// distributions, and its counters and measures round by round. As a table (CSV); figures/curve_plot.h draws them. Knows
// no lab.
#pragma once

#include <string>
#include <vector>

#include "instruments/history.h"
#include "lab/lab.h"

namespace flipscope::app {

/// A curve, and the weight of its values beyond the ends of the x axis.
struct PlottedCurve : Curve {
    double below = 0, above = 0;
    std::string distribution = {}, series = {};  // "waiting times of pairs" and "found": one of its two named series
    bool points = false;                         // separate points, not a line
};

/// The curves of a run and its name: "packing=0.3", or empty for a single run.
struct RunCurves {
    std::string run;
    std::vector<PlottedCurve> own;     // the lab's statistics
    std::vector<PlottedCurve> others;  // further curves to choose from
};

/// One plot: the same curve of every run that has it, or both series of a distribution.
struct Overlay {
    struct Line {
        std::string run, label;  // label: for the legend, "φ = 0.43 (packing=0.5)"
        PlottedCurve curve;
    };
    std::string name;
    std::vector<Line> lines;
};

/// A distribution as a curve through its bin centres; two curves for two series.
std::vector<PlottedCurve> curves_of(const Distribution& distribution);
/// Every counter and measure by round: sums of counters, last values of levels and measures.
std::vector<PlottedCurve> curves_of(const std::vector<StepResult>& passes, const LabInfo& info);
/// The same for a long run. Where neighbouring rounds are summed up, a curve goes from their least value, at the first
/// round, to the greatest, at the last.
std::vector<PlottedCurve> curves_of(const History& passes, const LabInfo& info);

/// The plots of these names; no names: the lab's own curves. Throws Error with the known names for an unknown one, or
/// if there are no curves.
std::vector<Overlay> lay_over(const std::vector<RunCurves>& runs, const std::vector<std::string>& names);

/// Frees the curves that lay_over() would not use for these names.
void keep_chosen(RunCurves& run, const std::vector<std::string>& names);

/// A line's legend text from two labels that distinguish its run, either possibly empty.
std::string legend_text(const std::string& label, const std::string& run);

/// A row for every point: curve, run, label, x, y, and its error if any are known. Numbers read back as they were.
std::string overlay_csv(const std::vector<Overlay>& plots);

}  // namespace flipscope::app
