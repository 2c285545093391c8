#include "events/detection/matching.h"

#include <algorithm>
#include <bit>

#include "compute/primitives.h"
#include "events/detection/thread_group.h"

namespace flipscope {

namespace {

constexpr uint32_t kBinLanes = 16;           // CUDA threads that search for one nearest site
constexpr uint32_t kNameLanes = 8;           // threads that count new names before one label
constexpr uint32_t kMostCounted = 1u << 16;  // labels up to which counting pays off
constexpr uint32_t kWordBits = 32;           // labels in a word of `appeared`

/// Visits sites and keeps the nearest.
struct KeepNearest {
    const BinsView& bins;
    Point p;
    Nearest& best;
    FLIPSCOPE_HD void visit(uint32_t slot) const {
        best.consider(bins.lattice.squared_distance(p, bins.points[slot]), bins.labels[slot]);
    }
    FLIPSCOPE_HD bool skips(const SiteNode&) const { return false; }
    FLIPSCOPE_HD bool full() const { return false; }
};

/// Slightly more than a distance from p, so that rounding excludes no site within it.
FLIPSCOPE_HD inline double widened(const BinsView& bins, Point p, double distance) {
    const double size = magnitude(p.x) + magnitude(p.y) + bins.lattice.width + bins.lattice.height;
    return distance * (1 + 1e-9) + size * 1e-9;
}

/// BinsView::nearest() for a place with a site close by, as most have: a site in its own bin limits the search.
FLIPSCOPE_HD inline Nearest nearest_close_by(const BinsView& bins, Point given) {
    const Point p = bins.lattice.wrapped(given);
    Nearest best;
    if (bins.tree.levels == 0) {
        KeepNearest keep{bins, p, best};
        bins.visit_near(p, 0, keep);
        if (best.label != kNone) {
            bins.visit_near(p, widened(bins, p, sqrt(best.squared)), keep);
            return best;
        }
    }
    bins.find_nearest(p, best);
    return best;
}

/// The same by a group of sixteen, if it is one: each of the first nine threads searches one bin of the 3 × 3 around p.
FLIPSCOPE_HD inline Nearest nearest(const BinsView& bins, Point given, const ThreadGroup& group) {
    if (group.lanes != kBinLanes || bins.tree.levels > 0) return nearest_close_by(bins, given);
    const Point p = bins.lattice.wrapped(given);
    const BinGrid& grid = *bins.grid;
    const int32_t columns = grid.columns, rows = grid.rows;
    int32_t x = int32_t(grid.column(p.x)) + int32_t(group.lane % 3) - 1;
    int32_t y = int32_t(grid.row(p.y)) + int32_t(group.lane / 3) - 1;
    // Around a periodic axis a bin may be searched twice.
    if (bins.lattice.periodic.x) x += x < 0 ? columns : x >= columns ? -columns : 0;
    if (bins.lattice.periodic.y) y += y < 0 ? rows : y >= rows ? -rows : 0;
    Nearest best;
    if (group.lane < 9 && x >= 0 && y >= 0 && x < columns && y < rows) {
        const uint32_t bin = uint32_t(y) * columns + x, end = bins.starts[bin + 1];
        KeepNearest keep{bins, p, best};
        for (uint32_t slot = bins.starts[bin]; slot < end; ++slot) keep.visit(slot);
    }
    for (uint32_t other = 1; other < kBinLanes; other *= 2) {
        const double squared = group.other(other, best.squared);
        best.consider(squared, group.other(other, best.label));
    }
    // A site outside these bins is farther than the width of a bin.
    const double side = lesser(grid.width, grid.height), safe = 2 * side - widened(bins, p, side);
    return safe > 0 && best.squared < safe * safe ? best : nearest_close_by(bins, given);
}

/// The nearest choice of each label, past labels first, then present ones. Clears the buffers to which the next kernel
/// adds.
struct ChooseNearest {
    View<const Point> past, now;
    View<const uint32_t> past_count, now_count;
    BinsView past_bins, now_bins;
    Lattice lattice;
    double reach;  // the square of the cap, times the number of past sites
    uint32_t past_room, lanes;
    View<uint32_t> choice_now, choice_past, appeared;
    View<uint64_t> counts;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const ThreadGroup group(thread, lanes);
        const uint32_t i = group.index;
        if (thread < counts.count) counts[thread] = 0;
        if (i < past_room) {
            if (i >= past_count[0]) return;
            const Nearest found = nearest(now_bins, past[i], group);
            if (group.lane > 0) return;
            const uint32_t q = found.label;
            const bool near = q != kNone && lattice.squared_distance(past[i], now[q]) * past_count[0] <= reach;
            choice_now[i] = near ? q : kNone;
            return;
        }
        const uint32_t q = i - past_room;
        if (group.lane == 0 && q % kWordBits == 0 && q / kWordBits < appeared.count) appeared[q / kWordBits] = 0;
        if (q >= now_count[0]) return;
        const Nearest found = nearest(past_bins, now[q], group);
        if (group.lane == 0) choice_past[q] = found.label;
    }
};

/// The label of a name; kNone: unknown. `guess`: the index to try first, since few names come and go.
FLIPSCOPE_HD inline uint32_t find_name(View<const int64_t> names, View<const uint32_t> labels, int64_t name,
                                       uint32_t guess) {
    if (guess < names.count && names[guess] == name) return labels[guess];
    const size_t place = lower_bound(names.data, size_t(0), names.count, name);
    return place < names.count && names[place] == name ? labels[place] : kNone;
}

struct ChooseNames {
    View<const int64_t> past_names, now_names;     // ascending
    View<const uint32_t> past_labels, now_labels;  // of these names
    View<uint32_t> choice_now, choice_past, appeared;
    View<uint64_t> counts;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (i < counts.count) counts[i] = 0;
        if (i < past_names.count) choice_now[past_labels[i]] = find_name(now_names, now_labels, past_names[i], i);
        if (i % kWordBits == 0 && i / kWordBits < appeared.count) appeared[i / kWordBits] = 0;
        if (i < now_names.count) choice_past[now_labels[i]] = find_name(past_names, past_labels, now_names[i], i);
    }
};

