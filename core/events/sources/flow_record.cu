#include "events/sources/flow_record.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "compute/launch.h"
#include "events/event_statistics.h"

namespace flipscope {

namespace {

constexpr uint64_t kLongBlocks = 8;

/// Adds up pairs of blocks, for each number of a row; the results lie in the first rows.
struct JoinBlocks {
    View<uint64_t> sums;
    uint64_t row;
    uint32_t pairs;
    FLIPSCOPE_HD void operator()(uint32_t k) const {
        for (uint64_t pair = 0; pair < pairs; ++pair)
            sums.data[pair * row + k] = sums.data[2 * pair * row + k] + sums.data[(2 * pair + 1) * row + k];
    }
};

double error_of(const std::vector<double>& means) {
    return mean_by_blocks(std::span<const double>(means), static_cast<uint32_t>(means.size())).error;
}

/// Means of the bins from their sums.
struct BinMeans {
    std::vector<double> speeds = std::vector<double>(kProfileBins), stresses = speeds, count = speeds;

    void add(const uint64_t* sums) {
        for (uint32_t b = 0; b < kProfileBins; ++b, sums += kProfileSums) {
            speeds[b] += static_cast<double>(static_cast<int64_t>(sums[0])) / kPixelUnits;
            stresses[b] += static_cast<double>(static_cast<int64_t>(sums[1])) / kPixelUnits;
            count[b] += static_cast<double>(sums[2]);
        }
    }
    bool has(uint32_t bin) const { return count[bin] > 0; }
    double speed(uint32_t bin) const { return speeds[bin] / count[bin]; }
    double stress(uint32_t bin) const { return stresses[bin] / count[bin]; }
    /// Mean speed of the four bins in the middle, or of more if these are empty, as between large droplets.
    double middle() const {
        for (uint32_t half = 2; half <= kProfileBins / 2; half *= 2) {
            double all = 0, number = 0;
            for (uint32_t b = kProfileBins / 2 - half; b < kProfileBins / 2 + half; ++b)
                all += speeds[b], number += count[b];
            if (number > 0) return all / number;
        }
        return 0;
    }
    /// Mean amount at the two walls of the stress, which is a line across the channel in a steady flow.
    double wall_stress() const {
        const Line line = line_of(stresses, 0, kProfileBins);
        return 0.5 * (std::fabs(line.middle - 0.5 * line.slope) + std::fabs(line.middle + 0.5 * line.slope));
    }
    /// Slope of the speeds over the middle half of the channel, per width of the channel.
    double slope() const { return line_of(speeds, kProfileBins / 4, 3 * kProfileBins / 4).slope; }
    /// See FlowProfile.
    double local_stress() const {
        const Line left = line_of(stresses, kProfileBins / 8, 3 * kProfileBins / 8),
                   right = line_of(stresses, 5 * kProfileBins / 8, 7 * kProfileBins / 8);
        return 0.5 * (left.middle - 0.25 * left.slope - right.middle - 0.25 * right.slope);
    }
    double local_slope() const {
        return 0.5 * (line_of(speeds, kProfileBins / 8, 3 * kProfileBins / 8).slope -
                      line_of(speeds, 5 * kProfileBins / 8, 7 * kProfileBins / 8).slope);
    }

