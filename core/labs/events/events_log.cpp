#include "labs/events/events_log.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

#include "mesh/hash.h"

namespace flipscope {

namespace {

constexpr uint32_t kBins = 20;        // across x
constexpr uint32_t kDirections = 18;  // of links

template <class T>
uint64_t hash_values(uint64_t hash, const T* values, size_t count) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values);
    for (size_t at = 0; at + 8 <= count * sizeof(T); at += 8) {
        uint64_t word;
        std::memcpy(&word, bytes + at, 8);
        hash = mix64(hash ^ word);
    }
    return hash;
}
static_assert(sizeof(LoggedLink) % 8 == 0);

}  // namespace

double area_of(const CellAreas& areas, uint32_t label) {
    return label < areas.size() && areas[label] < kCutArea ? double(areas[label]) : std::nan("");
}

void EventLog::clear(const Lattice& lattice, const LatticeUnits& units) {
    lattice_ = lattice;
    units_ = units;
    added_ = {};
    events_.clear();
    links_.clear();
    areas_.clear();
    cells_.clear();
    drawn_.clear();
    around_.clear();
    groups_.reset(lattice);
    hash_ = 0;
    hashed_ = 0;
}

KindCounts EventLog::add(double time, uint32_t round, std::shared_ptr<const FoundLinks> found, FrameCells past,
                         FrameCells now) {
    settle();
    const auto links = found->links();
    kinds_.assign(links.size(), 0);
    for (const ChangedLink& link : links) kinds_[link.event] |= link.kinds;
    KindCounts counts{};
    for (size_t i = 0; i < links.size(); ++i) counts[size_t(event_kind(kinds_[i]))] += links[i].event == i;
    added_ = {time, round, std::move(found), std::move(past), std::move(now)};
    return counts;
}

void EventLog::add(double time, uint32_t round, const std::vector<AddedCellChange>& changes) {
    settle();
    for (const AddedCellChange& change : changes) {
        LoggedEvent event{};
        event.time = time;
        event.place = change.place;
        event.round = round;
        event.first_link = static_cast<uint32_t>(links_.size());
        event.change = static_cast<uint32_t>(change.change);
        event.first_cell = static_cast<uint32_t>(cells_.size());
        event.cells = static_cast<uint32_t>(change.cells.size());
        cells_.insert(cells_.end(), change.cells.begin(), change.cells.end());
        event.is_after = change.is_after;
        event.first_drawn = static_cast<uint32_t>(drawn_.size());
        event.drawn = static_cast<uint32_t>(change.drawn.size());
        drawn_.insert(drawn_.end(), change.drawn.begin(), change.drawn.end());
        event.first_around = static_cast<uint32_t>(around_.size());
        event.around = static_cast<uint32_t>(change.around.size());
        around_.insert(around_.end(), change.around.begin(), change.around.end());
        events_.push_back(event);
    }
}

void EventLog::settle() const {
    if (!added_.found) return;
    const auto links = added_.found->links();
    const auto surroundings = added_.found->surroundings();
    groups_.visit(links, [&](std::span<const uint32_t> of_event) {
        LoggedEvent event{};
        event.time = added_.time;
        event.round = added_.round;
        event.first_link = static_cast<uint32_t>(links_.size());
        event.links = static_cast<uint32_t>(of_event.size());
        for (const uint32_t i : of_event) {
            log_link(links[i], i < surroundings.size() ? &surroundings[i] : nullptr);
            event.kinds |= links[i].kinds;
        }
        event.place = groups_.place(links, of_event);
        events_.push_back(event);
    });
    added_ = {};
}

void EventLog::log_link(const ChangedLink& link, const Surroundings* around) const {
    LoggedLink out{};
    LinkAreas areas;
    out.lost = link.lost;
    out.triangles = link.triangles;
    out.kinds = link.kinds;
    for (int k = 0; k < 4; ++k) {
        const uint32_t p = link.past[k], q = link.now[k];
        out.names[k] = link.names[k];
        const std::vector<int64_t>&past_ids = added_.past.ids, &now_ids = added_.now.ids;
        out.ids[k] = q != kNone && q < now_ids.size()    ? now_ids[q]
                     : p != kNone && p < past_ids.size() ? past_ids[p]
                     : link.names[k] == kNone            ? -1
                                                         : int64_t(link.names[k]);
        areas[size_t(k)] = area_of(added_.past.areas, p);
        areas[size_t(k) + 4] = area_of(added_.now.areas, q);
        out.there[0] |= uint32_t(p != kNone) << k;
        out.there[1] |= uint32_t(q != kNone) << k;
        out.before[k] = link.before[k];
        out.after[k] = link.after[k];
    }
    out.first_around = static_cast<uint32_t>(around_.size());
    if (around) {
        const auto places = added_.found->places().subspan(around->first, around->past_count + around->now_count);
        out.past_around = around->past_count;
        out.now_around = around->now_count;
        around_.insert(around_.end(), places.begin(), places.end());
    }
    links_.push_back(out);
    areas_.push_back(areas);
}