/// Labels that choose each other are partners.
struct PairUp {
    View<const uint32_t> past_count, now_count, choice_now, choice_past;
    View<uint32_t> to_now, to_past, appeared;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        if (i < past_count[0]) {
            const uint32_t q = choice_now[i];
            const bool matched = q != kNone && choice_past[q] == i;
            to_now[i] = matched ? q : kNone;
            ++sums.value[matched ? Matching::kMatched : Matching::kVanished];
        }
        if (i < now_count[0]) {
            const uint32_t p = choice_past[i];
            const bool matched = p != kNone && choice_now[p] == i;
            to_past[i] = matched ? p : kNone;
            if (!matched) atomic_or(appeared[i / kWordBits], 1u << i % kWordBits);
        }
    }
};

struct PassOnNames {
    View<const uint32_t> to_past, past_names;
    uint32_t next;
    View<uint32_t> names;
    FLIPSCOPE_HD uint32_t code(uint32_t q) const { return to_past[q] == kNone; }
    FLIPSCOPE_HD void emit(uint32_t q, uint32_t rank, uint32_t code) const {
        names[q] = code ? next + rank : past_names[to_past[q]];
    }
};

/// The same in one launch, for CUDA: a group counts the new labels before a label.
struct CountNames {
    PassOnNames kernel;
    View<const uint32_t> appeared, count;
    uint32_t lanes;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const ThreadGroup group(thread, lanes);
        const uint32_t q = group.index, last = q / kWordBits;
        if (q >= count[0]) return;
        const uint32_t code = kernel.code(q);
        uint32_t before = 0;
        for (uint32_t word = group.lane; code && word <= last; word += lanes)
            before += count_bits(word < last ? appeared[word] : appeared[word] & ((1u << q % kWordBits) - 1));
        before = group.sum(before);
        if (group.lane == 0) kernel.emit(q, before, code);
    }
    FLIPSCOPE_HD static uint32_t count_bits(uint32_t word) {
#if defined(__CUDA_ARCH__)
        return __popc(word);
#else
        return static_cast<uint32_t>(std::popcount(word));
#endif
    }
};

}  // namespace

