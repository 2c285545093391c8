#include "events/detection/event_log.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "compute/cancel.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

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

void EventLog::clear(const Lattice& lattice) {
    lattice_ = lattice;
    added_ = {};
    events_.clear();
    links_.clear();
    areas_.clear();
    cells_.clear();
    drawn_.clear();
    around_.clear();
    last_event_.clear();
    stamp_ = 0;
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
    keys_.resize(links.size());
    for (size_t i = 0; i < links.size(); ++i) keys_[i] = uint64_t(links[i].event) << 32 | i;
    sort_or_cancel(keys_.begin(), keys_.end());
    for (size_t first = 0, end = 0; first < keys_.size(); first = end) {
        LoggedEvent event{};
        event.time = added_.time;
        event.round = added_.round;
        event.first_link = static_cast<uint32_t>(links_.size());
        for (; end < keys_.size() && keys_[end] >> 32 == keys_[first] >> 32; ++end) {
            const auto i = static_cast<uint32_t>(keys_[end]);
            log_link(links[i], i < surroundings.size() ? &surroundings[i] : nullptr);
            event.kinds |= links[i].kinds;
        }
        event.links = static_cast<uint32_t>(end - first);
        event.place = place_of(links, std::span(keys_).subspan(first, end - first));
        events_.push_back(event);
    }
    added_ = {};
}

/// The mean of an event's link ends, each counted once, in the later frame.
Point EventLog::place_of(std::span<const ChangedLink> links, std::span<const uint64_t> event) const {
    const Point origin = links[static_cast<uint32_t>(event.front())].after[0];
    ++stamp_;
    Point sum;
    double count = 0;
    for (const uint64_t key : event) {
        const ChangedLink& link = links[static_cast<uint32_t>(key)];
        for (int k = 0; k < 2; ++k) {
            if (link.now[k] >= last_event_.size()) last_event_.resize(link.now[k] + 1);
            if (std::exchange(last_event_[link.now[k]], stamp_) == stamp_) continue;
            const Point d = lattice_.difference(origin, link.after[k]);
            sum = {sum.x + d.x, sum.y + d.y};
            ++count;
        }
    }
    return lattice_.wrapped({origin.x + sum.x / count, origin.y + sum.y / count});
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
            uint64_t unused;  // padding: Point is aligned to 16 bytes
            Point place;
            uint32_t numbers[4];
        } const hashed{event.time, 0, event.place, {event.round, event.kinds, event.first_link, event.links}};
        hash_ = hash_values(hash_values(hash_, &hashed, 1), links_of(event).data(), event.links);
    }
    return hash_;
}

size_t EventLog::first_since(uint32_t round) const {
    settle();
    return static_cast<size_t>(std::partition_point(events_.begin(), events_.end(),
                                                    [&](const LoggedEvent& event) { return event.round < round; }) -
                               events_.begin());
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
    events_ = load_vector<LoggedEvent>(snapshot, first);
    links_ = load_vector<LoggedLink>(snapshot, first + 1);
    around_ = load_vector<decltype(around_)::value_type>(snapshot, first + 2);
    areas_ = load_vector<LinkAreas>(snapshot, first + 3);
    cells_ = load_vector<LoggedCell>(snapshot, first + 4);
    drawn_ = load_vector<DrawnCell>(snapshot, first + 5);
    load_values(snapshot, first + 6, &hash_, 1);
    hashed_ = events_.size();
    return first + kBlocks;
}

}  // namespace flipscope
