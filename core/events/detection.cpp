#include "events/detection.h"

#include "compute/primitives.h"
#include "events/detection_kernels.h"

namespace flipscope {

namespace {
constexpr size_t kCounters = 10;  // four of the trigger, two of each moment, two of the matching
}

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
    for (Buffer<uint8_t>* marks : {&past_marks_, &now_marks_}) marks->release();
    translated_.resize(context, 0);
    trigger_.resize(context, 0);
    active_.resize(context, 0);
    kinds_.resize(context, 0);
    changed_.resize(context, 0);
    links_.resize(context, 0);
    surroundings_.resize(context, 0);
}

void Detection::compare(Context& context, const Moment& past, const Moment& now, const Matching& matching) {
    translated_.resize(context, past.neighbours().size(), false);
    trigger_.resize(context, past.room(), false);
    active_.resize(context, 0);
    changed_.resize(context, 0);
    links_.resize(context, 0);
    surroundings_.resize(context, 0);
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

void Detection::extract(Context& context, const Moment& past, const Moment& now, const Matching& matching,
                        const ComparisonCounts& counts) {
    const auto active_count = static_cast<uint32_t>(counts.active), past_count = static_cast<uint32_t>(counts.past);
    const auto breaking = static_cast<uint32_t>(counts.breaking), arising = static_cast<uint32_t>(counts.arising);
    const uint32_t link_count = breaking + arising;
    active_.resize(context, active_count, false);
    kinds_.resize(context, past_count, false);
    changed_.resize(context, link_count, false);
    links_.resize(context, link_count, false);
    parents_.resize(context, link_count, false);
    surroundings_.resize(context, std::min(link_count, kMostDrawn), false);
    if (active_count == 0) return;

    const Comparison moments{past.graph(),      now.graph(),        past.centres(),  now.centres(),
                             matching.to_now(), matching.to_past(), trigger_.view(), lattice_};
    expand(context, "events.active", past_count, ListActive{trigger_.view(), active_.view()}, total_.view());
    const auto marks = [&](Buffer<uint8_t>& buffer, uint64_t links) {
        if (buffer.size() < 2 * links) {
            buffer.resize(context, 2 * links, false);
            buffer.fill_bytes(0);
        }
        return buffer.view(2 * links);
    };
    const View<uint8_t> past_marks = marks(past_marks_, counts.past_links);
    const View<uint8_t> now_marks = marks(now_marks_, counts.now_links);
    launch(context, "events.mark", active_count, MarkChanged{moments, active_.view(), past_marks, now_marks});
    const View<uint32_t> broken = changed_.view(breaking), arisen{changed_.view().data + breaking, arising};
    list_marked(context, "events.breaking", past_marks, broken, total_.view());
    list_marked(context, "events.arising", now_marks, arisen, total_.view());

    launch(context, "events.boundary", active_count, FindBoundary{moments, active_.view(), kinds_.view()});
    launch(context, "events.classify", active_count, ClassifyVertex{moments, active_.view(), kinds_.view()});
    const ChangedList list{broken, arisen};
    launch(context, "events.describe", link_count,
           DescribeLink{moments, list, past_count, static_cast<uint32_t>(counts.now), links_.view(), parents_.view()});
    launch(context, "events.join", link_count, JoinLinks{moments, list, links_.view(), parents_.view()});
    launch(context, "events.finish", link_count,
           FinishLink{moments, now.names().view(), past.names().view(), kinds_.view(), parents_.view(), links_.view()});
    launch(context, "events.look", 4 * static_cast<uint32_t>(surroundings_.size()),
           LookAround{moments, links_.view(), surroundings_.view()});
}

std::vector<ChangedLink> Detection::links() const {
    if (links_.empty()) return {};
    return links_.download();
}

std::vector<Surroundings> Detection::surroundings() const {
    if (surroundings_.empty()) return {};
    return surroundings_.download();
}

}  // namespace flipscope
