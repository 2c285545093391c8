#include "app/run/overlay.h"

#include <algorithm>
#include <cmath>

#include "app/base/number_text.h"
#include "app/run/table_files.h"
#include "compute/error.h"
#include "compute/suggest.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

/// A curve by round for every counter and measure, filled by `add_counter` and `add_measure`; those with points.
template <class Counter, class Measure>
std::vector<PlottedCurve> curves_by_round(const LabInfo& info, const Counter& add_counter, const Measure& add_measure) {
    std::vector<PlottedCurve> curves;
    const auto add = [&](const auto& of, const std::string& unit, const auto& fill, size_t i) {
        PlottedCurve curve;
        curve.name = of.name;
        curve.sentence = of.sentence;
        curve.x_name = "round";
        curve.y_name = of.name + (unit.empty() ? "" : " (" + unit + ")");
        fill(curve, i);
        if (!curve.x.empty()) curves.push_back(std::move(curve));
    };
    for (size_t i = 0; i < info.counters.size(); ++i) add(info.counters[i], "", add_counter, i);
    for (size_t i = 0; i < info.measures.size(); ++i) add(info.measures[i], info.measures[i].unit, add_measure, i);
    return curves;
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<PlottedCurve> curves_of(const Distribution& distribution) {
    std::vector<PlottedCurve> curves;
    const size_t bins = distribution.now.size();
    if (bins == 0) return curves;
    const Distribution usual;
    const auto add = [&](const std::vector<double>& counts, const std::string& name, const std::string& usual_name) {
        if (counts.size() != bins) return;
        PlottedCurve curve;
        curve.name = distribution.name + (name == usual_name ? name == usual.now_name ? "" : ", before" : ": " + name);
        if (name != usual_name) curve.distribution = distribution.name, curve.series = name;
        curve.sentence = distribution.sentence;
        curve.x_name = distribution.name + (distribution.unit.empty() ? "" : " (" + distribution.unit + ")");
        curve.y_name = distribution.counted.empty() ? "how many" : distribution.counted;
        curve.low = distribution.low;
        curve.high = distribution.high;
        curve.logarithmic = {distribution.in_decades, distribution.logarithmic};
        for (size_t i = 0; i < bins; ++i) {
            const double from = distribution.edge(i), to = distribution.edge(i + 1);
            curve.x.push_back(distribution.in_decades ? std::sqrt(from * to) : from + 0.5 * (to - from));
            curve.y.push_back(counts[i]);
        }
        if (&counts == &distribution.now) curve.below = distribution.below, curve.above = distribution.above;
        curves.push_back(std::move(curve));
    };
    add(distribution.now, distribution.now_name, usual.now_name);
    add(distribution.before, distribution.before_name, usual.before_name);
    return curves;
}

std::vector<PlottedCurve> curves_of(const std::vector<StepResult>& passes, const LabInfo& info) {
    const auto add = [](PlottedCurve& curve, const StepResult& pass, double value, bool sums) {
        if (std::isnan(value)) return;
        if (curve.x.empty() || curve.x.back() != pass.round) {
            curve.x.push_back(pass.round);
            curve.y.push_back(value);
        } else {
            curve.y.back() = value + (sums ? curve.y.back() : 0);
        }
    };
    const auto add_counter = [&](PlottedCurve& curve, size_t i) {
        for (const StepResult& pass : passes)
            if (i < pass.counters.size() && pass.counters[i] != kNotCounted)
                add(curve, pass, static_cast<double>(pass.counters[i]), !info.counters[i].is_gauge);
    };
    const auto add_measure = [&](PlottedCurve& curve, size_t i) {
        for (const StepResult& pass : passes)
            if (i < pass.measures.size()) add(curve, pass, pass.measures[i], false);
    };
    return curves_by_round(info, add_counter, add_measure);
}

std::vector<PlottedCurve> curves_of(const History& passes, const LabInfo& info) {
    const auto add = [&](PlottedCurve& curve, size_t i, auto of) {
        uint64_t most = 1;
        passes.for_each_round_bucket([&](const Bucket& bucket) {
            const auto& values = (bucket.*of).at(i);
            if (values.count == 0) return;
            most = std::max(most, bucket.items);
            curve.x.push_back(bucket.round);
            curve.y.push_back(static_cast<double>(values.low));
            if (bucket.items == 1) return;
            curve.x.push_back(bucket.last_round);
            curve.y.push_back(static_cast<double>(values.high));
        });
        if (most > 1)
            curve.remark = "of up to " + number_text(static_cast<double>(most)) +
                           " rounds together, the least and the greatest value";
    };
    return curves_by_round(
        info, [&](PlottedCurve& curve, size_t i) { add(curve, i, &Bucket::counters); },
        [&](PlottedCurve& curve, size_t i) { add(curve, i, &Bucket::measures); });
}

std::string legend_text(const std::string& label, const std::string& run) {
    if (label.empty() || run.empty()) return label + run;
    return label + " (" + run + ")";
}

std::vector<Overlay> lay_over(const std::vector<RunCurves>& runs, const std::vector<std::string>& names) {
    std::vector<Overlay> plots;
    std::vector<std::string> known;
    const auto take = [&](const RunCurves& run, const PlottedCurve& curve, bool own) {
        const bool whole = !curve.distribution.empty() && (names.empty() || is_among(names, curve.distribution));
        for (const std::string& name : {curve.distribution, curve.name})
            if (!name.empty() && !is_among(known, name)) known.push_back(name);
        if (!(names.empty() ? own : whole || is_among(names, curve.name))) return;
        PlottedCurve line = curve;
        if (whole) line.name = curve.distribution, line.label = curve.series;
        auto plot = std::find_if(plots.begin(), plots.end(), [&](const Overlay& one) { return one.name == line.name; });
        if (plot == plots.end()) plot = plots.insert(plots.end(), Overlay{line.name, {}});
        plot->lines.push_back({run.run, legend_text(line.label, run.run), std::move(line)});
    };
    for (const RunCurves& run : runs) {
        for (const PlottedCurve& curve : run.own) take(run, curve, true);
        for (const PlottedCurve& curve : run.others) take(run, curve, false);
    }
    for (const std::string& name : names)
        if (!is_among(known, name)) {
            const std::string meant = nearest_word(name, known);
            throw Error("--curve: there is no \"" + name + "\"" +
                        (meant.empty() ? "" : "; did you mean \"" + meant + "\"?") + " (there are " +
                        (known.empty() ? "no curves" : join_words(known, " and ")) + ")");
        }
    if (plots.empty())
        throw Error("--plot: this lab has no curve of its own here" +
                    (known.empty() ? "" : "; choose one with --curve: " + join_words(known)));
    return plots;
}

void keep_chosen(RunCurves& run, const std::vector<std::string>& names) {
    const auto unwanted = [&](const PlottedCurve& curve) {
        return !is_among(names, curve.name) && !is_among(names, curve.distribution);
    };
    if (!names.empty()) std::erase_if(run.own, unwanted);
    std::erase_if(run.others, unwanted);
}

std::string overlay_csv(const std::vector<Overlay>& plots) {
    struct At {
        const Overlay* plot;
        const Overlay::Line* line;
        size_t point;
    };
    std::vector<At> rows;
    bool any_errors = false, any_bands = false;
    for (const Overlay& plot : plots)
        for (const Overlay::Line& line : plot.lines) {
            any_errors = any_errors || !line.curve.errors.empty();
            any_bands = any_bands || !line.curve.band_low.empty();
            for (size_t i = 0; i < line.curve.x.size(); ++i) rows.push_back({&plot, &line, i});
        }
    Table table{columns_named({"curve", "run", "label", "x", "y"}), rows.size(), {}};
    if (any_errors) table.columns.push_back({"error", ""});
    if (any_bands) table.columns.insert(table.columns.end(), {{"low", ""}, {"high", ""}});
    table.row = [&rows, any_errors, any_bands](size_t i) {
        const auto& [plot, line, point] = rows[i];
        Table::Row row{{plot->name, line->run, line->curve.label, line->curve.x[point], line->curve.y[point]}};
        const auto add = [&](const std::vector<double>& of) { row.cells.emplace_back(of.empty() ? NAN : of[point]); };
        if (any_errors) add(line->curve.errors);
        if (any_bands) add(line->curve.band_low), add(line->curve.band_high);
        return row;
    };
    return csv_of(table);
}

}  // namespace flipscope::app
