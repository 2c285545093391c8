#include "labs/events/event_reports.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "compute/text.h"

namespace flipscope {

namespace {

constexpr uint32_t kStrips = 20, kDirectionBins = 18, kWaitingBins = 20, kDistanceBins = 40, kMostLags = 100;
constexpr double kReach = 10, kFieldBin = 0.5;  // mean distances

using Events = std::vector<CountedEvent>;

Events events_of(const EventsInWindow& window) {
    Events events = counted_events(window.log, window.settled, window.first);
    const int kinds = window.parameters.event_kinds;
    const EventKind kind = kinds == 1 ? EventKind::kT1 : EventKind::kBoundary;
    std::erase_if(events, [&](const CountedEvent& event) {
        return kinds != 0 && event_kind(window.settled.rows()[event.row].kinds) != kind;
    });
    return events;
}

/// The input's unit of length, in lattice units.
double unit_of(const EventsInWindow& window) { return std::sqrt(std::fabs(window.units.unit.x * window.units.unit.y)); }

std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : name + " (" + unit + ")";
}

/// Without the digits that the difference of two times has lost: 0.44, not 0.43999999999999995.
double time_between(double first, double last) {
    const double greatest = std::max(std::fabs(first), std::fabs(last));
    const double scale = greatest > 0 ? std::pow(10, std::clamp(11 - std::ceil(std::log10(greatest)), 0.0, 22.0)) : 1;
    return std::round((last - first) * scale) / scale;
}

Value number_or_none(double number) { return std::isnan(number) ? Value() : Value::exactly(number); }

std::string unit_of_rate(const EventsInWindow& window) {
    const std::string length = window.names.length.empty() ? "unit of length" : window.names.length;
    const std::string time = window.names.time.empty() ? "unit of time" : unit_behind(1, window.names.time);
    return "per " + length + "\xC2\xB2 and " + time;
}

Table waiting_table(const EventsInWindow& window, const Events& events) {
    std::vector<Table::Row> rows;
    const auto add = [&](const char* of, const std::vector<Waiting>& waiting) {
        for (const Waiting& one : waiting) {
            const CountedEvent &first = events[one.first], &second = events[one.second];
            rows.push_back({{Value(of), Value(one.of[0]), Value(one.of[1]), Value(first.row), Value(second.row),
                             Value::exactly(first.time), Value::exactly(second.time),
                             Value::exactly(time_between(first.time, second.time))}});
        }
    };
    add("pair", waiting_of_pairs(window.log, window.settled, events));
    add("region", waiting_of_regions(events, window.log.lattice(), window.parameters.region * window.mean_distance));
    return Table::of({{"kind", "pair: of cells, or region: of the lattice"},
                      {"cell 1 or column", "the cell with the lower id, or the region's column"},
                      {"cell 2 or row", "the other cell, or the region's row"},
                      {"event before", "its row in events, from 0"},
                      {"event after", "the next one's"},
                      {"time before", "of that event", {}, 0, window.names.time},
                      {"time after", "of the next one", {}, 0, window.names.time},
                      {"waiting time", "from one to the other", {}, 0, window.names.time}},
                     std::move(rows));
}

Table avalanche_table(const EventsInWindow& window, const Events& events) {
    std::vector<Table::Row> rows;
    for (const std::vector<uint32_t>& one :
         find_avalanches(events, window.log.lattice(), static_cast<uint32_t>(window.parameters.avalanche_time),
                         window.parameters.avalanche_distance * window.mean_distance)) {
        const CountedEvent &first = events[one.front()], &last = events[one.back()];
        std::vector<int64_t> members;
        for (const uint32_t i : one) members.push_back(events[i].row);
        const Point place = window.units.as_given(window.log.lattice().wrapped(first.place));
        rows.push_back(
            {{Value(one.size()), Value::exactly(first.time), Value::exactly(time_between(first.time, last.time)),
              Value(last.round - first.round + 1), Value(place), Value(std::move(members))}});
    }
    return Table::of({{"size", "how many events"},
                      {"time", "of the first event", {}, 0, window.names.time},
                      {"duration", "from the first event to the last", {}, 0, window.names.time},
                      {"comparisons", "from the first event to the last"},
                      {"place", "of the first event", {}, 2, window.names.length},
                      {"events", "their rows in events, from 0"}},
                     std::move(rows));
}

/// From 0 to kReach mean distances, or to half the lattice's shorter side.
Table space_table(const EventsInWindow& window, const Events& events) {
    const Lattice& lattice = window.log.lattice();
    const double reach = std::min(kReach * window.mean_distance, std::min(lattice.width, lattice.height) / 2.0);
    const PairCorrelation pairs = correlate_in_space(events, lattice, reach, kDistanceBins);
    std::vector<Table::Row> rows;
    for (uint32_t b = 0; b < kDistanceBins; ++b)
        rows.push_back({{Value::exactly((b + 0.5) / kDistanceBins * reach * unit_of(window)),
                         Value(static_cast<int64_t>(pairs.together[b])), Value(static_cast<int64_t>(pairs.apart[b])),
                         number_or_none(pairs.g(b)), number_or_none(pairs.error(b))}});
    return Table::of({{"distance", "the middle of the bin", {}, 0, window.names.length},
                      {"together", "pairs of events of one comparison"},
                      {"apart", "pairs of different comparisons, all or a sample"},
                      {"g", "1: independent"},
                      {"error", "of g, from the number of pairs"}},
                     std::move(rows));
}

Table time_table(const EventsInWindow& window, const Events& events) {
    std::vector<uint32_t> counts(window.comparisons(), 0);
    for (const CountedEvent& event : events) ++counts[event.round - window.first];
    const auto lags = static_cast<uint32_t>(std::min<size_t>(kMostLags, counts.size() / 2)) + 1;
    const double apart = window.duration / std::max(1u, window.comparisons());
    std::vector<Table::Row> rows;
    for (const double correlation : correlate_in_time(counts, lags))
        rows.push_back({{Value(rows.size()), Value::exactly(time_between(0, double(rows.size()) * apart)),
                         Value::exactly(correlation)}});
    return Table::of({{"lag", "comparisons"},
                      {"time", "mean duration of that many comparisons", {}, 0, window.names.time},
                      {"correlation", "1: independent"}},
                     std::move(rows));
}

/// Of the whole lattice, and of strips across x and y.
Table rate_table(const EventsInWindow& window, const Events& events) {
    const Lattice& lattice = window.log.lattice();
    const double area = double(lattice.pixel_count()) * unit_of(window) * unit_of(window);
    std::vector<Table::Row> rows;
    for (const char* across : {"all", "x", "y"}) {
        const bool all = across[0] == 'a', is_y = across[0] == 'y';
        const uint32_t strips = all ? 1 : kStrips, extent = is_y ? lattice.height : lattice.width;
        std::vector<std::vector<uint32_t>> series(strips, std::vector<uint32_t>(window.comparisons(), 0));
        for (const CountedEvent& event : events) {
            const double place = is_y ? event.place.y : event.place.x;
            ++series[bin_along(place, extent, strips)][event.round - window.first];
        }
        for (uint32_t s = 0; s < strips && window.duration > 0; ++s) {
            const BlockMean mean = mean_by_blocks(series[s]);
            const double unit = window.comparisons() / window.duration / area * strips;
            const double middle = (s + 0.5) / strips * extent - 0.5;
            const Point given = window.units.as_given({middle, middle});
            rows.push_back({{Value(across), all ? Value() : Value::exactly(is_y ? given.y : given.x),
                             Value(std::llround(mean.mean * double(window.comparisons()))),
                             Value::exactly(mean.mean * unit), number_or_none(mean.error * unit)}});
        }
    }
    return Table::of({{"across", "all: the whole lattice; x, y: strips across this axis"},
                      {"place", "the middle of the strip", {}, 0, window.names.length},
                      {"events", "in the window of time"},
                      {"rate", "events per area and time", {}, 0, unit_of_rate(window)},
                      {"error", "standard error of the rate, from block averages", {}, 0, unit_of_rate(window)}},
                     std::move(rows));
}

Table direction_table(const EventsInWindow& window, const Events& events) {
    std::vector<Table::Row> rows;
    for (const bool lost : {true, false}) {
        std::vector<Point> lines;
        std::vector<int64_t> bins(kDirectionBins, 0);
        for (const CountedEvent& event : events)
            for (const uint32_t i : window.settled.links_of(window.log, window.settled.rows()[event.row])) {
                const LoggedLink& link = window.log.links()[i];
                const Point* places = lost ? link.before : link.after;
                const Point d = window.log.lattice().difference(places[0], places[1]);
                if ((link.lost != 0) != lost || d == Point{}) continue;
                lines.push_back({d.x * window.units.unit.x, d.y * window.units.unit.y});
                ++bins[bin_of_direction(lines.back(), kDirectionBins)];
            }
        const MeanDirection mean = mean_direction(lines);
        for (uint32_t b = 0; b < kDirectionBins && mean.count > 0; ++b)
            rows.push_back(
                {{Value(lost ? "lost" : "created"), Value::exactly((b + 0.5) * 180 / kDirectionBins), Value(bins[b]),
                  Value::exactly(mean.angle * 180 / std::numbers::pi), Value::exactly(mean.order)}});
    }
    return Table::of({{"contacts", "lost or created"},
                      {"angle", "the middle of the bin, from the x axis", {}, 0, "\xC2\xB0"},
                      {"count", "contacts in the bin"},
                      {"mean angle", "of all of them", {}, 0, "\xC2\xB0"},
                      {"order", "of all of them: 1 parallel, 0 without a preferred direction"}},
                     std::move(rows));
}

Table displacement_table(const EventsInWindow& window, const Events& events) {
    const double reach = window.displacements.reach();
    const MeanField field = mean_field(events, window.displacements, kFieldBin);
    std::vector<Table::Row> rows;
    for (uint32_t at = 0; at < field.count.size(); ++at) {
        const double n = field.count[at];
        if (n == 0) continue;
        const auto& sum = field.sum[at];
        const auto middle = [&](uint32_t bin) { return Value::exactly((2 * bin + 1.0) / field.side * reach - reach); };
        const auto error = [&](size_t k) {
            const double mean = sum[k] / n;
            return number_or_none(n > 1 ? std::sqrt(std::max(0.0, sum[k + 2] / n - mean * mean) / (n - 1)) : NAN);
        };
        rows.push_back({{middle(at % field.side), middle(at / field.side), Value(field.count[at]),
                         Value::exactly(sum[0] / n), Value::exactly(sum[1] / n), error(0), error(1)}});
    }
    const std::string unit = "mean distances";
    return Table::of({{"x", "along the lost contact, from the middle of the T1", {}, 0, unit},
                      {"y", "across it", {}, 0, unit},
                      {"samples", "bubbles, each also turned by 180\xC2\xB0"},
                      {"dx", "mean displacement", {}, 0, unit},
                      {"dy", "", {}, 0, unit},
                      {"dx error", "standard error", {}, 0, unit},
                      {"dy error", "", {}, 0, unit}},
                     std::move(rows));
}

Curve curve(std::string name, std::string sentence, std::string x_name, std::string y_name) {
    Curve made;
    made.name = std::move(name);
    made.sentence = std::move(sentence);
    made.x_name = std::move(x_name);
    made.y_name = std::move(y_name);
    return made;
}

/// Adds the curve with the numbers of two columns; `of`: only rows whose first cell is this, or all; `error`: the
/// column of standard errors, 0: none.
void add_curve(Curve made, const Table& table, size_t x, size_t y, size_t error, const std::string& of,
               Report& report) {
    for (size_t i = 0; i < table.row_count; ++i) {
        const Table::Row row = table.row(i);
        if (row.cells[y].empty() || (!of.empty() && text_of(row.cells[0]) != of)) continue;
        made.x.push_back(row.cells[x].number());
        made.y.push_back(row.cells[y].number());
        if (error > 0) made.errors.push_back(row.cells[error].number());
    }
    if (made.x.size() < 2) return;
    if (made.x.front() > made.x.back()) {  // y points down
        std::reverse(made.x.begin(), made.x.end());
        std::reverse(made.y.begin(), made.y.end());
        std::reverse(made.errors.begin(), made.errors.end());
    }
    report.add(std::move(made));
}

/// Adds the fraction of a column's numbers that are at least x.
void add_tail(Curve made, const Table& table, size_t column, Report& report) {
    std::vector<double> values;
    for (size_t i = 0; i < table.row_count; ++i) values.push_back(table.row(i).cells[column].number());
    std::sort(values.begin(), values.end());
    for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0 && values[i] == values[i - 1]) continue;
        made.x.push_back(values[i]);
        made.y.push_back(double(values.size() - i) / double(values.size()));
    }
    made.logarithmic = {true, true};
    report.add(std::move(made));
}

