// Numbers as the panels write them, and the ticks of plots.
#include "app/base/number_text.h"
#include "app/run/plot_axis.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

using namespace flipscope::app;

namespace {

void check_ticks(const Axis& axis, int room) {
    INFO("from " << axis.low << " to " << axis.high << (axis.logarithmic ? ", logarithmic" : ""));
    const auto ticks = axis.ticks(room);
    CHECK(ticks.size() <= static_cast<size_t>(room) + 2);
    std::set<std::string> texts;
    double before = -std::numeric_limits<double>::infinity();
    for (const Tick& tick : ticks) {
        CHECK(tick.value > before);
        CHECK(axis.place(tick.value) >= -1e-9);
        CHECK(axis.place(tick.value) <= 1 + 1e-9);
        texts.insert(tick.text);
        before = tick.value;
    }
    CHECK(texts.size() == ticks.size());  // no two ticks read the same
}

}  // namespace

TEST_CASE("plot: values are written with six digits, and counts with commas") {
    CHECK(value_text(0) == "0");
    CHECK(value_text(1234567) == "1,234,567");
    CHECK(value_text(1234.5678) == "1,234.57");
    CHECK(value_text(0.0125) == "0.0125");
    CHECK(value_text(-3.5) == "\u22123.5");
    CHECK(value_text(1e-9) == "1e-09");
    CHECK(value_text(2.5e15) == "2.5e+15");
    CHECK(number_text(-0.001) == "0");
    CHECK(number_text(1234567) == "1,234,567");
    CHECK(short_number(12345) == "12.3 k");
}

TEST_CASE("plot: an axis of counts starts at nothing and holds the largest") {
    for (const double most : {0.0, 1.0, 2.0, 7.0, 99.0, 1000.0, 123456.0, 1e7, 3e9})
        for (const bool logarithmic : {false, true}) {
            const Axis axis = Axis::of_counts(most, logarithmic);
            CHECK(axis.place(0) == 0);
            CHECK(axis.place(std::max(most, 1.0)) > 0.3);
            CHECK(axis.place(most) <= 1);
            for (int room : {1, 3, 6}) check_ticks(axis, room);
            for (const Tick& tick : axis.ticks(4)) CHECK(tick.value == std::floor(tick.value));
        }
    CHECK(Axis::of_counts(1000, true).place(1) > 0);  // a bar of 1 is still a bar
}

TEST_CASE("plot: an axis of values holds them all, near together or far apart, of any size and sign") {
    constexpr std::pair<double, double> ranges[] = {{0, 1},         {3, 3},           {0, 0},         {-5, 5},
                                                    {-7, -6.9},     {71439.7, 71440}, {1e-12, 2e-12}, {1e6, 1.000001e6},
                                                    {-1e12, 3e-12}, {352336, 71439},  {1e15, 4e15},   {0.2, 60}};
    for (auto [least, most] : ranges) {
        if (least > most) std::swap(least, most);
        for (const bool logarithmic : {false, true}) {
            if (logarithmic && least <= 0) continue;
            const Axis axis = Axis::of_values(least, most, logarithmic);
            CHECK(axis.place(least) >= 0);
            CHECK(axis.place(most) <= 1);
            CHECK(axis.place(least) <= axis.place(most));
            for (int room : {1, 3, 6}) check_ticks(axis, room);
        }
    }
    const auto values_of = [](const Axis& axis) {
        std::vector<double> values;
        for (const Tick& tick : axis.ticks(6)) values.push_back(tick.value);
        return values;
    };
    for (const Tick& tick : Axis{5e-9, 2e-6, true, false}.ticks(6)) CHECK(tick.text.starts_with("1e-0"));
    CHECK(values_of({1, 10000, true, false}) == std::vector<double>{1, 10, 100, 1000, 10000});
    CHECK(values_of({2, 80, true, false}) == std::vector<double>{2, 5, 10, 20, 50});
    CHECK(values_of({1, 60, true, false}) == std::vector<double>{1, 2, 5, 10, 20, 50});
    CHECK(values_of({1, 900, true, false}) == std::vector<double>{1, 10, 100});
    const Axis none =
        Axis::of_values(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), false);
    check_ticks(none, 4);
}

TEST_CASE("plot: a logarithmic axis is offered for counts, and for values above zero alone") {
    PlotSeries series;
    series.of = {{"a", {1, 0, 5}}};
    CHECK(series.has_logarithm());
    series.lines = true;
    CHECK_FALSE(series.has_logarithm());
    series.of = {{"a", {1, 0.5, std::nan("")}}};
    CHECK(series.has_logarithm());
    series.of.push_back({"b", {1, -1, 2}});
    CHECK_FALSE(series.has_logarithm());
}

TEST_CASE("plot: an axis of passes holds all of them, with whole numbers") {
    for (const double last : {0.0, 1.0, 3.0, 8.0, 31.0, 400.0, 12345.0, 1e7}) {
        const Axis axis = Axis::of_places(last);
        CHECK(axis.place(1) > 0);
        CHECK(axis.place(std::max(last, 8.0)) < 1);
        for (int room : {1, 3, 30}) check_ticks(axis, room);
        for (const Tick& tick : axis.ticks(6)) CHECK(tick.value == std::floor(tick.value));
    }
}

TEST_CASE("plot: of values that not every pass has, the nearest to a pass is found") {
    PlotSeries series;
    series.of = {{"a", {10, 20, 30}}};
    CHECK(series.end() == 3);
    CHECK(series.nearest(2) == 1);
    CHECK(series.nearest(7) == 2);
    series.places = {4, 10, 11};
    CHECK(series.end() == 11);
    CHECK(series.nearest(1) == 0);
    CHECK(series.nearest(6) == 0);
    CHECK(series.nearest(8) == 1);
    CHECK(series.nearest(99) == 2);
    series.last_place = 40;  // passes that count nothing are passes, too
    CHECK(series.end() == 40);
}

TEST_CASE("plot: in columns of pixels every spike is seen") {
    PlotSeries series;
    series.lines = true;
    series.of = {{"a", std::vector<double>(100'000, 1)}};
    std::vector<double>& values = series.of[0].values;
    const std::vector<size_t> spikes{0, 1, 124, 125, 126, 49'999, 77'777, 99'999};
    for (const size_t spike : spikes) values[spike] = 100 + static_cast<double>(spike % 7);
    values[500] = -3;
    values[501] = std::nan("");
    const double slot = 800 / series.end();
    const std::vector<PlotColumn> columns = columns_of(series, 0, slot);
    REQUIRE(columns.size() == 800);
    size_t count = 0;
    for (const PlotColumn& column : columns) {
        REQUIRE(column.count > 0);
        CHECK(column.low <= column.mean);
        CHECK(column.mean <= column.high);
        count += column.count;
    }
    CHECK(count == values.size() - 1);
    for (const size_t spike : spikes) CHECK(columns[spike / 125].high >= values[spike]);
    CHECK(columns[4].low == -3);
}
