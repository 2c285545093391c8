#include "events/sources/flow_record.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace flipscope {

namespace {

/// Mean speeds of the bins from their sums.
struct Speeds {
    std::vector<double> sum = std::vector<double>(kProfileBins), count = std::vector<double>(kProfileBins);

    void add(const uint64_t* sums) {
        for (uint32_t b = 0; b < kProfileBins; ++b) {
            sum[b] += static_cast<double>(static_cast<int64_t>(sums[2 * b])) / kPixelUnits;
            count[b] += static_cast<double>(sums[2 * b + 1]);
        }
    }
    bool has(uint32_t bin) const { return count[bin] > 0; }
    double at(uint32_t bin) const { return sum[bin] / count[bin]; }
    /// Mean of the four bins in the middle, or of more if these are empty, as between large droplets.
    double middle() const {
        for (uint32_t half = 2; half <= kProfileBins / 2; half *= 2) {
            double all = 0, number = 0;
            for (uint32_t b = kProfileBins / 2 - half; b < kProfileBins / 2 + half; ++b)
                all += sum[b], number += count[b];
            if (number > 0) return all / number;
        }
        return 0;
    }
};

}  // namespace

void FlowRecord::reset(Context& context, uint32_t every, uint64_t warmup, uint64_t window) {
    every_ = every;
    warmup_ = warmup;
    window_ = window > 0 ? std::max<uint64_t>(2, window / every) : 0;
    state_ = {};
    kept_ = kBlocks;
    if (window_ > 0) {
        state_.each = (window_ + kBlocks - 1) / kBlocks;
        kept_ = static_cast<uint32_t>((window_ + state_.each - 1) / state_.each);
    }
    sums_.fill(context, kept_ * kSums, 0);
}

View<uint64_t> FlowRecord::open(Context& context) {
    if (window_ == 0 && state_.taken == state_.each * kept_) join(context);
    const uint64_t block = state_.taken / state_.each;
    uint64_t* const row = sums_.view().data + block % kept_ * kSums;
    if (state_.taken % state_.each == 0) context.fill(row, 0, kSums * sizeof(uint64_t));
    ++state_.taken;
    return {row, kSums};
}

/// Joins pairs of blocks when all blocks are full.
void FlowRecord::join(Context& context) {
    std::vector<uint64_t> sums = sums_.download(), joined(sums.size());
    for (size_t block = 0; block < kept_; ++block)
        for (size_t k = 0; k < kSums; ++k) joined[block / 2 * kSums + k] += sums[block * kSums + k];
    context.copy(sums_.view().data, joined.data(), joined.size() * sizeof(uint64_t));
    state_.each *= 2;
}

/// Blocks in use.
size_t FlowRecord::rows() const {
    return static_cast<size_t>(std::min<uint64_t>(kept_, (state_.taken + state_.each - 1) / state_.each));
}

FlowProfile FlowRecord::profile() const {
    FlowProfile profile;
    if (state_.taken == 0) return profile;
    const std::vector<uint64_t> sums = sums_.download();
    const uint64_t last = (state_.taken - 1) / state_.each, first = last + 1 > kept_ ? last + 1 - kept_ : 0;
    const uint64_t half = (last + 1 - first) / 2;
    Speeds all, earlier, later;
    for (uint64_t block = first; block <= last; ++block) {
        const uint64_t* const row = sums.data() + block % kept_ * kSums;
        all.add(row);
        if (block < first + half) earlier.add(row);
        if (block + half > last) later.add(row);
    }
    profile.from = step_of(first * state_.each);
    profile.to = step_of(state_.taken - 1);
    profile.samples = state_.taken - first * state_.each;
    const double middle = profile.middle = all.middle();
    if (middle == 0) return profile;
    for (uint32_t b = 0; b < kProfileBins; ++b) {
        if (all.has(b)) profile.points.push_back({(b + 0.5) / kProfileBins - 0.5, all.at(b) / middle});
        if (!earlier.has(b) || !later.has(b)) continue;
        const double drift = std::fabs((later.at(b) - earlier.at(b)) / middle);
        if (!(profile.drift >= drift)) profile.drift = drift;
    }
    return profile;
}

void FlowRecord::copy(Context& context, const FlowRecord& other) {
    state_ = other.state_;
    context.copy(sums_.view().data, other.sums_.view().data, sums_.size() * sizeof(uint64_t));
}

void FlowRecord::save(Snapshot& snapshot) const {
    put_values(snapshot, &state_, 1);
    put_block(snapshot, sums_, rows() * kSums);
}

void FlowRecord::load(Context& context, const Snapshot& snapshot, size_t first_block) {
    load_values(snapshot, first_block, &state_, 1);
    load_block(context, snapshot, first_block + 1, sums_);
}

bool FlowProfile::stationary() const {
    return drift <= kDriftAllowed && to + 1 - from >= static_cast<uint64_t>(std::ceil(settling));
}

}  // namespace flipscope
