#include "app/window/panels/running_totals.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace flipscope::app {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A counter or a measure as a quantity of a plot.
struct Quantity {
    size_t index = 0;  // into the step's counters or measures
    bool is_measure = false, is_gauge = false;
    std::string name;

    Quantity(const LabInfo& info, int quantity) {
        index = static_cast<size_t>(quantity);
        is_measure = index >= info.counters.size();
        if (is_measure) index -= info.counters.size();
        if (is_measure) {
            const MeasureInfo& measure = info.measures[index];
            name = measure.name + (measure.unit.empty() ? "" : " (" + measure.unit + ")");
        } else {
            name = info.counters[index].name;
            is_gauge = info.counters[index].is_gauge;
        }
    }
    bool sums() const { return !is_measure && !is_gauge; }
    /// Empty if the bucket did not count it.
    Summary<double> of(const Bucket& bucket) const {
        if (is_measure) return index < bucket.measures.size() ? bucket.measures[index] : Summary<double>{};
        if (index >= bucket.counters.size()) return {};
        const Summary<int64_t>& counts = bucket.counters[index];
        return {static_cast<double>(counts.low), static_cast<double>(counts.high), static_cast<double>(counts.sum),
                counts.count};
    }
};

void sum_up(const LabModel& model, RunningTotals& running) {
    const Totals& totals = model.history.totals();
    running.round = totals.round;
    running.total = totals.total;
    running.first = totals.first;
    running.now = totals.now;
    for (auto* counts : {&running.round, &running.total}) counts->resize(model.info.counters.size(), kNotCounted);
    for (auto* values : {&running.first, &running.now}) values->resize(model.info.measures.size(), kNan);
}

std::vector<Quantity> chosen(const LabModel& model, const PlotChoice& choice) {
    std::vector<Quantity> found{Quantity(model.info, choice.quantity)};
    if (choice.second >= 0) found.emplace_back(model.info, choice.second);
    return found;
}

PlotSeries series_of(const std::vector<Quantity>& quantities, std::string x_name) {
    PlotSeries series;
    series.x_name = std::move(x_name);
    series.lines = quantities[0].is_measure;
    for (const Quantity& quantity : quantities) series.of.push_back({quantity.name, {}, {}, {}, {}});
    return series;
}

/// Places a bucket of rounds or passes at the middle of its range.
void append(PlotSeries& series, const std::vector<Quantity>& quantities, const Bucket& bucket, double first,
            double last) {
    series.places.push_back(0.5 * (first + last));
    series.widths.push_back(last - first + 1);
    for (size_t k = 0; k < quantities.size(); ++k) {
        const Summary<double> values = quantities[k].of(bucket);
        PlotSeries::Values& to = series.of[k];
        to.values.push_back(values.mean());
        to.low.push_back(values.count > 0 ? values.low : kNan);
        to.high.push_back(values.count > 0 ? values.high : kNan);
        to.weights.push_back(static_cast<double>(values.count));
    }
}

/// Removes widths and ranges if every value stands for itself.
void simplify(PlotSeries& series) {
    if (std::ranges::any_of(series.widths, [](double width) { return width > 1; })) return;
    series.widths.clear();
    for (PlotSeries::Values& one : series.of) one.low.clear(), one.high.clear(), one.weights.clear();
}

}  // namespace

// A round that did not count something has a count of zero.
PlotSeries series_per_round(const LabModel& model, const PlotChoice& choice) {
    const std::vector<Quantity> quantities = chosen(model, choice);
    PlotSeries series = series_of(quantities, "round");
    bool single = true;
    uint32_t last = 0;
    model.history.for_each_round_bucket([&](const Bucket& bucket) {
        single &= bucket.items == 1;
        last = std::max({last, bucket.round, bucket.last_round});
        for (const Quantity& quantity : quantities) series.counted |= quantity.of(bucket).count > 0;
    });
    if (single && last <= 2 * History::kMostBuckets) {
        for (size_t k = 0; k < quantities.size(); ++k)
            series.of[k].values.assign(last, quantities[k].is_measure ? kNan : 0);
        model.history.for_each_round_bucket([&](const Bucket& bucket) {
            if (bucket.step < model.position) series.shown = std::max<size_t>(series.shown, bucket.round);
            for (size_t k = 0; k < quantities.size(); ++k) {
                const Summary<double> value = quantities[k].of(bucket);
                if (value.count == 0) continue;
                double& place = series.of[k].values[bucket.round - 1];
                place = quantities[k].sums() ? place + value.sum : value.sum;
            }
        });
        return series;
    }
    model.history.for_each_round_bucket([&](const Bucket& bucket) {
        append(series, quantities, bucket, bucket.round, std::max(bucket.round, bucket.last_round));
        if (bucket.step < model.position) series.shown = series.places.size();
        for (size_t k = 0; k < quantities.size(); ++k) {
            if (quantities[k].is_measure) continue;
            const Summary<double> values = quantities[k].of(bucket);
            PlotSeries::Values& to = series.of[k];
            to.values.back() = values.sum / static_cast<double>(bucket.items);
            to.weights.back() = static_cast<double>(bucket.items);
            if (values.count == bucket.items) continue;
            to.low.back() = std::min(values.low, 0.0);
            to.high.back() = std::max(values.high, 0.0);
        }
    });
    series.last_place = last;
    return series;
}

// Of the passes that count at least one of the quantities.
PlotSeries series_per_pass(const LabModel& model, const PlotChoice& choice) {
    const std::vector<Quantity> quantities = chosen(model, choice);
    PlotSeries series = series_of(quantities, "pass");
    series.last_place = static_cast<double>(model.known());
    model.history.for_each_step_bucket([&](const Bucket& bucket) {
        const bool any =
            std::ranges::any_of(quantities, [&](const Quantity& quantity) { return quantity.of(bucket).count > 0; });
        if (!any) return;
        append(series, quantities, bucket, static_cast<double>(bucket.begin + 1), static_cast<double>(bucket.end()));
        series.counted = true;
        if (bucket.begin < model.position) series.shown = series.places.size();
    });
    simplify(series);
    return series;
}

namespace {

bool valid(const LabModel& model, const PlotChoice& choice) {
    const auto count = static_cast<int>(model.info.counters.size() + model.info.measures.size());
    return choice.quantity >= 0 && choice.quantity < count && choice.second < count;
}

}  // namespace

const RunningTotals& running_totals_of(const Ui& ui) {
    static RunningTotals running;
    static std::tuple made_for(UINT64_MAX, -1, -1, -1, -1);  // state and chosen quantities
    const PlotChoice &a = ui.state.per_round, &b = ui.state.per_pass;
    const auto now = std::tuple(ui.session.state_id(), a.quantity, a.second, b.quantity, b.second);
    if (std::exchange(made_for, now) == now) return running;
    sum_up(ui.model, running);
    running.rounds = valid(ui.model, a) ? series_per_round(ui.model, a) : PlotSeries{};
    running.passes = valid(ui.model, b) ? series_per_pass(ui.model, b) : PlotSeries{};
    return running;
}

}  // namespace flipscope::app