void add_waiting(const std::string& of, const std::vector<Waiting>& waiting, const EventsInWindow& window,
                 const Events& events, Report& report) {
    if (waiting.empty()) return;
    std::vector<double> waits;
    double mean = 0;
    for (const Waiting& one : waiting) {
        waits.push_back(events[one.second].time - events[one.first].time);
        mean += waits.back() / double(waiting.size());
    }
    if (mean <= 0) return;
    const auto rounds_of = [&](const Waiting& one) { return events[one.second].round - events[one.first].round; };
    Distribution shown;
    shown.name = "waiting times of " + of;
    shown.sentence =
        "Times between two events in a row of the same pair of cells, or in the same region, beside the "
        "exponential distribution with the same mean, which independent events would have." +
        window.remark;
    shown.unit = window.names.time;
    shown.high = *std::max_element(waits.begin(), waits.end());
    uint32_t most = 0;  // comparisons
    for (const Waiting& one : waiting) most = std::max(most, rounds_of(one));
    bool regular = true;
    for (size_t i = 0; i < waits.size(); ++i)
        regular = regular && std::fabs(waits[i] / shown.high - double(rounds_of(waiting[i])) / most) < 1e-6;
    // At regular times a bin is a whole number of comparisons, so that all bins have equally many possible times.
    const uint32_t width = most / kWaitingBins + 1, bins = regular ? most / width + 1 : kWaitingBins;
    if (regular) shown.high *= double(bins) * width / most;
    shown.now.assign(bins, 0);
    for (size_t i = 0; i < waits.size(); ++i) {
        const auto bin = static_cast<uint32_t>(waits[i] / shown.high * bins);
        ++shown.now[std::min(regular ? rounds_of(waiting[i]) / width : bin, bins - 1)];
    }
    for (uint32_t b = 0; b < bins; ++b) {
        const auto longer = [&](uint32_t bin) { return std::exp(-shown.high * bin / bins / mean); };
        shown.before.push_back(double(waits.size()) * (longer(b) - longer(b + 1)));
    }
    shown.before_name = "exponential";
    shown.now_name = "found";
    shown.counted = "waiting times";
    shown.logarithmic = true;
    report.add(std::move(shown));
}

}  // namespace