  private:
    /// By least squares over the bins from `first` to `end`; `middle`: in the middle of the channel.
    struct Line {
        double middle = 0, slope = 0;
    };
    Line line_of(const std::vector<double>& sums, uint32_t first, uint32_t end) const {
        double number = 0, x = 0, v = 0, xx = 0, xv = 0;
        for (uint32_t b = first; b < end; ++b) {
            if (!has(b)) continue;
            const double at = (b + 0.5) / kProfileBins - 0.5, value = sums[b] / count[b];
            ++number, x += at, v += value, xx += at * at, xv += at * value;
        }
        const double spread = number * xx - x * x;
        if (number == 0) return {};
        const double slope = spread > 0 ? (number * xv - x * v) / spread : 0;
        return {(v - slope * x) / number, slope};
    }
};

}  // namespace

void SumsOverTime::reset(Context& context, size_t row, uint32_t blocks, uint32_t every, uint64_t warmup,
                         uint64_t window) {
    row_ = row;
    every_ = every;
    warmup_ = warmup;
    window_ = window > 0 ? std::max<uint64_t>(2, window / every) : 0;
    state_ = {};
    kept_ = blocks;
    if (window_ > 0) {
        state_.each = (window_ + blocks - 1) / blocks;
        kept_ = static_cast<uint32_t>((window_ + state_.each - 1) / state_.each);
    }
    sums_.fill(context, kept_ * row_, 0);
}

View<uint64_t> SumsOverTime::open(Context& context) {
    if (window_ == 0 && state_.taken == state_.each * kept_) join(context);
    uint64_t* const row = sums_.view().data + state_.taken / state_.each % kept_ * row_;
    if (state_.taken % state_.each == 0) context.fill(row, 0, row_ * sizeof(uint64_t));
    ++state_.taken;
    return {row, row_};
}

/// Joins pairs of blocks when all blocks are full.
void SumsOverTime::join(Context& context) {
    launch(context, "source.join", static_cast<uint32_t>(row_), JoinBlocks{sums_.view(), row_, kept_ / 2});
    state_.each *= 2;
}

TimeBlocks SumsOverTime::blocks() const {
    const uint64_t end = (state_.taken + state_.each - 1) / state_.each, first = end > kept_ ? end - kept_ : 0;
    return {sums_.view(), row_, kept_, first, end, state_.each, state_.taken - first * state_.each};
}

void SumsOverTime::copy(Context& context, const SumsOverTime& other) {
    state_ = other.state_;
    context.copy(sums_.view().data, other.sums_.view().data, sums_.size() * sizeof(uint64_t));
}

void SumsOverTime::save(Snapshot& snapshot) const {
    put_values(snapshot, &state_, 1);
    put_block(snapshot, sums_, (blocks().end - blocks().first) * row_);
}

void SumsOverTime::load(Context& context, const Snapshot& snapshot, size_t first_block) {
    load_values(snapshot, first_block, &state_, 1);
    load_block(context, snapshot, first_block + 1, sums_);
}

FlowProfile FlowRecord::profile(double unit) const {
    FlowProfile profile;
    TimeBlocks blocks = this->blocks();
    if (blocks.samples == 0) return profile;
    const std::vector<uint64_t> sums = sums_.download();
    blocks.sums = {sums.data(), sums.size()};
    const uint64_t half = (blocks.end - blocks.first) / 2;
    BinMeans all, earlier, later, block_means;
    std::vector<double> of_stress, of_rate, of_local_stress, of_local_rate, of_speed[kProfileBins],
        of_stress_at[kProfileBins];
    // Few long blocks: short ones are not independent.
    const uint64_t together = std::max<uint64_t>(1, (blocks.end - blocks.first) / kLongBlocks);
    for (uint64_t block = blocks.first; block < blocks.end; ++block) {
        const uint64_t* const row = blocks.at(block);
        all.add(row);
        if (block < blocks.first + half) earlier.add(row);
        if (block + half >= blocks.end) later.add(row);
        block_means.add(row);
        if ((block - blocks.first) % together + 1 < together) continue;
        of_stress.push_back(block_means.wall_stress());
        of_rate.push_back(block_means.slope());
        of_local_stress.push_back(block_means.local_stress());
        of_local_rate.push_back(block_means.local_slope());
        for (uint32_t b = 0; b < kProfileBins; ++b) {
            if (!block_means.has(b)) continue;
            of_speed[b].push_back(block_means.speed(b));
            of_stress_at[b].push_back(block_means.stress(b));
        }
        block_means = {};
    }
    profile.from = from();
    profile.to = to();
    profile.samples = blocks.samples;
    profile.middle = all.middle();
    profile.stress = all.wall_stress(), profile.stress_error = error_of(of_stress);
    profile.slope = all.slope(), profile.slope_error = error_of(of_rate);
    profile.local_stress = all.local_stress(), profile.local_stress_error = error_of(of_local_stress);
    profile.local_slope = all.local_slope(), profile.local_slope_error = error_of(of_local_rate);
    profile.unit = unit > 0 ? unit : profile.middle;
    if (profile.unit == 0) return profile;
    for (uint32_t b = 0; b < kProfileBins; ++b) {
        if (all.has(b))
            profile.points.push_back({(b + 0.5) / kProfileBins - 0.5, all.speed(b) / profile.unit, all.stress(b),
                                      error_of(of_speed[b]) / std::fabs(profile.unit), error_of(of_stress_at[b])});
        if (!earlier.has(b) || !later.has(b)) continue;
        const double drift = std::fabs((later.speed(b) - earlier.speed(b)) / profile.unit);
        if (!(profile.drift >= drift)) profile.drift = drift;
    }
    return profile;
}

bool FlowProfile::stationary() const {
    return drift <= kDriftAllowed && to + 1 - from >= static_cast<uint64_t>(std::ceil(settling));
}

}  // namespace flipscope
