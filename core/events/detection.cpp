#include "events/detection.h"

#include <algorithm>
#include <cstring>

#include "compute/primitives.h"
#include "events/detection_kernels.h"

namespace flipscope {

namespace {
constexpr size_t kCounters = 10;  // four of the trigger, two of each moment, two of the matching
static_assert(sizeof(ChangedLink) % sizeof(uint64_t) == 0 && sizeof(Surroundings) % sizeof(uint64_t) == 0);
}  // namespace

EventKind event_kind(uint32_t bits) {
    if ((bits & kBulk) && (bits & kBoundary)) return EventKind::kMixed;
    if (bits & kBulk) return EventKind::kBulk;
    if (bits & kBoundary) return EventKind::kBoundary;
    return bits & kBesideUnmatched ? EventKind::kUnmatched : EventKind::kUnclear;
}

const char* name_of(EventKind kind) {
    static constexpr const char* kNames[] = {"unclear", "bulk", "boundary", "mixed", "unmatched"};
    return kNames[static_cast<uint32_t>(kind)];
}

void Detection::reset(Context& context, const Lattice& lattice) {
    lattice_ = lattice;
    counters_.resize(context, kCounters);
    total_.resize(context, 1);
    marks_.release();
    translated_.resize(context, 0);
    trigger_.resize(context, 0);
    lists_.resize(context, 0);
    kinds_.resize(context, 0);
    slots_.resize(context, 0);
    found_.resize(context, 0);
    forget();
}

void Detection::compare(Context& context, const Moment& past, const Moment& now, const Matching& matching) {
    translated_.resize(context, past.neighbours().size(), false);
    trigger_.resize(context, past.room(), false);
    forget();
    counters_.fill_bytes(0);
    launch(context, "trigger.translate", past.count(),
           TranslateRow{past.graph(), matching.to_now(), translated_.view()});
    launch(context, "trigger.compare", past.count(),
           CompareRow{past.graph(), now.graph(), translated_.view(), matching.to_now(), matching.to_past(),
                      trigger_.view()},
           counters_.view(kTallyWidth));
    const View<uint64_t> sizes{counters_.view().data + kTallyWidth, kCounters - kTallyWidth};
    launch(context, "trigger.count", kCounters - kTallyWidth,
           CopySizes{past.sizes(), now.sizes(), matching.counts(), sizes});
}

ComparisonCounts Detection::read() const {
    uint64_t values[kCounters];
    counters_.download(values, kCounters);
    ComparisonCounts counts;
    counts.active = values[0];
    counts.breaking = values[1] / 2;  // each was seen from both its ends
    counts.arising = values[2] / 2;
    counts.past = values[4];
    counts.past_links = values[5] / 2;
    counts.now = values[6];
    counts.now_links = values[7] / 2;
    counts.matched = values[8 + Matching::kMatched];
    counts.vanished = values[8 + Matching::kVanished];
    return counts;
}

void Detection::forget() {
    active_count_ = link_count_ = drawn_count_ = 0;
    fetched_ = false;
}

void Detection::extract(Context& context, const Moment& past, const Moment& now, const Matching& matching,
                        const ComparisonCounts& counts) {
    forget();
    if (counts.active == 0) return;
    const auto past_count = static_cast<uint32_t>(counts.past), breaking = static_cast<uint32_t>(counts.breaking);
    const auto past_entries = static_cast<uint32_t>(2 * counts.past_links);
    const auto now_entries = static_cast<uint32_t>(2 * counts.now_links);
    active_count_ = static_cast<uint32_t>(counts.active);
    link_count_ = static_cast<uint32_t>(counts.breaking + counts.arising);
    drawn_count_ = std::min(link_count_, kMostDrawn);
    kinds_.resize(context, past_count, false);
    lists_.resize(context, size_t(active_count_) + link_count_, false);
    slots_.resize(context, size_t(past_entries) + now_entries, false);
    parents_.resize(context, link_count_, false);
    found_.resize(context, (link_count_ * sizeof(ChangedLink) + drawn_count_ * sizeof(Surroundings)) / sizeof(uint64_t),
                  false);
    if (marks_.size() < slots_.size()) {
        marks_.resize(context, slots_.size() + slots_.size() / 4, false);
        marks_.fill_bytes(0);
    }

    // On CUDA several threads share what a vertex or a link is asked; on CPU threads that would only repeat.
    const auto lanes = [&](uint32_t most) { return context.on_cuda() ? most : 1u; };
    const Comparison moments{past.graph(),      now.graph(),        past.centres(),  now.centres(),
                             matching.to_now(), matching.to_past(), trigger_.view(), lattice_};
    const View<uint8_t> marks = marks_.view(slots_.size());
    const View<uint32_t> lists = lists_.view(), slots = slots_.view();
    launch(context, "events.mark", past_count * lanes(8),
           MarkChanged{
               moments, lanes(8), {marks.data, past_entries}, {marks.data + past_entries, now_entries}, kinds_.view()});
    expand(context, "events.list", past_count + past_entries + now_entries,
           ListChanged{trigger_.view(), marks, past_count, past_entries, active_count_, lists, slots}, total_.view());

    const View<const uint32_t> active{lists.data, active_count_};
    const ChangedList list{{lists.data + active_count_, breaking},
                           {lists.data + active_count_ + breaking, link_count_ - breaking},
                           {slots.data, past_entries},
                           {slots.data + past_entries, now_entries}};
    const View<Surroundings> surroundings{reinterpret_cast<Surroundings*>(found_.view().data), drawn_count_};
    const View<ChangedLink> links{reinterpret_cast<ChangedLink*>(surroundings.data + drawn_count_), link_count_};
    const uint32_t boundary_threads = active_count_ * lanes(8);
    launch(context, "events.describe", boundary_threads + link_count_,
           Together<FindBoundary, DescribeLink>{
               {moments, active, lanes(8), kinds_.view()},
               boundary_threads,
               {moments, list, past_count, static_cast<uint32_t>(counts.now), links, parents_.view()}});
    launch(context, "events.join", active_count_ + link_count_ * lanes(16),
           Together<ClassifyVertex, JoinLinks>{
               {moments, active, kinds_.view()}, active_count_, {moments, list, links, lanes(16), parents_.view()}});
    launch(context, "events.finish", link_count_ + drawn_count_ * 4 * lanes(8),
           Together<FinishLink, LookAround>{
               {moments, now.names().view(), past.names().view(), kinds_.view(), parents_.view(), links},
               link_count_,
               {moments, links, lanes(8), surroundings}});
}

void Detection::fetch() const {
    if (fetched_) return;
    // All of it arrives in the memory of the larger part; what is behind is the links.
    const size_t bytes = link_count_ * sizeof(ChangedLink);
    host_surroundings_.resize(drawn_count_ + (bytes + sizeof(Surroundings) - 1) / sizeof(Surroundings));
    host_links_.resize(link_count_);
    if (link_count_ > 0) {
        found_.download(reinterpret_cast<uint64_t*>(host_surroundings_.data()), found_.size());
        std::memcpy(host_links_.data(), host_surroundings_.data() + drawn_count_, bytes);
    }
    host_surroundings_.resize(drawn_count_);
    fetched_ = true;
}

const std::vector<ChangedLink>& Detection::links() const {
    fetch();
    return host_links_;
}

const std::vector<Surroundings>& Detection::surroundings() const {
    fetch();
    return host_surroundings_;
}

}  // namespace flipscope
