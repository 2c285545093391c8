#include "labs/events/event_reports.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "compute/cancel.h"
#include "events/detection/triangles.h"
#include "events/event_statistics.h"

namespace flipscope {

namespace {

constexpr uint32_t kBins = 20;        // across x
constexpr uint32_t kDirections = 18;  // of links

/// A link's length and its angle to the x axis, from 0° to 180°, in the units of the input.
std::tuple<double, double> length_of(const EventLog& log, const LoggedLink& link, const LatticeUnits& units) {
    const Point* places = link.lost ? link.before : link.after;
    const Point d = log.lattice().difference(places[0], places[1]);
    const Point given{d.x * units.unit.x, d.y * units.unit.y};
    const double angle = std::atan2(given.y, given.x) * 180 / std::numbers::pi;
    return {std::hypot(given.x, given.y), angle < 0 ? angle + 180 : angle == 180 ? 0 : angle};
}

}  // namespace

std::string kind_of(const EventLog& log, const SettledEvents::Row& row) {
    const LoggedEvent& event = log.events()[row.event];
    if (!event.is_plastic()) return name_of(static_cast<CellChange>(event.change));
    return name_of(event_kind(row.kinds), row.verdict);
}

uint32_t kind_code(const EventLog& log, const SettledEvents::Row& row) {
    const LoggedEvent& event = log.events()[row.event];
    constexpr auto kKinds = uint32_t(EventKind::kKinds), kChanges = uint32_t(CellChange::kChanges);
    if (!event.is_plastic()) return kKinds + event.change;
    if (row.verdict == EventVerdict::kCounts) return uint32_t(event_kind(row.kinds));
    return kKinds + kChanges + (row.verdict == EventVerdict::kFlicker ? 0 : 1);
}

Detection detection_of(const EventLog& log, const SettledEvents& settled, size_t i, const LatticeUnits& units) {
    const SettledEvents::Row& row = settled.rows().at(i);
    const LoggedEvent& event = log.events()[row.event];
    Detection detection;
    detection.time = event.time;
    detection.place = event.place;
    detection.given = units.as_given(log.lattice().wrapped(event.place));
    detection.round = event.round;
    const double pixel = std::fabs(units.unit.x * units.unit.y);
    detection.kind = kind_of(log, row);
    detection.measures = {row.reverses == kNone ? NAN : double(row.reverses)};
    if (!event.is_plastic()) {
        for (const LoggedCell& cell : log.cells_of(event)) {
            detection.cells.push_back({cell.id, cell.area_before * pixel, cell.area_after * pixel});
            detection.vertices.push_back(cell.id);
        }
        return detection;
    }
    const LoggedLink *lost = nullptr, *created = nullptr;
    for (const uint32_t index : settled.links_of(log, row)) {
        const LoggedLink& link = log.links()[index];
        (link.lost ? detection.lost_contacts : detection.created_contacts)
            .push_back({std::min(link.ids[0], link.ids[1]), std::max(link.ids[0], link.ids[1])});
        detection.vertices.insert(detection.vertices.end(), link.ids, link.ids + 2);
        (link.lost ? lost : created) = &link;
    }
    if (detection.lost_contacts.size() > 1) lost = nullptr;
    if (detection.created_contacts.size() > 1) created = nullptr;
    if (lost) std::tie(detection.lost_length, detection.lost_angle) = length_of(log, *lost, units);
    if (created) std::tie(detection.created_length, detection.created_angle) = length_of(log, *created, units);
    if (const LoggedLink* const one = lost ? lost : created;
        one && detection.lost_contacts.size() < 2 && detection.created_contacts.size() < 2) {
        // The link's ends and those of the other contact; without another contact, the apexes of its triangles.
        const auto add = [&](const LoggedLink& link, int first) {
            const EventLog::LinkAreas& areas = log.areas_of(link);
            for (int k = first; k < first + 2; ++k)
                if (link.names[k] != kNone)
                    detection.cells.push_back({link.ids[k], areas[size_t(k)] * pixel, areas[size_t(k) + 4] * pixel});
        };
        add(*one, 0);
        if (lost && created)
            add(*created, 0);
        else
            add(*one, 2);
    }
    for (auto* list : {&detection.lost_contacts, &detection.created_contacts}) std::sort(list->begin(), list->end());
    sort_distinct_or_cancel(detection.vertices);
    return detection;
}

Table changed_links(const EventLog& log, const SettledEvents& settled, const LatticeUnits& units,
                    const DetectionUnits& names) {
    Table table;
    table.columns = {{"event", "its row in events, from 0; empty: not listed yet"},
                     {"time", "of the later frame", {}, 0, names.time},
                     {"lost", "1: a lost contact, 0: a created one"},
                     {"cell 1", "one end"},
                     {"cell 2", "the other end"},
                     {"cell 3", "beside it, an apex of its triangles"},
                     {"cell 4", "the other apex"},
                     {"place", "the middle of the contact, in the frame that has it", {}, 2, names.length},
                     {"length", "of the contact", {}, 0, names.length},
                     {"angle", "from the x axis", {}, 0, "\xC2\xB0"},
                     {"counts", "1: it counts, 0: a flicker; empty: undecided"}};
    table.row_count = log.links().size();
    table.row = [&log, &settled, units](size_t i) {
        const LoggedLink& link = log.links()[i];
        const std::vector<LoggedEvent>& events = log.events();
        const auto event = std::partition_point(
            events.begin(), events.end(), [&](const LoggedEvent& one) { return one.first_link + one.links <= i; });
        const Point* places = link.lost ? link.before : link.after;
        const Point d = log.lattice().difference(places[0], places[1]);
        const auto [length, angle] = length_of(log, link, units);
        Table::Row row;
        const uint32_t listed = settled.row_of(i);
        const EventVerdict verdict = settled.verdict_of(i);
        row.cells.push_back(listed == kNone ? Value() : Value(listed));
        row.cells.push_back(Value::exactly(event->time));
        row.cells.emplace_back(link.lost);
        for (int k = 0; k < 4; ++k) row.cells.push_back(link.names[k] == kNone ? Value() : Value(link.ids[k]));
        row.cells.emplace_back(units.as_given(log.lattice().wrapped({places[0].x + d.x / 2, places[0].y + d.y / 2})));
        row.cells.push_back(Value::exactly(length));
        row.cells.push_back(Value::exactly(angle));
        row.cells.push_back(verdict == EventVerdict::kUndecided ? Value()
                                                                : Value(int(verdict == EventVerdict::kCounts)));
        return row;
    };
    return table;
}

std::vector<Distribution> distributions_of(const EventLog& log, const SettledEvents& settled, uint32_t round,
                                           const std::string& remark) {
    const auto across_axis = [&](const std::string& axis, const char* way, const char* extent) {
        Distribution across;
        across.name = "events across " + axis;
        across.sentence = std::string("The number of events in each of twenty strips from the ") + way +
                          ": plastic ones, and those beside a bubble that appeared or vanished." + remark;
        across.unit = axis + " / " + extent + " of the lattice";
        across.low = -0.5;
        across.high = 0.5;
        across.before.assign(kBins, 0);
        across.now.assign(kBins, 0);
        across.before_name = "unmatched";
        across.now_name = "plastic";
        across.logarithmic = true;
        return across;
    };
    Distribution across = across_axis("x", "left border to the right one", "width"),
                 up = across_axis("y", "lower border to the upper one", "height");
    Distribution rose;
    rose.name = "directions of links";
    rose.sentence =
        "The number of contacts that plastic events lost and created in each direction; 0° is along x. Those beside a "
        "bubble that appeared or vanished are left out.";
    rose.unit = "°";
    rose.high = 180;
    rose.before.assign(kDirections, 0);
    rose.now.assign(kDirections, 0);
    rose.rose = true;
    rose.before_name = "lost";
    rose.now_name = "created";
    rose.sentence += remark;
    for (const SettledEvents::Row& row : settled.rows()) {
        const LoggedEvent& event = log.events()[row.event];
        if (event.round < round || !event.is_plastic() || row.verdict != EventVerdict::kCounts) continue;
        const bool plastic = settled.is_counted(log, row);
        const auto count = [&](Distribution& shown, double place, uint32_t extent) {
            ++(plastic ? shown.now : shown.before)[bin_along(place, extent, kBins)];
        };
        count(across, event.place.x, log.lattice().width);
        count(up, event.place.y, log.lattice().height);
        if (!plastic) continue;
        for (const uint32_t index : settled.links_of(log, row)) {
            const LoggedLink& link = log.links()[index];
            const Point* places = link.lost ? link.before : link.after;
            const Point d = log.lattice().difference(places[0], places[1]);
            if (d != Point{}) ++(link.lost ? rose.before : rose.now)[bin_of_direction(d, kDirections)];
        }
    }
    return {std::move(across), std::move(rose), std::move(up)};
}

TrackedFrame tracked_frame(const EventsMachine& machine, const LatticeUnits& units, size_t first_place) {
    const LinkedFrame& present = machine.present();
    const std::vector<Point> sites = machine.sites();
    TrackedFrame frame{
        machine.source()->time(), first_place, sites.size() - machine.held().size(), machine.ids(), {}, {}, {}, {}};
    const auto count = static_cast<uint32_t>(sites.size());
    const std::vector<uint32_t> starts = present.starts().download(count > 0 ? size_t(count) + 1 : 0),
                                row = present.neighbours().download(present.read_entries());
    const CellAreas areas = machine.areas();
    const AdjacencyView graph{{starts.data(), starts.size()}, {row.data(), row.size()}, count};
    CancelPoll poll;
    for (uint32_t q = 0; q < count; ++q) {
        poll();
        frame.places.push_back(units.as_given(sites[q]));
        frame.areas.push_back(area_of(areas, q) * std::fabs(units.unit.x * units.unit.y));
        frame.degrees.push_back(starts[q + 1] - starts[q]);
        bool inside = frame.degrees.back() > 0;
        uint32_t apexes[2];
        for (uint32_t e = starts[q]; inside && e < starts[q + 1]; ++e)
            inside = empty_triangles(graph, {sites.data(), count}, present.lattice(), q, row[e], apexes) >= 2;
        frame.on_boundary.push_back(!machine.is_closed() && !inside);
    }
    return frame;
}

Table table_of_tracks(std::vector<TrackedFrame> of, const DetectionUnits& units,
                      const std::vector<Attribute>* attributes) {
    const auto frames = std::make_shared<const std::vector<TrackedFrame>>(std::move(of));
    Table table;
    table.columns = {{"time", "of the frame", {}, 0, units.time},
                     {"id", "what stays the same over time"},
                     {"place", "the centre", {}, 2, units.length},
                     {"area", "", {}, 0, units.length.empty() ? "" : units.length + "\xC2\xB2"},
                     {"degree", "how many neighbours"},
                     {"boundary", "1: on the boundary of the graph"}};
    for (size_t k = 0; attributes && k < attributes->size(); ++k) {
        const std::string& own = (*attributes)[k].name;
        const bool taken = std::any_of(table.columns.begin(), table.columns.end(),
                                       [&](const Table::Column& column) { return column.name == own; });
        table.columns.push_back({taken ? "input " + own : own, "", {}, 0, (*attributes)[k].unit});
    }
    std::vector<size_t> starts{0};
    for (const TrackedFrame& frame : *frames) starts.push_back(starts.back() + frame.ids.size());
    table.row_count = starts.back();
    table.row = [frames, starts, attributes](size_t i) {
        const auto f = static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), i) - starts.begin() - 1);
        const TrackedFrame& frame = (*frames)[f];
        const size_t q = i - starts[f];
        Table::Row row;
        row.cells.push_back(Value::exactly(frame.time));
        row.cells.emplace_back(frame.ids[q]);
        row.cells.emplace_back(frame.places[q]);
        row.cells.push_back(std::isnan(frame.areas[q]) ? Value() : Value::exactly(frame.areas[q]));
        row.cells.emplace_back(frame.degrees[q]);
        row.cells.emplace_back(int64_t(frame.on_boundary[q]));
        for (size_t k = 0; attributes && k < attributes->size(); ++k) {
            const Attribute& column = (*attributes)[k];
            const double value = q < frame.found ? column.values[frame.first_place + q] : NAN;
            row.cells.push_back(std::isnan(value)           ? Value()
                                : column.categories.empty() ? Value::exactly(value)
                                                            : Value(column.categories[static_cast<size_t>(value)]));
        }
        return row;
    };
    return table;
}

}  // namespace flipscope