void add_event_statistics(const EventsInWindow& window, Report& report) {
    const Events events = events_of(window);
    if (events.empty()) return;
    const std::string& remark = window.remark;
    add_waiting("pairs", waiting_of_pairs(window.log, window.settled, events), window, events, report);
    add_waiting("regions",
                waiting_of_regions(events, window.log.lattice(), window.parameters.region * window.mean_distance),
                window, events, report);
    const Table avalanches = avalanche_table(window, events);
    const std::string clusters =
        "Clusters of events that are near in time and space (avalanche_time, "
        "avalanche_distance): the fraction ";
    add_tail(curve("avalanche sizes", clusters + "with at least so many events." + remark, "number of events",
                   "fraction at least as large"),
             avalanches, 0, report);
    add_tail(curve("avalanche durations",
                   clusters + "that last at least so long, from the first event to the last." + remark,
                   with_unit("duration", window.names.time), "fraction at least as long"),
             avalanches, 2, report);
    add_curve(curve("events in space g(r)",
                    "The share of pairs of events of one comparison at this distance, relative to that of pairs of "
                    "different comparisons: 1 where events are independent." +
                        remark,
                    with_unit("distance r", window.names.length), "g(r)"),
              space_table(window, events), 0, 3, 4, "", report);
    add_curve(curve("events in time C(\xCF\x84)",
                    "The mean product of the numbers of events of two comparisons so far apart, relative to the square "
                    "of the mean number: 1 where events are independent." +
                        remark,
                    with_unit("lag \xCF\x84", window.names.time), "C(\xCF\x84)"),
              time_table(window, events), 1, 2, 0, "", report);
    const Table rates = rate_table(window, events);
    for (const std::string axis : {"x", "y"}) {
        Curve rate = curve("rate of events across " + axis,
                           "Plastic events per time and area in each of twenty strips across " + axis + "." + remark,
                           with_unit(axis, window.names.length), "events " + unit_of_rate(window));
        if (axis == "x" && rates.row_count > 0) {
            const Table::Row all = rates.row(0);
            rate.remark = "on the whole lattice " + format_short(all.cells[3].number()) +
                          (all.cells[4].empty() ? "" : " \xC2\xB1 " + format_short(all.cells[4].number())) +
                          " events " + unit_of_rate(window) + ".";
        }
        add_curve(std::move(rate), rates, 1, 3, 4, axis, report);
    }
    if (!window.displacements.is_needed()) return;
    const MeanField field = mean_field(events, window.displacements, kFieldBin);
    Curve quadrupole = curve("displacement around a T1",
                             "The quadrupole of the radial displacement, 2 \xE2\x9F\xA8u\xE1\xB5\xA3 cos "
                             "2\xCE\xB8\xE2\x9F\xA9, where \xCE\xB8 is the angle to the lost contact, by the distance "
                             "from the T1, over " +
                                 count_text(field.events, "T1", "T1s") + "." + remark,
                             "distance (mean distances)", "displacement (mean distances)");
    for (size_t ring = 0; ring < field.ring.size(); ++ring) {
        if (field.ring_count[ring] == 0) continue;
        quadrupole.x.push_back((double(ring) + 0.5) / double(field.ring.size()) * window.displacements.reach());
        quadrupole.y.push_back(field.ring[ring] / field.ring_count[ring]);
    }
    if (quadrupole.x.size() > 1) report.add(std::move(quadrupole));
}

std::vector<ArrayInfo> event_statistics_tables() {
    return {{"waiting-times", "of each pair of cells and each region: the times from one event to the next"},
            {"avalanches", "of each avalanche: its size, time, duration, place and events"},
            {"space-correlation", "of each distance: pairs of events of one comparison, and of different ones"},
            {"time-correlation", "of each lag: how numbers of events are correlated"},
            {"rates", "of the lattice, and of strips across x and y: events per area and time, with errors"},
            {"directions", "histogram of the directions of lost and created contacts, with their order"},
            {"displacements", "the mean displacement around a T1, in its frame (displacement_reach)"}};
}

std::optional<Table> event_statistics_table(const EventsInWindow& window, const std::string& name) {
    using Make = Table (*)(const EventsInWindow&, const Events&);
    static constexpr std::pair<const char*, Make> kTables[] = {
        {"waiting-times", waiting_table},     {"avalanches", avalanche_table}, {"space-correlation", space_table},
        {"time-correlation", time_table},     {"rates", rate_table},           {"directions", direction_table},
        {"displacements", displacement_table}};
    for (const auto& [own, make] : kTables)
        if (own == name) return make(window, events_of(window));
    return {};
}

}  // namespace flipscope
