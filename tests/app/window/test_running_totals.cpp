// The data of plots and tables: of a short run every value, of a long one totals, with every spike.
#include "app/window/panels/running_totals.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

using namespace flipscope;
using namespace flipscope::app;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const PlotChoice kFlipped{0, -1, false}, kLeft{1, -1, false}, kHeight{2, -1, false}, kBoth{0, 1, false};

/// A model of a run of `steps`, three a round: the first counts "flipped", the second "left", the third has a height.
LabModel model_of(uint64_t steps, const std::map<uint64_t, int64_t>& spikes = {}) {
    LabModel model;
    model.info = {"test", "Test lab", "", "", {{"claim", ""}, {"flip", ""}}, {{"flipped", ""}, {"left", "", true}}};
    model.info.measures = {{"height", "", "m"}};
    model.history.clear(model.info);
    for (uint64_t i = 0; i < steps; ++i) {
        StepResult step;
        step.round = static_cast<uint32_t>(i / 3 + 1);
        const auto spike = spikes.find(i);
        const int64_t value = spike != spikes.end() ? spike->second : static_cast<int64_t>(i % 5);
        step.counters = {i % 3 == 0 ? value : kNotCounted, i % 3 == 1 ? value : kNotCounted};
        step.measures = {i % 3 == 2 ? static_cast<double>(value) + 0.5 : kNan};
        model.history.add(std::move(step));
    }
    model.position = steps;
    return model;
}

}  // namespace

TEST_CASE("tally: of a short run each value stands for itself, at its pass and its round") {
    LabModel model = model_of(3000);
    model.position = 2990;
    const PlotSeries passes = series_per_pass(model, kFlipped);
    CHECK_FALSE(passes.lines);
    CHECK(passes.counted);
    CHECK(passes.last_place == 3000);
    REQUIRE(passes.count() == 1000);
    CHECK(passes.of[0].low.empty());
    CHECK(passes.widths.empty());
    for (size_t i = 0; i < 1000; ++i) {
        CHECK(passes.of[0].values[i] == static_cast<double>(3 * i % 5));
        CHECK(passes.places[i] == static_cast<double>(3 * i + 1));
    }
    CHECK(passes.shown == 997);  // those before position 2990
    const PlotSeries both = series_per_pass(model, kBoth);
    REQUIRE(both.count() == 2000);
    CHECK(std::isnan(both.of[1].values[0]));
    CHECK(both.of[1].values[1] == 1);
    const PlotSeries rounds = series_per_round(model, kHeight);
    CHECK(rounds.lines);
    REQUIRE(rounds.count() == 1000);
    CHECK(rounds.of[0].name == "height (m)");
    for (size_t i = 0; i < 1000; ++i) CHECK(rounds.of[0].values[i] == static_cast<double>((3 * i + 2) % 5) + 0.5);
    CHECK(rounds.shown == 997);
    CHECK(series_per_round(model, kLeft).of[0].values[2] == 2);
}

TEST_CASE("tally: of a long run every spike of a single pass is in a plot of 800 columns, and sums are exact") {
    constexpr uint64_t kSteps = 1'000'000;
    std::map<uint64_t, int64_t> spikes{{0, 900}, {kSteps - 1, 901}, {kSteps - 2, 902}, {kSteps - 4, 903}};
    for (uint64_t i = 1; i < 60; ++i) spikes[i * 16'661 + i % 3] = 100 + static_cast<int64_t>(i);
    const LabModel model = model_of(kSteps, spikes);
    const PlotChoice choices[] = {kFlipped, kLeft, kHeight};
    for (size_t kind = 0; kind < 3; ++kind) {
        INFO(kind);
        const PlotSeries passes = series_per_pass(model, choices[kind]),
                         rounds = series_per_round(model, choices[kind]);
        CHECK(passes.count() <= History::kMostBuckets + 1);
        CHECK(rounds.count() <= History::kMostBuckets + 2);
        CHECK(passes.end() == kSteps);
        CHECK(rounds.end() == std::ceil(kSteps / 3.0));
        for (const PlotSeries* series : {&passes, &rounds}) {
            const double slot = 800 / series->end();
            const std::vector<PlotColumn> columns = columns_of(*series, 0, slot);
            REQUIRE(columns.size() == 800);
            for (const PlotColumn& column : columns) {
                REQUIRE(column.count > 0);
                REQUIRE(column.low <= column.mean);
                REQUIRE(column.mean <= column.high);
            }
            for (const auto& [step, height] : spikes) {
                if (step % 3 != kind) continue;
                const double place = series == &passes ? static_cast<double>(step) : static_cast<double>(step / 3);
                const auto at = static_cast<size_t>(place * slot);
                double seen = 0;
                for (size_t c = at > 0 ? at - 1 : 0; c <= std::min<size_t>(at + 1, 799); ++c)
                    seen = std::max(seen, columns[c].high);
                CHECK(seen >= static_cast<double>(height));
            }
        }
        // Means of columns are those of their values, however many of them a bucket sums up.
        for (const double slot : {800 / passes.end(), 5000 / passes.end(), 3 / passes.end()}) {
            double values = 0, weight = 0, wanted = 0, count = 0;
            for (const PlotColumn& column : columns_of(passes, 0, slot)) {
                values += column.mean * column.weight;
                weight += column.weight;
            }
            model.history.for_each_step_bucket([&](const Bucket& bucket) {
                wanted += kind < 2 ? static_cast<double>(bucket.counters[kind].sum) : bucket.measures[0].sum;
                count += static_cast<double>(kind < 2 ? bucket.counters[kind].count : bucket.measures[0].count);
            });
            CHECK(weight == doctest::Approx(count));
            CHECK(values == doctest::Approx(wanted));
        }
        if (kind > 0) continue;
        double from_rounds = 0;
        for (size_t i = 0; i < rounds.count(); ++i) from_rounds += rounds.of[0].values[i] * rounds.width_of(i);
        CHECK(from_rounds == doctest::Approx(static_cast<double>(model.history.totals().total[0])));
    }
}
