// Curves of several runs laid over each other: a lab's own (flow profiles of several concentrations), its
// distributions, and its counters and measures round by round. As a picture (SVG) and as a table (CSV). Draws nothing
// on the screen and knows no lab.
#pragma once

#include <string>
#include <vector>

#include "app/view/palette.h"
#include "instruments/history.h"
#include "lab/lab.h"

namespace flipscope::app {

/// A curve in a plot, and how many of what it counts lie beyond the ends of its x axis.
struct PlottedCurve : Curve {
    double below = 0, above = 0;
};

/// What a run has to show, and what the run is called: "packing=0.3", or empty where there is one only.
struct RunCurves {
    std::string run;
    std::vector<PlottedCurve> own;     // the lab's statistics
    std::vector<PlottedCurve> others;  // all else that can be chosen
};

/// One plot: the same curve of every run that has it.
struct Overlay {
    struct Line {
        std::string run, label;  // label: for the legend, "φ = 0.43 (packing=0.5)"
        PlottedCurve curve;
    };
    std::string name;
    std::vector<Line> lines;
};

/// A distribution as a curve through the middles of its bins; two where it has two series.
std::vector<PlottedCurve> curves_of(const Distribution& distribution);
/// Each counter and each measure over the rounds: sums of counters, last values of what stands and of measures.
std::vector<PlottedCurve> curves_of(const std::vector<StepResult>& passes, const LabInfo& info);
/// The same of a long run. Where neighbouring rounds are summed up, a curve goes from the least of their values, at the
/// first of them, to the greatest, at the last.
std::vector<PlottedCurve> curves_of(const History& passes, const LabInfo& info);

/// Those of these names; no names: the lab's own curves. Throws Error, with the names there are, for a name that no run
/// has, and where there is no curve at all.
std::vector<Overlay> lay_over(const std::vector<RunCurves>& runs, const std::vector<std::string>& names);

/// Lets go of the curves that lay_over() would not take for these names.
void keep_chosen(RunCurves& run, const std::vector<std::string>& names);

/// What a line is called in a legend, of what tells its run from others in two ways, each perhaps empty.
std::string legend_text(const std::string& label, const std::string& run);

/// A line on the screen.
struct DrawnCurve {
    const Curve* curve;
    std::string label;  // in the legend; empty: not listed
    Color color;
};

/// Whether a logarithmic axis would show anything: what is not above zero has no place on it.
bool has_logarithm(const std::vector<DrawnCurve>& curves);

/// The names of the axes, and what each curve has nearest to x.
std::string describe_curves(const std::vector<DrawnCurve>& curves, double x);

/// One plot below the other, each with its legend; an arrow at an end of the x axis and a sentence below it where
/// values lie beyond.
std::string overlay_svg(const std::vector<Overlay>& plots);
/// A row for every point: curve, run, label, x, y. Numbers read back as they were.
std::string overlay_csv(const std::vector<Overlay>& plots);

}  // namespace flipscope::app
