#include "events/events_log.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "mesh/hash.h"

namespace flipscope {

namespace {

constexpr uint32_t kBins = 20;        // across x
constexpr uint32_t kDirections = 18;  // of links
constexpr double kPi = 3.14159265358979323846;

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
static_assert(sizeof(LoggedLink) % 8 == 0 && sizeof(LoggedEvent) % 8 == 0);

template <class T>
void take_vector(const Snapshot& snapshot, size_t index, std::vector<T>& values) {
    values.resize(snapshot.blocks.at(index).size() / sizeof(T));
    take_values(snapshot, index, values.data());
}

LoggedLink logged(const ChangedLink& link, const std::vector<int64_t>& past_ids, const std::vector<int64_t>& now_ids) {
    LoggedLink out{};
    out.breaking = link.breaking;
    out.triangles = link.triangles;
    out.kinds = link.kinds;
    for (int k = 0; k < 4; ++k) {
        const uint32_t p = link.past[k], q = link.now[k];
        out.names[k] = link.names[k];
        out.ids[k] = q != kNone && q < now_ids.size()    ? now_ids[q]
                     : p != kNone && p < past_ids.size() ? past_ids[p]
                     : link.names[k] == kNone            ? -1
                                                         : int64_t(link.names[k]);
        out.there[0] |= uint32_t(p != kNone) << k;
        out.there[1] |= uint32_t(q != kNone) << k;
        out.before[k] = link.before[k];
        out.after[k] = link.after[k];
    }
    return out;
}

}  // namespace

void EventLog::clear(const Lattice& lattice) {
    lattice_ = lattice;
    events_.clear();
    links_.clear();
    around_.clear();
    last_event_.clear();
    hash_ = 0;
}

KindCounts EventLog::add(double time, uint32_t round, const Detection& detection, const std::vector<int64_t>& past_ids,
                         const std::vector<int64_t>& now_ids) {
    const std::vector<ChangedLink>& links = detection.links();
    order_.resize(links.size());
    for (size_t i = 0; i < links.size(); ++i) order_[i] = uint64_t(links[i].event) << 32 | i;
    std::sort(order_.begin(), order_.end());
    KindCounts counts{};
    const uint64_t* const last = order_.data() + order_.size();
    for (const uint64_t *first = order_.data(), *end = first; first != last; first = end) {
        while (end != last && *end >> 32 == *first >> 32) ++end;
        LoggedEvent event{};
        event.time = time;
        event.round = round;
        event.first_link = static_cast<uint32_t>(links_.size());
        event.links = static_cast<uint32_t>(end - first);
        for (const uint64_t* at = first; at != end; ++at) {
            const ChangedLink& link = links[static_cast<uint32_t>(*at)];
            links_.push_back(logged(link, past_ids, now_ids));
            event.kinds |= link.kinds;
        }
        event.place = mean_of_ends(links, first, end);
        event.first_around = static_cast<uint32_t>(around_.size());
        event.past_around = add_around(detection, first, end, true);
        event.now_around = add_around(detection, first, end, false);
        ++counts[size_t(event_kind(event.kinds))];
        events_.push_back(event);
        hash_ = hash_values(hash_, &event, 1);
        hash_ = hash_values(hash_, links_.data() + event.first_link, event.links);
    }
    return counts;
}

/// Each end counts once.
Point EventLog::mean_of_ends(const std::vector<ChangedLink>& links, const uint64_t* first, const uint64_t* end) {
    const Point origin = links[static_cast<uint32_t>(*first)].after[0];
    const auto stamp = static_cast<uint32_t>(events_.size() + 1);
    Point sum;
    double count = 0;
    for (; first != end; ++first) {
        const ChangedLink& link = links[static_cast<uint32_t>(*first)];
        for (int k = 0; k < 2; ++k) {
            if (link.now[k] >= last_event_.size()) last_event_.resize(link.now[k] + 1);
            if (std::exchange(last_event_[link.now[k]], stamp) == stamp) continue;
            const Point d = lattice_.difference(origin, link.after[k]);
            sum = {sum.x + d.x, sum.y + d.y};
            ++count;
        }
    }
    return lattice_.wrapped({origin.x + sum.x / count, origin.y + sum.y / count});
}

/// The neighbours of all its links' corners at one moment, each place once; returns how many.
uint32_t EventLog::add_around(const Detection& detection, const uint64_t* first, const uint64_t* end, bool past) {
    const std::vector<Surroundings>& surroundings = detection.surroundings();
    const auto range = [&](uint64_t entry) -> std::pair<const Point*, const Point*> {
        const size_t i = static_cast<uint32_t>(entry);
        if (i >= surroundings.size()) return {};
        const Surroundings& all = surroundings[i];
        const Point* from = detection.places().data() + all.first + (past ? 0 : all.past_count);
        return {from, from + (past ? all.past_count : all.now_count)};
    };
    size_t most = 0;
    for (const uint64_t* at = first; at != end; ++at) most += range(*at).second - range(*at).first;
    // Most come several times: a table finds them sooner than sorting all.
    table_.assign(std::bit_ceil(2 * most + 1), kNone);
    places_.clear();
    for (const uint64_t* at = first; at != end; ++at)
        for (auto [p, stop] = range(*at); p != stop; ++p) {
            size_t slot = mix64(std::bit_cast<uint64_t>(p->x) ^ mix64(std::bit_cast<uint64_t>(p->y)));
            uint32_t* known = &table_[slot & (table_.size() - 1)];
            while (*known != kNone && !(places_[*known] == *p)) known = &table_[++slot & (table_.size() - 1)];
            if (*known != kNone) continue;
            *known = static_cast<uint32_t>(places_.size());
            places_.push_back(*p);
        }
    std::sort(places_.begin(), places_.end(), [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    around_.insert(around_.end(), places_.begin(), places_.end());
    return static_cast<uint32_t>(places_.size());
}

size_t EventLog::first_since(uint32_t round) const {
    return static_cast<size_t>(std::partition_point(events_.begin(), events_.end(),
                                                    [&](const LoggedEvent& event) { return event.round < round; }) -
                               events_.begin());
}

Finding EventLog::finding(size_t i) const {
    const LoggedEvent& event = events_.at(i);
    Finding finding;
    finding.time = event.time;
    finding.kind = name_of(event_kind(event.kinds));
    finding.place = event.place;
    finding.round = event.round;
    for (const LoggedLink *link = links_of(event), *end = link + event.links; link != end; ++link) {
        (link->breaking ? finding.breaking : finding.arising)
            .push_back({std::min(link->ids[0], link->ids[1]), std::max(link->ids[0], link->ids[1])});
        finding.vertices.insert(finding.vertices.end(), link->ids, link->ids + 2);
    }
    for (auto* list : {&finding.breaking, &finding.arising}) std::sort(list->begin(), list->end());
    std::sort(finding.vertices.begin(), finding.vertices.end());
    finding.vertices.erase(std::unique(finding.vertices.begin(), finding.vertices.end()), finding.vertices.end());
    return finding;
}

std::vector<Histogram> EventLog::histograms() const {
    Histogram across;
    across.name = "events across x";
    across.sentence =
        "How many events there were in each of twenty strips from the left border to the right one: plastic ones, and "
        "those beside somebody who appeared or vanished.";
    across.low = -0.5;
    across.high = 0.5;
    across.before.assign(kBins, 0);
    across.now.assign(kBins, 0);
    across.before_name = "unmatched";
    across.now_name = "plastic";
    across.logarithmic = true;
    Histogram rose;
    rose.name = "directions of links";
    rose.sentence = "How many links of plastic events broke and arose in each direction; 0° is along x.";
    rose.unit = "°";
    rose.high = 180;
    rose.before.assign(kDirections, 0);
    rose.now.assign(kDirections, 0);
    rose.rose = true;
    rose.before_name = "breaking";
    rose.now_name = "arising";
    for (const LoggedEvent& event : events_) {
        const double x = (event.place.x + 0.5) / lattice_.width;
        const bool plastic = event_kind(event.kinds) != EventKind::kUnmatched;
        ++(plastic ? across.now
                   : across.before)[static_cast<size_t>(std::clamp(std::floor(x * kBins), 0.0, kBins - 1.0))];
        if (!plastic) continue;
        for (const LoggedLink *link = links_of(event), *end = link + event.links; link != end; ++link) {
            const Point* places = link->breaking ? link->before : link->after;
            const Point d = lattice_.difference(places[0], places[1]);
            if (d == Point{}) continue;
            double angle = std::atan2(d.y, d.x);
            if (angle < 0) angle += kPi;
            const auto bin = static_cast<size_t>(angle / kPi * kDirections) % kDirections;
            ++(link->breaking ? rose.before : rose.now)[bin];
        }
    }
    return {std::move(across), std::move(rose)};
}

void EventLog::save(Snapshot& snapshot) const {
    put_values(snapshot, events_.data(), events_.size());
    put_values(snapshot, links_.data(), links_.size());
    put_values(snapshot, around_.data(), around_.size());
    put_values(snapshot, &hash_, 1);
}

size_t EventLog::load(const Snapshot& snapshot, size_t first) {
    take_vector(snapshot, first, events_);
    take_vector(snapshot, first + 1, links_);
    take_vector(snapshot, first + 2, around_);
    take_values(snapshot, first + 3, &hash_);
    last_event_.clear();
    return first + kBlocks;
}

}  // namespace flipscope
