#include "events/detection/persistence.h"

#include <algorithm>
#include <utility>

namespace flipscope {

namespace {

uint64_t contact_key(const LoggedLink& link) {
    return uint64_t(std::min(link.names[0], link.names[1])) << 32 | std::max(link.names[0], link.names[1]);
}

}  // namespace

void ContactWatch::reset(const PersistenceRules& rules) {
    rules_ = rules;
    passed_.clear();
    last_.clear();
    read_ = 0;
}

void ContactWatch::observe(const EventLog& log, uint32_t round, const ComparedSites& sites) {
    const auto links = log.links();
    passed_.resize(links.size(), kNone);
    for (; read_ < links.size(); ++read_) last_[contact_key(links[read_])] = static_cast<uint32_t>(read_);
    std::unordered_map<uint32_t, uint32_t> label_of;
    for (uint32_t q = 0; q < sites.names.size(); ++q) label_of[sites.names[q]] = q;
    const double square = double(log.lattice().pixel_count()) / std::max<double>(1, double(sites.now.size()));
    std::erase_if(last_, [&](const auto& change) {
        const uint32_t i = change.second;
        if (passed_[i] != kNone) return true;
        const auto a = label_of.find(links[i].names[0]), b = label_of.find(links[i].names[1]);
        if (a == label_of.end() || b == label_of.end()) return false;
        const double length = log.lattice().squared_distance(sites.now[a->second], sites.now[b->second]) / square;
        const double threshold = links[i].lost ? rules_.lost_beyond : rules_.created_within;
        const bool passes =
            std::isnan(threshold) || (links[i].lost ? length > threshold * threshold : length < threshold * threshold);
        if (passes) passed_[i] = round;
        return passes;
    });
}

void ContactWatch::save(Snapshot& snapshot) const { put_values(snapshot, passed_.data(), passed_.size()); }

size_t ContactWatch::load(const Snapshot& snapshot, size_t first) {
    passed_ = load_vector<uint32_t>(snapshot, first);
    last_.clear();
    read_ = 0;
    return first + 1;
}

void SettledEvents::reset(PersistenceRules rules) {
    *this = {};
    rules_ = rules;
}

void SettledEvents::update(const EventLog& log, std::span<const uint32_t> passed, uint32_t round, bool ended) {
    if (round < round_ || (ended_ && !ended)) reset(rules_);
    while (round_ < round) step(log, passed, ++round_);
    if (!ended || ended_) return;
    ended_ = true;
    for (const uint32_t event : std::exchange(waiting_, {})) list(log, event);
}

/// Reads the events of one comparison, and lists those that are decided.
void SettledEvents::step(const EventLog& log, std::span<const uint32_t> passed, uint32_t round) {
    const std::vector<LoggedEvent>& events = log.events();
    for (size_t e = undecided_.size(); e < events.size() && events[e].round <= round; ++e) {
        undecided_.push_back(events[e].links);
        waiting_.push_back(static_cast<uint32_t>(e));
        if (!events[e].is_plastic()) end_contacts_of(log, events[e]);
        for (uint32_t i = events[e].first_link; i < events[e].first_link + events[e].links; ++i) {
            verdicts_.push_back(EventVerdict::kUndecided);
            event_of_.push_back(static_cast<uint32_t>(e));
            if (rules_.keeps_all())
                decide(i, EventVerdict::kCounts);
            else
                open(log.links()[i], i, round);
        }
    }
    const auto lasts = static_cast<uint32_t>(std::max(1, rules_.comparisons));
    std::erase_if(open_, [&](uint32_t i) {
        if (verdicts_[i] != EventVerdict::kUndecided) return true;  // undone
        if (round - events[event_of_[i]].round + 1 < lasts) return false;
        if (rules_.has_lengths() && (i >= passed.size() || passed[i] > round)) return false;
        Contact& contact = contacts_.at(contact_key(log.links()[i]));
        contact.settled_lost = contact.lost;
        contact.open = kNone;
        decide(i, std::exchange(contact.is_known, true) ? EventVerdict::kCounts : EventVerdict::kUndecided);
        return true;
    });
    std::erase_if(waiting_, [&](uint32_t e) {
        if (undecided_[e] > 0 || round - events[e].round + 1 < lasts) return false;
        list(log, e);
        return true;
    });
}

void SettledEvents::open(const LoggedLink& link, uint32_t index, uint32_t round) {
    const bool lost = link.lost != 0;
    Contact& contact = contacts_.try_emplace(contact_key(link), Contact{!lost, !lost}).first->second;
    if (contact.open != kNone) decide(std::exchange(contact.open, kNone), EventVerdict::kFlicker);
    // The same change again: a cell was absent in between, and the contact's state has changed without a trace.
    if (contact.lost == lost) contact.settled_lost = !lost;
    contact.lost = lost;
    contact.is_known = contact.is_known || round - contact.since >= static_cast<uint32_t>(rules_.comparisons);
    contact.since = round;
    if (contact.settled_lost == lost) return decide(index, EventVerdict::kFlicker);
    contact.open = index;
    open_.push_back(index);
}

void SettledEvents::decide(uint32_t link, EventVerdict verdict) {
    verdicts_[link] = verdict;
    --undecided_[event_of_[link]];
}

/// A contact whose cell vanishes has not lasted.
void SettledEvents::end_contacts_of(const EventLog& log, const LoggedEvent& event) {
    const auto change = static_cast<CellChange>(event.change);
    if (change != CellChange::kDeath && change != CellChange::kMissing && change != CellChange::kMerge) return;
    const auto cells = log.cells_of(event).subspan(change == CellChange::kMerge ? 1 : 0);
    for (const uint32_t i : open_) {
        const LoggedLink& link = log.links()[i];
        const bool ends = std::any_of(cells.begin(), cells.end(), [&](const LoggedCell& cell) {
            return cell.id == link.ids[0] || cell.id == link.ids[1];
        });
        if (!ends || verdicts_[i] != EventVerdict::kUndecided) continue;
        contacts_.at(contact_key(link)).open = kNone;
        decide(i, EventVerdict::kFlicker);
    }
}

void SettledEvents::list(const EventLog& log, uint32_t e) {
    const LoggedEvent& event = log.events()[e];
    row_of_.resize(std::max<size_t>(row_of_.size(), event.first_link + event.links), kNone);
    if (!event.is_plastic()) rows_.push_back({e});
    for (const EventVerdict verdict : {EventVerdict::kCounts, EventVerdict::kFlicker, EventVerdict::kUndecided}) {
        Row row{e, verdict};
        uint64_t links[2] = {};
        for (uint32_t i = event.first_link; i < event.first_link + event.links; ++i) {
            if (verdicts_[i] != verdict) continue;
            row_of_[i] = static_cast<uint32_t>(rows_.size());
            row.kinds |= log.links()[i].kinds;
            ++links[log.links()[i].lost];
        }
        if (links[0] + links[1] == 0) continue;
        rows_.push_back(row);
        counts_.flickers += verdict == EventVerdict::kFlicker;
        counts_.undecided += verdict == EventVerdict::kUndecided;
        if (verdict != EventVerdict::kCounts) continue;
        ++counts_.kinds[size_t(event_kind(row.kinds))];
        counts_.created += links[0];
        counts_.lost += links[1];
        if (links[0] == 1 && links[1] == 1) pair_reversal(log, static_cast<uint32_t>(rows_.size() - 1));
    }
}

void SettledEvents::pair_reversal(const EventLog& log, uint32_t row) {
    if (event_kind(rows_[row].kinds) != EventKind::kT1) return;
    std::array<uint32_t, 4> own, inverse;  // lost contact, then created contact
    for (const uint32_t i : links_of(log, rows_[row])) {
        const LoggedLink& link = log.links()[i];
        const auto [low, high] = std::minmax(link.names[0], link.names[1]);
        const size_t at = link.lost ? 0 : 2;
        own[at] = inverse[2 - at] = low;
        own[at + 1] = inverse[3 - at] = high;
    }
    const auto before = t1s_.find(inverse);
    if (before == t1s_.end()) {
        t1s_[own] = row;
        return;
    }
    rows_[row].reverses = before->second;
    t1s_.erase(before);
    ++counts_.reversals;
}

std::vector<uint32_t> SettledEvents::links_of(const EventLog& log, const Row& row) const {
    const LoggedEvent& event = log.events()[row.event];
    std::vector<uint32_t> links;
    for (uint32_t i = event.first_link; i < event.first_link + event.links; ++i)
        if (verdicts_[i] == row.verdict) links.push_back(i);
    return links;
}

}  // namespace flipscope
