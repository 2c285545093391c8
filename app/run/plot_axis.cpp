#include "app/run/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/base/number_text.h"

namespace flipscope::app {

std::string short_tick(double value) {
    std::string text = short_number(value);
    const size_t point = text.find('.');
    if (point == text.npos) return text;
    const size_t unit = std::min(text.find(' '), text.size());
    size_t end = unit;
    while (end > point && (text[end - 1] == '0' || text[end - 1] == '.')) --end;
    return text.substr(0, end) + text.substr(unit);
}

namespace {

std::string tick_text(double value, double step, double largest) {
    if (largest > 0 && (largest >= 1e15 || step < 1e-6)) {
        char text[32];
        std::snprintf(text, sizeof text, "%.*e",
                      static_cast<int>(std::clamp(std::ceil(std::log10(largest / step)), 0.0, 6.0)), value);
        return text;
    }
    // In thousands only if neighbours stay distinct.
    if (largest >= 1e4 && step >= 0.01 * std::pow(1000, std::floor(std::log10(largest) / 3))) return short_tick(value);
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    return number_text(value, decimals);
}

}  // namespace

double round_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-300))));
    for (double factor : {1., 2., 5., 10.})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

Axis Axis::of_counts(double most, bool logarithmic) {
    const double top = std::max(most, 1.0);
    // A bar of 1 stays visible.
    return logarithmic ? Axis{0.5, top, true, true} : Axis{0, top * 1.04, false, true};
}

Axis Axis::of_values(double least, double most, bool logarithmic) {
    if (!(least <= most)) return {0, 1, false, false};
    if (logarithmic) {
        const double margin = std::max(std::pow(most / least, 0.05), 1.02);
        return {least / margin, most * margin, true, false};
    }
    double margin = 0.06 * (most - least);
    if (margin <= 1e-12 * std::max(std::abs(least), std::abs(most))) margin = 0.02 * std::abs(most);
    if (margin == 0) margin = 1;
    // Start at zero if the values come near it.
    const bool from_zero = least >= 0 && least < 0.25 * most;
    return {from_zero ? 0 : least - margin, most + margin, false, false};
}

Axis Axis::of_places(double last) { return {0.5, std::max(last, 8.0) + 0.5, false, true}; }

double Axis::place(double value) const {
    if (!logarithmic) return (value - low) / (high - low);
    return value <= low ? 0 : std::log(value / low) / std::log(high / low);
}

std::vector<Tick> Axis::ticks(int room) const {
    room = std::max(room, 1);
    std::vector<Tick> found;
    const double first = logarithmic ? std::ceil(std::log10(low) - 1e-12) : 0;
    const auto decades = static_cast<int>(logarithmic ? std::floor(std::log10(high) + 1e-12) - first + 1 : 0);
    if (logarithmic && !whole && decades <= 2) {
        // Evenly spaced numbers crowd below the next power of ten; these do not.
        for (const std::vector<double>& steps : {std::vector<double>{1, 2, 5}, {1, 3}}) {
            found.clear();
            for (int power = -1; power <= decades; ++power)
                for (const double factor : steps) {
                    const double value = factor * std::pow(10, first + power);
                    if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
                    found.push_back({value, tick_text(value, std::pow(10, first + power), value)});
                }
            if (found.size() >= 2 && found.size() <= static_cast<size_t>(std::max(room, 2))) return found;
        }
        found.clear();
    }
    if (decades >= 2) {
        const bool powers = low < 1e-6 || high >= 1e15;  // one notation for all ticks
        const int stride = std::max(1, (decades + room - 1) / room);
        for (int i = 0; i < decades; i += stride) {
            const double value = std::pow(10, first + i);
            found.push_back({value, tick_text(value, powers ? 1e-7 : value, powers ? 1e-7 : value)});
        }
        return found;
    }
    const double largest = std::max(std::abs(low), std::abs(high));
    double step = round_step((high - low) / room);
    if (whole) step = std::max(step, 1.0);
    for (double i = std::ceil(low / step - 1e-9); i * step <= high * (high > 0 ? 1 + 1e-9 : 1 - 1e-9); ++i)
        if (!logarithmic || i > 0)
            found.push_back({i * step, tick_text(i * step + 0.0, step, largest)});  // + 0.0: never -0
    return found;
}

size_t PlotSeries::nearest(double place) const {
    if (places.empty()) return static_cast<size_t>(std::clamp(place, 1.0, static_cast<double>(count()))) - 1;
    const auto after = std::lower_bound(places.begin(), places.end(), place);
    const auto i = static_cast<size_t>(after - places.begin());
    if (i == 0) return 0;
    if (i == places.size()) return i - 1;
    return places[i] - place < place - places[i - 1] ? i : i - 1;
}

bool PlotSeries::has_logarithm() const {
    if (!lines) return true;
    for (const Values& one : of)
        for (size_t i = 0; i < one.values.size(); ++i)
            if (one.low_of(i) <= 0) return false;
    return true;
}

void PlotColumn::add(double least, double greatest, double value, size_t index, double of) {
    if (count == 0) {
        mean = value;
        low = least;
        high = greatest;
        first = index;
    }
    low = std::min(low, least);
    high = std::max(high, greatest);
    ++count;
    weight += of;
    if (weight > 0) mean += (value - mean) * (of / weight);
}

std::vector<PlotColumn> columns_of(const PlotSeries& series, size_t which, double slot) {
    std::vector<PlotColumn> columns(static_cast<size_t>(std::max(std::ceil(series.end() * slot), 0.0)));
    if (columns.empty()) return columns;
    const PlotSeries::Values& one = series.of[which];
    const auto column = [&](double place) {
        return static_cast<size_t>(
            std::clamp(std::floor((place - 0.5) * slot), 0.0, static_cast<double>(columns.size() - 1)));
    };
    for (size_t i = 0; i < one.values.size(); ++i) {
        if (std::isnan(one.values[i])) continue;
        const double half = series.width_of(i) * slot > 1 ? 0.5 * (series.width_of(i) - 1) : 0;
        const size_t from = column(series.place_of(i) - half), to = column(series.place_of(i) + half);
        const double share = one.weight_of(i) / static_cast<double>(to - from + 1);
        for (size_t c = from; c <= to; ++c) columns[c].add(one.low_of(i), one.high_of(i), one.values[i], i, share);
    }
    return columns;
}

}  // namespace flipscope::app