void Matching::begin(Context& context, const LinkedFrame& past, const LinkedFrame& now) {
    for (Buffer<uint32_t>* by_past : {&to_now_, &choice_now_}) by_past->resize(context, past.room(), false);
    for (Buffer<uint32_t>* by_now : {&to_past_, &choice_past_}) by_now->resize(context, now.room(), false);
    appeared_.resize(context, (size_t(now.room()) + kWordBits - 1) / kWordBits, false);
    counts_.resize(context, kSumCount);
}

void Matching::match_nearest(Context& context, const LinkedFrame& past, const LinkedFrame& now, double cap) {
    begin(context, past, now);
    const Lattice lattice = now.lattice();
    const double reach = cap * cap * lattice.width * lattice.height;
    const uint32_t lanes = context.on_cuda() ? kBinLanes : 1;
    const uint32_t threads = std::max<uint32_t>((past.room() + now.room()) * lanes, kSumCount);
    launch(context, "match.nearest", threads,
           ChooseNearest{past.sites(), now.sites(), past.sizes(), now.sizes(), past.bins().view(), now.bins().view(),
                         lattice, reach, past.room(), lanes, choice_now_.view(), choice_past_.view(), appeared_.view(),
                         counts_.view()});
    pair_up(context, past, now);
}

void Matching::match_names(Context& context, const LinkedFrame& past, const LinkedFrame& now) {
    begin(context, past, now);
    const uint32_t threads = std::max<uint32_t>({past.room(), now.room(), kSumCount});
    launch(context, "match.names", threads,
           ChooseNames{past.given_names().view(), now.given_names().view(), past.given_labels().view(),
                       now.given_labels().view(), choice_now_.view(), choice_past_.view(), appeared_.view(),
                       counts_.view()});
    pair_up(context, past, now);
}

void Matching::match_given(Context& context, const LinkedFrame& past, const LinkedFrame& now,
                           const std::vector<uint32_t>& to_now) {
    begin(context, past, now);
    std::vector<uint32_t> choice_now = to_now, choice_past(now.room(), kNone);
    choice_now.resize(past.room(), kNone);
    for (uint32_t p = 0; p < to_now.size(); ++p)
        if (to_now[p] != kNone) choice_past[to_now[p]] = p;
    choice_now_.upload(context, choice_now.data(), choice_now.size());
    choice_past_.upload(context, choice_past.data(), choice_past.size());
    appeared_.fill(context, appeared_.size(), 0);
    counts_.fill(context, kSumCount, 0);
    pair_up(context, past, now);
}

void Matching::pair_up(Context& context, const LinkedFrame& past, const LinkedFrame& now) {
    launch(context, "match.pair_up", std::max(past.room(), now.room()),
           PairUp{past.sizes(), now.sizes(), choice_now_.view(), choice_past_.view(), to_now_.view(), to_past_.view(),
                  appeared_.view()},
           counts_.view());
}

void Matching::pass_on_names(Context& context, const LinkedFrame& past, LinkedFrame& now, uint32_t next) {
    const PassOnNames kernel{to_past_.view(), past.names().view(), next, now.names().view()};
    if (context.on_cuda() && now.room() <= kMostCounted)
        return launch(context, "match.pass_on", now.room() * kNameLanes,
                      CountNames{kernel, appeared_.view(), now.sizes(), kNameLanes});
    total_.resize(context, 1);
    compact(context, "match.pass_on", now.count(), kernel, total_.view());
}

}  // namespace flipscope
