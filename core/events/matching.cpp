#include "events/matching.h"

#include "compute/primitives.h"

namespace flipscope {

namespace {

struct MatchNearest {
    View<const Point> past, now;
    BinsView past_bins, now_bins;
    Lattice lattice;
    View<const uint32_t> past_count;
    double reach;  // the square of the cap, times the number of past centres
    View<uint32_t> to_now, to_past;
    FLIPSCOPE_HD void operator()(uint32_t p, Tally& tally) const {
        const uint32_t q = now_bins.nearest(past[p]);
        const bool near = q != kNone && lattice.squared_distance(past[p], now[q]) * past_count[0] <= reach;
        const bool matched = near && past_bins.nearest(now[q]) == p;
        to_now[p] = matched ? q : kNone;
        if (matched) to_past[q] = p;
        ++tally.value[matched ? Matching::kMatched : Matching::kVanished];
    }
};

struct MatchNames {
    View<const int64_t> past_names, now_names;     // ascending
    View<const uint32_t> past_labels, now_labels;  // whose
    View<uint32_t> to_now, to_past;
    FLIPSCOPE_HD void operator()(uint32_t i, Tally& tally) const {
        size_t low = 0, high = now_names.count;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (now_names[middle] < past_names[i])
                low = middle + 1;
            else
                high = middle;
        }
        const bool matched = low < now_names.count && now_names[low] == past_names[i];
        const uint32_t p = past_labels[i], q = matched ? now_labels[low] : kNone;
        to_now[p] = q;
        if (matched) to_past[q] = p;
        ++tally.value[matched ? Matching::kMatched : Matching::kVanished];
    }
};

struct PassOnNames {
    View<const uint32_t> to_past, past_names;
    View<uint32_t> names;
    uint32_t next;
    FLIPSCOPE_HD uint32_t token(uint32_t q) const { return to_past[q] == kNone; }
    FLIPSCOPE_HD void emit(uint32_t q, uint32_t rank, uint32_t token) const {
        names[q] = token ? next + rank : past_names[to_past[q]];
    }
};

struct KeepNames {
    PassOnNames kernel;
    FLIPSCOPE_HD void operator()(uint32_t q) const { kernel.emit(q, 0, 0); }
};

}  // namespace

void Matching::begin(Context& context, const Moment& past, const Moment& now) {
    to_now_.resize(context, past.room(), false);
    to_past_.resize(context, now.room(), false);
    to_past_.fill_bytes(0xFF);
    total_.resize(context, 1);
    counts_.resize(context, kTallyWidth);
    counts_.fill_bytes(0);
}

void Matching::match_nearest(Context& context, const Moment& past, const Moment& now, double cap) {
    begin(context, past, now);
    const Lattice lattice = now.lattice();
    const double reach = cap * cap * lattice.width * lattice.height;
    launch(context, "match.nearest", past.count(),
           MatchNearest{past.centres(), now.centres(), past.bins().view(), now.bins().view(), lattice, past.sizes(),
                        reach, to_now_.view(), to_past_.view()},
           counts_.view());
}

void Matching::match_names(Context& context, const Moment& past, const Moment& now) {
    begin(context, past, now);
    launch(context, "match.names", static_cast<uint32_t>(past.given_names().size()),
           MatchNames{past.given_names().view(), now.given_names().view(), past.given_labels().view(),
                      now.given_labels().view(), to_now_.view(), to_past_.view()},
           counts_.view());
}

uint32_t Matching::pass_on_names(Context& context, const Moment& past, Moment& now, uint32_t appeared, uint32_t next) {
    const PassOnNames kernel{to_past_.view(), past.names().view(), now.names().view(), next};
    if (appeared == 0)  // nobody needs a rank
        launch(context, "match.pass_on", now.count(), KeepNames{kernel});
    else
        expand(context, "match.pass_on", now.count(), kernel, total_.view());
    return next + appeared;
}

}  // namespace flipscope
