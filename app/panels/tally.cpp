#include "app/panels/tally.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flipscope::app {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One counter or one measure, as a plot sees it.
struct Quantity {
    size_t index = 0;  // into the step's counters or measures
    bool is_measure = false, standing = false;
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
            standing = info.counters[index].standing;
        }
    }
    /// NaN: not of this pass.
    double of(const StepResult& step) const {
        if (is_measure) return index < step.measures.size() ? step.measures[index] : kNan;
        if (index >= step.counters.size() || step.counters[index] == kNotCounted) return kNan;
        return static_cast<double>(step.counters[index]);
    }
    bool sums() const { return !is_measure && !standing; }
};

void add(int64_t& sum, int64_t value, bool standing) {
    if (value == kNotCounted) return;
    sum = standing || sum == kNotCounted ? value : sum + value;
}

void sum_up(const LabModel& model, Tally& tally) {
    const std::vector<CounterInfo>& counters = model.info.counters;
    tally.round.assign(counters.size(), kNotCounted);
    tally.total = tally.round;
    tally.first.assign(model.info.measures.size(), kNan);
    tally.now = tally.first;
    const StepResult* last = model.last();
    for (uint64_t i = 0; i < std::min(model.position, model.known()); ++i) {
        const StepResult& step = model.history[i];
        for (size_t k = 0; k < std::min(step.counters.size(), counters.size()); ++k) {
            add(tally.total[k], step.counters[k], counters[k].standing);
            if (last->round > 0 && step.round == last->round)
                add(tally.round[k], step.counters[k], counters[k].standing);
        }
        for (size_t k = 0; k < std::min(step.measures.size(), tally.now.size()); ++k) {
            if (std::isnan(step.measures[k])) continue;
            tally.now[k] = step.measures[k];
            if (std::isnan(tally.first[k])) tally.first[k] = step.measures[k];
        }
    }
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
    for (const Quantity& quantity : quantities) series.of.push_back({quantity.name, {}});
    return series;
}

PlotSeries per_round(const LabModel& model, const PlotChoice& choice) {
    const std::vector<Quantity> quantities = chosen(model, choice);
    PlotSeries series = series_of(quantities, "round");
    for (uint64_t i = 0; i < model.known(); ++i) {
        const StepResult& step = model.history[i];
        if (i < model.position) series.shown = std::max<size_t>(series.shown, step.round);
        if (step.round == 0) continue;
        for (size_t k = 0; k < quantities.size(); ++k) {
            std::vector<double>& values = series.of[k].values;
            if (values.size() < step.round) values.resize(step.round, quantities[k].is_measure ? kNan : 0);
            const double value = quantities[k].of(step);
            if (std::isnan(value)) continue;
            series.counted = true;
            double& place = values[step.round - 1];
            place = quantities[k].sums() ? place + value : value;
        }
    }
    return series;
}

// Of the passes that count it: of two quantities, those that count one of them.
PlotSeries per_pass(const LabModel& model, const PlotChoice& choice) {
    const std::vector<Quantity> quantities = chosen(model, choice);
    PlotSeries series = series_of(quantities, "pass");
    series.last_place = static_cast<double>(model.known());
    for (uint64_t i = 0; i < model.known(); ++i) {
        const StepResult& step = model.history[i];
        bool any = false;
        for (const Quantity& quantity : quantities) any |= !std::isnan(quantity.of(step));
        if (!any) continue;
        for (size_t k = 0; k < quantities.size(); ++k) series.of[k].values.push_back(quantities[k].of(step));
        series.places.push_back(static_cast<double>(i + 1));
        series.counted = true;
        if (i < model.position) series.shown = series.places.size();
    }
    return series;
}

bool valid(const LabModel& model, const PlotChoice& choice) {
    const auto count = static_cast<int>(model.info.counters.size() + model.info.measures.size());
    return choice.quantity >= 0 && choice.quantity < count && choice.second < count;
}

/// What a tally was made for.
struct Moment {
    uint64_t position = ~uint64_t(0), known = 0, revision = 0;
    int choices[4] = {-1, -1, -1, -1};
    std::string lab;
    bool operator==(const Moment&) const = default;
};

}  // namespace

const Tally& tally_of(const Ui& ui) {
    static Tally tally;
    static Moment made_for;
    const PlotChoice &a = ui.state.per_round, &b = ui.state.per_pass;
    const Moment moment{ui.model.position,
                        ui.model.known(),
                        ui.session.revision(),
                        {a.quantity, a.second, b.quantity, b.second},
                        ui.model.info.id};
    if (moment == made_for) return tally;
    made_for = moment;
    sum_up(ui.model, tally);
    tally.rounds = valid(ui.model, a) ? per_round(ui.model, a) : PlotSeries{};
    tally.passes = valid(ui.model, b) ? per_pass(ui.model, b) : PlotSeries{};
    return tally;
}

}  // namespace flipscope::app
