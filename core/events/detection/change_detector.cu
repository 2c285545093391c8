#include "events/detection/change_detector.h"

#include <algorithm>
#include <utility>

#include "compute/primitives.h"
#include "events/detection/detection_kernels.h"

namespace flipscope {

namespace {

constexpr uint32_t kMostRanked = 4096;  // up to so many changed links, ranks come from comparing all pairs

ComparisonCounts counts_of(const uint32_t* words) {
    const uint32_t* const matches = words + kMatches;
    return {.past = words[kPastSizes],
            .now = words[kNowSizes],
            .now_links = words[kNowSizes + 1] / 2,
            .matched = matches[Matching::kMatched],
            .vanished = matches[Matching::kVanished],
            .active = words[kActiveCount],
            .lost = words[kLostCount],
            .created = words[kCreatedCount]};
}

}  // namespace

EventKind event_kind(uint32_t bits) {
    if ((bits & kT1) && (bits & kBoundary)) return EventKind::kMixed;
    if (bits & kT1) return EventKind::kT1;
    if (bits & kBoundary) return EventKind::kBoundary;
    return bits & kBesideUnmatched ? EventKind::kUnmatched : EventKind::kUnclear;
}

const char* name_of(EventKind kind, EventVerdict verdict) {
    if (verdict != EventVerdict::kCounts) return verdict == EventVerdict::kFlicker ? "flicker" : "undecided";
    static constexpr const char* kNames[] = {"unclear", "T1", "boundary", "mixed", "unmatched"};
    return kNames[static_cast<uint32_t>(kind)];
}

void ChangeDetector::reset(Context& context, const Lattice& lattice, bool closed) {
    context_ = &context;
    lattice_ = lattice;
    closed_ = closed;
    counters_.fill(context, 2 * kCounterWidth, 0);
    turn_ = 0;
    translated_.resize(context, 0);
    trigger_.resize(context, 0);
    usual_links_ = usual_places_ = 0;
    forget();
}

void ChangeDetector::forget() {
    extracted_ = false;
    link_room_ = 0;
    if (host_links_.use_count() > 1) std::swap(host_links_, spare_);
    if (!host_links_ || host_links_.use_count() > 1) host_links_ = std::make_shared<FoundLinks>();
    host_links_->forget();
}

void ChangeDetector::compare(Context& context, const LinkedFrame& past, const LinkedFrame& now,
                             const Matching& matching) {
    forget();
    const uint32_t turn = 1 - turn_;  // the counters of the other turn are clear
    translated_.resize(context, past.neighbours().size(), false);
    for (Buffer<uint32_t>* by_past : {&kinds_, &active_}) by_past->resize(context, past.room(), false);
    trigger_.resize(context, past.room(), false);
    lost_.resize(context, past.neighbours().size(), false);
    created_.resize(context, now.neighbours().size(), false);
    const uint32_t lanes = context.on_cuda() ? 16 : 1;
    uint32_t* const counters = counters_.view().data;
    const Comparison frames{past.graph(),      now.graph(),        past.sites(),    now.sites(),
                            matching.to_now(), matching.to_past(), trigger_.view(), lattice_};
    launch(context, "trigger.compare", std::max(1u, past.room() * lanes),
           CompareRow{frames,
                      past.sizes(),
                      now.sizes(),
                      matching.counts(),
                      lanes,
                      translated_.view(),
                      trigger_.view(),
                      kinds_.view(),
                      active_.view(),
                      lost_.view(),
                      created_.view(),
                      {counters + turn * kCounterWidth, kCounterWidth},
                      {counters + turn_ * kCounterWidth, kCounterWidth}});
    turn_ = turn;
}

void ChangeDetector::extract_ahead(Context& context, const LinkedFrame& past, const LinkedFrame& now,
                                   const Matching& matching) {
    if (!context.on_cuda()) return;
    const uint32_t links = std::min(usual_links_ + usual_links_ / 4 + 32, kMostRanked);
    launch_extraction(context, past, now, matching, 2 * links, links, false);
}

ComparisonCounts ChangeDetector::read() const {
    if (extracted_) {
        host_links_->copy(*context_, found_, link_room_, usual_bytes());
        return counts_of(host_links_->counters());
    }
    uint32_t words[kCounterWidth];
    counters_.download(words, kCounterWidth, turn_ * kCounterWidth);
    return counts_of(words);
}

void ChangeDetector::extract(Context& context, const LinkedFrame& past, const LinkedFrame& now,
                             const Matching& matching, const ComparisonCounts& counts) {
    const auto links = static_cast<uint32_t>(counts.lost + counts.created);
    if (links == 0 || (extracted_ && links <= link_room_)) return;
    forget();
    const bool in_order = !context.on_cuda() || links > kMostRanked;
    if (in_order) sort_found(context, counts);
    launch_extraction(context, past, now, matching, static_cast<uint32_t>(counts.active), links, in_order);
}

void ChangeDetector::sort_found(Context& context, const ComparisonCounts& counts) {
    const auto sort = [&](Buffer<uint64_t>& found, size_t count) {
        if (count < 2) return;
        if (!context.on_cuda()) return sort_or_cancel(found.view().data, found.view().data + count);
        found.resize(context, count);
        labels_.fill(context, count, 0);
        sort_by_key(context, "events.sort", found, labels_, 64);
    };
    sort(lost_, counts.lost);
    sort(created_, counts.created);
}

/// `active`, `links`: the numbers, or the room if they are unknown.
void ChangeDetector::launch_extraction(Context& context, const LinkedFrame& past, const LinkedFrame& now,
                                       const Matching& matching, uint32_t active, uint32_t links, bool in_order) {
    extracted_ = true;
    link_room_ = links;
    const auto past_entries = static_cast<uint32_t>(past.neighbours().size());
    const auto now_entries = static_cast<uint32_t>(now.neighbours().size());
    entries_.resize(context, links, false);
    const auto grow = [&](auto& buffer, size_t size) {  // kernels also read elements that were not written
        if (buffer.size() >= size) return;
        buffer.fill(context, size + size / 4, 0);
    };
    grow(slots_, size_t(past_entries) + now_entries);
    parents_.resize(context, links, false);
    const uint32_t drawn_room = FoundLinks::drawn(links);
    const size_t most_places = size_t(drawn_room) * 8 * kAround;
    grow(found_, (FoundLinks::places_at(links) + most_places * sizeof(Point)) / sizeof(uint64_t));

    uint32_t* const words = counters_.view().data + turn_ * kCounterWidth;
    char* const bytes = reinterpret_cast<char*>(found_.view().data);
    const View<ChangedLink> described{reinterpret_cast<ChangedLink*>(bytes + FoundLinks::kHeader), links};
    const View<Surroundings> surroundings{reinterpret_cast<Surroundings*>(bytes + FoundLinks::surroundings_at(links)),
                                          drawn_room};
    const View<Point> places{reinterpret_cast<Point*>(bytes + FoundLinks::places_at(links)), most_places};
    const Comparison frames{past.graph(),      now.graph(),        past.sites(),    now.sites(),
                            matching.to_now(), matching.to_past(), trigger_.view(), lattice_};
    const Changes changes{{words, kCounterWidth},
                          lost_.view(),
                          created_.view(),
                          in_order,
                          entries_.view(),
                          {slots_.view().data, past_entries},
                          {slots_.view().data + past_entries, now_entries}};
    // Groups on CUDA, single threads on the CPU. Where kernels use no groups, some threads share an element on the CPU,
    // too, so that there are enough chunks for all its threads. Whole warps, so that no group is divided.
    constexpr uint32_t kMostThreads = 1u << 16;
    const uint32_t group = context.on_cuda() ? 8 : 1, half_warp = 16;
    const auto threads = [&](uint32_t count, uint32_t lanes) {
        if (!context.on_cuda()) return count * lanes;
        return std::min((count * lanes + 31) / 32 * 32, kMostThreads);
    };
    const uint32_t boundary = closed_ ? 0 : threads(active, half_warp), describing = threads(links, group);
    launch(
        context, "events.describe", boundary + describing,
        FusedKernels<FindBoundary, DescribeLink>{{frames, changes, active_.view(), half_warp, boundary, kinds_.view()},
                                                 boundary,
                                                 {frames, changes, group, describing, described, parents_.view()}});
    const uint32_t classifying = threads(active, group), joining = threads(links, half_warp);
    const uint32_t looking = threads(drawn_room, group);
    launch(context, "events.join", classifying + joining + looking,
           FusedKernels<ClassifyVertex, FusedKernels<JoinLinks, ScanSurroundings>>{
               {frames, changes, active_.view(), group, classifying, kinds_.view()},
               classifying,
               {{frames, changes, described, half_warp, joining, {parents_.view()}},
                joining,
                {frames, changes, described, group, looking, surroundings, places, {words + kPlaceCount, 1}}}});
    launch(context, "events.finish", threads(links, group),
           FinishLink{frames,
                      changes,
                      now.names().view(),
                      past.names().view(),
                      kinds_.view(),
                      parents_.view(),
                      group,
                      threads(links, group),
                      described,
                      {reinterpret_cast<uint32_t*>(bytes), kCounterWidth}});
}

/// Bytes of the result if there are slightly more changes than last time.
size_t ChangeDetector::usual_bytes() const {
    return FoundLinks::places_at(link_room_) + (usual_places_ + usual_places_ / 4 + 256) * sizeof(Point);
}

std::shared_ptr<const FoundLinks> ChangeDetector::found() const {
    if (!extracted_) return host_links_;
    host_links_->copy(*context_, found_, link_room_, usual_bytes());
    const uint32_t* counters = host_links_->counters();
    const uint32_t links = counters[kLostCount] + counters[kCreatedCount], places = counters[kPlaceCount];
    if (links > link_room_) return host_links_;  // there was no room for them
    host_links_->copy(*context_, found_, link_room_, FoundLinks::places_at(link_room_) + places * sizeof(Point));
    host_links_->set_counts(links, places);
    usual_links_ = links;
    usual_places_ = places;
    return host_links_;
}

}  // namespace flipscope