uint64_t EventLog::hash() const {
    settle();
    for (; hashed_ < events_.size(); ++hashed_) {
        const LoggedEvent& event = events_[hashed_];
        if (!event.is_plastic()) continue;
        struct {
            double time;
            uint64_t unused;  // places are aligned to 16 bytes
            Point place;
            uint32_t numbers[4];
        } const hashed{event.time, 0, event.place, {event.round, event.kinds, event.first_link, event.links}};
        hash_ = hash_values(hash_values(hash_, &hashed, 1), links_of(event), event.links);
    }
    return hash_;
}

size_t EventLog::first_since(uint32_t round) const {
    settle();
    return static_cast<size_t>(std::partition_point(events_.begin(), events_.end(),
                                                    [&](const LoggedEvent& event) { return event.round < round; }) -
                               events_.begin());
}

Detection EventLog::detection(size_t i) const {
    const LoggedEvent& event = events().at(i);
    Detection detection;
    detection.time = event.time;
    detection.place = event.place;
    detection.given = as_given(event.place);
    detection.round = event.round;
    const double pixel = std::fabs(units_.unit.x * units_.unit.y);
    if (!event.is_plastic()) {
        detection.kind = name_of(static_cast<CellChange>(event.change));
        for (uint32_t k = 0; k < event.cells; ++k) {
            const LoggedCell& cell = cells_[event.first_cell + k];
            detection.cells.push_back({cell.name, cell.area_before * pixel, cell.area_after * pixel});
            detection.vertices.push_back(cell.name);
        }
        return detection;
    }
    detection.kind = name_of(event_kind(event.kinds));
    const LoggedLink *lost = nullptr, *created = nullptr;
    for (const LoggedLink *link = links_of(event), *end = link + event.links; link != end; ++link) {
        (link->lost ? detection.lost_contacts : detection.created_contacts)
            .push_back({std::min(link->ids[0], link->ids[1]), std::max(link->ids[0], link->ids[1])});
        detection.vertices.insert(detection.vertices.end(), link->ids, link->ids + 2);
        (link->lost ? lost : created) = link;
    }
    if (detection.lost_contacts.size() > 1) lost = nullptr;
    if (detection.created_contacts.size() > 1) created = nullptr;
    if (lost) std::tie(detection.lost_length, detection.lost_angle) = length_of(*lost);
    if (created) std::tie(detection.created_length, detection.created_angle) = length_of(*created);
    if (const LoggedLink* const one = lost ? lost : created;
        one && detection.lost_contacts.size() < 2 && detection.created_contacts.size() < 2) {
        // Its ends, and those of the other contact; without one the apexes of its triangles.
        const auto add = [&](const LoggedLink& link, int first) {
            const LinkAreas& areas = areas_[size_t(&link - links_.data())];
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
    std::sort(detection.vertices.begin(), detection.vertices.end());
    detection.vertices.erase(std::unique(detection.vertices.begin(), detection.vertices.end()),
                             detection.vertices.end());
    return detection;
}

std::tuple<double, double> EventLog::length_of(const LoggedLink& link) const {
    const Point* places = link.lost ? link.before : link.after;
    const Point d = lattice_.difference(places[0], places[1]);
    const Point given{d.x * units_.unit.x, d.y * units_.unit.y};
    const double angle = std::atan2(given.y, given.x) * 180 / std::numbers::pi;
    return {std::hypot(given.x, given.y), angle < 0 ? angle + 180 : angle == 180 ? 0 : angle};
}

Table EventLog::changed_links(const DetectionUnits& units) const {
    settle();
    Table table;
    table.columns = {{"event", "its row in events, from 0"},
                     {"time", "of the later frame", {}, 0, units.time},
                     {"lost", "1: a lost contact, 0: a created one"},
                     {"cell 1", "one end"},
                     {"cell 2", "the other end"},
                     {"cell 3", "beside it, an apex of its triangles"},
                     {"cell 4", "the other apex"},
                     {"place", "the middle of the contact, in the frame that has it", {}, 2, units.length},
                     {"length", "of the contact", {}, 0, units.length},
                     {"angle", "from the x axis", {}, 0, "\xC2\xB0"}};
    table.row_count = links_.size();
    table.row = [this](size_t i) {
        const LoggedLink& link = links_[i];
        const auto event = std::partition_point(
            events_.begin(), events_.end(), [&](const LoggedEvent& one) { return one.first_link + one.links <= i; });
        const Point* places = link.lost ? link.before : link.after;
        const Point d = lattice_.difference(places[0], places[1]);
        const auto [length, angle] = length_of(link);
        Table::Row row;
        row.cells.emplace_back(event - events_.begin());
        row.cells.push_back(Value::exactly(event->time));
        row.cells.emplace_back(link.lost);
        for (int k = 0; k < 4; ++k) row.cells.push_back(link.names[k] == kNone ? Value() : Value(link.ids[k]));
        row.cells.emplace_back(as_given({places[0].x + d.x / 2, places[0].y + d.y / 2}));
        row.cells.push_back(Value::exactly(length));
        row.cells.push_back(Value::exactly(angle));
        return row;
    };
    return table;
}

std::vector<Distribution> EventLog::distributions(uint32_t round, const std::string& remark) const {
    Distribution across;
    across.name = "events across x";
    across.sentence =
        "The number of events in each of twenty strips from the left border to the right one: plastic ones, and those "
        "beside a bubble that appeared or vanished.";
    across.unit = "x / width of the lattice";
    across.low = -0.5;
    across.high = 0.5;
    across.before.assign(kBins, 0);
    across.now.assign(kBins, 0);
    across.before_name = "unmatched";
    across.now_name = "plastic";
    across.logarithmic = true;
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
    across.sentence += remark;
    rose.sentence += remark;
    for (size_t i = first_since(round); i < events().size(); ++i) {
        const LoggedEvent& event = events_[i];
        if (!event.is_plastic()) continue;
        const double x = (event.place.x + 0.5) / lattice_.width;
        const bool plastic = event_kind(event.kinds) != EventKind::kUnmatched;
        ++(plastic ? across.now
                   : across.before)[static_cast<size_t>(std::clamp(std::floor(x * kBins), 0.0, kBins - 1.0))];
        if (!plastic) continue;
        for (const LoggedLink *link = links_of(event), *end = link + event.links; link != end; ++link) {
            const Point* places = link->lost ? link->before : link->after;
            const Point d = lattice_.difference(places[0], places[1]);
            if (d == Point{}) continue;
            double angle = std::atan2(d.y, d.x);
            if (angle < 0) angle += std::numbers::pi;
            const auto bin = static_cast<size_t>(angle / std::numbers::pi * kDirections) % kDirections;
            ++(link->lost ? rose.before : rose.now)[bin];
        }
    }
    return {std::move(across), std::move(rose)};
}

void EventLog::save(Snapshot& snapshot) const {
    const uint64_t hash = this->hash();
    put_values(snapshot, events_.data(), events_.size());
    put_values(snapshot, links_.data(), links_.size());
    put_values(snapshot, around_.data(), around_.size());
    put_values(snapshot, areas_.data(), areas_.size());
    put_values(snapshot, cells_.data(), cells_.size());
    put_values(snapshot, drawn_.data(), drawn_.size());
    put_values(snapshot, &hash, 1);
}

size_t EventLog::load(const Snapshot& snapshot, size_t first) {
    added_ = {};
    events_ = take_vector<LoggedEvent>(snapshot, first);
    links_ = take_vector<LoggedLink>(snapshot, first + 1);
    around_ = take_vector<decltype(around_)::value_type>(snapshot, first + 2);
    areas_ = take_vector<LinkAreas>(snapshot, first + 3);
    cells_ = take_vector<LoggedCell>(snapshot, first + 4);
    drawn_ = take_vector<DrawnCell>(snapshot, first + 5);
    take_values(snapshot, first + 6, &hash_, 1);
    hashed_ = events_.size();
    return first + kBlocks;
}

}  // namespace flipscope
