#include "statistics/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/histogram.h"
#include "compute/primitives.h"
#include "compute/random.h"

namespace flipscope {

namespace {

constexpr uint32_t kRun = 64;     // numbers that one index goes over, in order
constexpr uint32_t kLanes = 8;    // neighbouring indices whose numbers alternate, so that they share reads
constexpr uint32_t kJoined = 64;  // runs whose sums are joined in order
constexpr uint32_t kMostSummaryBins = 256;
constexpr uint32_t kMostSections = kMostSummaryBins + 2;
constexpr uint32_t kFewNumbers = 32768;  // around a median, of which the host takes it

uint32_t run_count(size_t n) { return static_cast<uint32_t>((n + kRun * kLanes - 1) / (kRun * kLanes)) * kLanes; }

struct Sums {
    double count = 0, sum = 0, least = double(INFINITY), greatest = -double(INFINITY);
    FLIPSCOPE_HD friend Sums operator+(const Sums& a, const Sums& b) {
        return {a.count + b.count, a.sum + b.sum, a.least < b.least ? a.least : b.least,
                a.greatest > b.greatest ? a.greatest : b.greatest};
    }
};

/// Adds up kJoined rows of numbers: index i is one column of one group.
template <class Number>
struct JoinRuns {
    View<const Number> runs;  // (runs, columns)
    uint32_t columns;
    View<Number> joined;  // (groups, columns)
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const size_t begin = size_t(i / columns) * kJoined * columns + i % columns;
        Number sum = runs[begin];
        for (size_t k = 1; k < kJoined && begin + k * columns < runs.count; ++k) sum = sum + runs[begin + k * columns];
        joined[i] = sum;
    }
};

/// (columns) the sums of `runs` (runs, columns), always in the same order. Waits.
template <class Number>
std::vector<Number> sums_of_runs(Context& context, const Buffer<Number>& runs, uint32_t columns = 1) {
    const auto groups = static_cast<uint32_t>((runs.size() / columns + kJoined - 1) / kJoined);
    Buffer<Number> joined("joined sums");
    joined.resize(context, size_t(groups) * columns);
    launch(context, "statistics.join", groups * columns, JoinRuns<Number>{runs.view(), columns, joined.view()});
    std::vector<Number> sums = joined.download();
    for (size_t i = columns; i < sums.size(); ++i) sums[i % columns] = sums[i % columns] + sums[i];
    sums.resize(columns);
    return sums;
}

struct Numbers {
    View<const double> values;
    Excluding excluding;
    double low = -double(INFINITY), high = double(INFINITY);  // others are left out
    /// visit(i, value) for the numbers of a run, by ascending indices.
    template <class Visit>
    FLIPSCOPE_HD void each(uint32_t run, const Visit& visit) const {
        const uint64_t first = uint64_t(run / kLanes) * kRun * kLanes + run % kLanes;
        for (uint64_t i = first; i < first + kRun * kLanes && i < values.count; i += kLanes) {
            if (excluding.flags && excluding.flags[i] & excluding.bits) continue;
            const double value = values[i];
            if (value >= low && value <= high) visit(i, value);  // not NaN
        }
    }
};

/// Several samples, of which one launch goes over all runs. The runs of each fill groups of kJoined.
struct Batch {
    static constexpr uint32_t kMost = 16;
    Numbers numbers[kMost];
    double low[kMost], high[kMost];  // of bins; low is the mean for SumSquares
    uint32_t bins[kMost];
    uint32_t starts[kMost + 1];  // of the runs of each sample

    Batch(std::span<const NumberSample> samples) {
        starts[0] = 0;
        for (uint32_t k = 0; k < samples.size(); ++k) {
            numbers[k] = {samples[k].values, samples[k].excluding, samples[k].low, samples[k].high};
            const uint32_t runs = run_count(samples[k].values.count);
            starts[k + 1] = starts[k] + (runs + kJoined - 1) / kJoined * kJoined;
        }
        for (size_t k = samples.size(); k < kMost; ++k) starts[k + 1] = starts[k];
    }
    uint32_t runs() const { return starts[kMost]; }
    FLIPSCOPE_HD uint32_t sample_of(uint32_t run) const {
        uint32_t k = 0;
        while (run >= starts[k + 1]) ++k;
        return k;
    }
    /// The sums of each sample, whose groups follow one another.
    template <class Number>
    std::vector<Number> joined(Context& context, const Buffer<Number>& sums_of_each_run, size_t samples) const {
        Buffer<Number> groups("joined sums");
        groups.resize(context, runs() / kJoined);
        launch(context, "statistics.join", runs() / kJoined,
               JoinRuns<Number>{sums_of_each_run.view(), 1, groups.view()});
        const std::vector<Number> all = groups.download();
        std::vector<Number> made(samples);
        for (size_t k = 0; k < samples; ++k)
            for (size_t i = starts[k] / kJoined; i < starts[k + 1] / kJoined; ++i)
                made[k] = i == starts[k] / kJoined ? all[i] : made[k] + all[i];
        return made;
    }
};

struct SumNumbers {
    Batch batch;
    View<Sums> runs;
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        const uint32_t k = batch.sample_of(run);
        Sums sums;
        batch.numbers[k].each(run - batch.starts[k], [&](uint64_t, double value) {
            sums.count += 1;
            sums.sum += value;
            if (value < sums.least) sums.least = value;
            if (value > sums.greatest) sums.greatest = value;
        });
        runs[run] = sums;
    }
};

struct SumSquares {
    Batch batch;
    View<double> runs;
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        const uint32_t k = batch.sample_of(run);
        const double mean = batch.low[k];
        double sum = 0;
        batch.numbers[k].each(run - batch.starts[k],
                              [&](uint64_t, double value) { sum += (value - mean) * (value - mean); });
        runs[run] = sum;
    }
};

struct CountInBins {
    Batch batch;
    static constexpr uint32_t kMostBins = Batch::kMost * kMostSections;
    /// (samples, kMostSections): below and above come after the bins.
    FLIPSCOPE_HD void operator()(uint32_t run, const Bins& found) const {
        const uint32_t k = batch.sample_of(run), bins = batch.bins[k], first = k * kMostSections;
        const double low = batch.low[k], high = batch.high[k], per_unit = bins / (high - low);
        batch.numbers[k].each(run - batch.starts[k], [&](uint64_t, double value) {
            const bool within = value >= low && value <= high;
            const auto bin = within ? static_cast<uint32_t>((value - low) * per_unit) : value < low ? bins : bins + 1;
            found.add(first + (within && bin >= bins ? bins - 1 : bin), 1);
        });
    }
};

struct CountedSum {
    double count = 0, sum = 0;
    FLIPSCOPE_HD friend CountedSum operator+(const CountedSum& a, const CountedSum& b) {
        return {a.count + b.count, a.sum + b.sum};
    }
};

struct SumByDegree {
    Numbers numbers;
    View<const double> degrees;
    View<CountedSum> sums;  // (runs, kMostDegree + 1)
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        CountedSum own[kMostDegree + 1];
        numbers.each(run, [&](uint64_t i, double value) {
            const double degree = degrees[i];
            CountedSum& sum = own[degree < kMostDegree ? static_cast<uint32_t>(degree) : kMostDegree];
            ++sum.count;
            sum.sum += value;
        });
        for (uint32_t k = 0; k <= kMostDegree; ++k) sums[size_t(run) * (kMostDegree + 1) + k] = own[k];
    }
};

/// Some numbers of each sample, at random; NaN: one that is left out.
struct TakeNumbers {
    static constexpr uint32_t kEach = 1024;
    Batch batch;
    View<double> taken;  // (samples, kEach)
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Numbers& from = batch.numbers[i / kEach];
        taken[i] = double(NAN);
        if (from.values.count == 0) return;
        const auto at = static_cast<uint64_t>(random_pair(i / kEach, i).first * double(from.values.count));
        const bool excluded = from.excluding.flags && from.excluding.flags[at] & from.excluding.bits;
        if (!excluded && from.values[at] >= from.low && from.values[at] <= from.high) taken[i] = from.values[at];
    }
};

/// Lists the numbers of each sample from low to high, in any order, and counts those below.
struct ListNumbers {
    Batch batch;
    View<double> listed;    // (samples, kFewNumbers)
    View<uint32_t> counts;  // (samples, 2) from low to high, though no more than kFewNumbers are listed; below
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        const uint32_t k = batch.sample_of(run);
        const double low = batch.low[k], high = batch.high[k];
        constexpr uint32_t kKept = 4;
        double kept[kKept];  // most runs have no more, and need no second look
        uint32_t below = 0, within = 0;
        batch.numbers[k].each(run - batch.starts[k], [&](uint64_t, double value) {
            below += value < low;
            if (!(value >= low && value <= high)) return;
            if (within < kKept) kept[within] = value;
            ++within;
        });
        if (within) {
            uint32_t at = atomic_add(counts[2 * k], within);
            const auto put = [&](double value) {
                if (at < kFewNumbers) listed[size_t(k) * kFewNumbers + at++] = value;
            };
            for (uint32_t i = 0; i < within && within <= kKept; ++i) put(kept[i]);
            if (within > kKept)
                batch.numbers[k].each(run - batch.starts[k], [&](uint64_t, double value) {
                    if (value >= low && value <= high) put(value);
                });
        }
        if (below) atomic_add(counts[2 * k + 1], below);
    }
};

/// Q of the Kolmogorov distribution.
double kolmogorov_tail(double lambda) {
    if (lambda < 0.2) return 1;
    double sum = 0, sign = 1;
    for (int k = 1; k <= 100; ++k, sign = -sign) {
        const double term = std::exp(-2.0 * k * k * lambda * lambda);
        sum += sign * term;
        if (term < 1e-17) break;
    }
    return std::clamp(2 * sum, 0.0, 1.0);
}

/// The numbers of a sample, in order.
std::vector<double> kept(Context& context, const NumberSample& sample) {
    const std::vector<double> values = download(context, sample.values);
    const std::vector<uint8_t> flags = download(context, sample.excluding.flags);
    std::vector<double> made;
    for (size_t i = 0; i < values.size(); ++i)
        if (values[i] >= sample.low && values[i] <= sample.high &&
            !(i < flags.size() && flags[i] & sample.excluding.bits))
            made.push_back(values[i]);
    return made;
}

/// Bounds of each sample: two quantiles of numbers taken at random. Whatever the distribution is, the median lies
/// between them but for a chance below 10⁻⁷. A small sample has its least and its greatest number as bounds. Waits.
std::vector<BinnedNumberSample> around_medians(Context& context, std::span<const NumberSample> samples,
                                               std::span<const SampleSummary> summaries) {
    Buffer<double> taken("numbers at random");
    taken.resize(context, samples.size() * TakeNumbers::kEach, false);
    launch(context, "statistics.take", static_cast<uint32_t>(taken.size()), TakeNumbers{Batch(samples), taken.view()});
    const std::vector<double> all = taken.download();
    std::vector<BinnedNumberSample> bounds;
    for (size_t k = 0; k < samples.size(); ++k) {
        bounds.push_back({samples[k], summaries[k].least, summaries[k].greatest, kMostSummaryBins});
        std::vector<double> some(all.begin() + static_cast<std::ptrdiff_t>(k * TakeNumbers::kEach),
                                 all.begin() + static_cast<std::ptrdiff_t>((k + 1) * TakeNumbers::kEach));
        std::erase_if(some, [](double v) { return v != v; });
        if (summaries[k].count <= kFewNumbers || some.size() < TakeNumbers::kEach * 3 / 4) continue;
        const auto quantile = [&](double share) {
            const auto at = some.begin() + static_cast<std::ptrdiff_t>(share * double(some.size()));
            std::nth_element(some.begin(), at, some.end());
            return *at;
        };
        bounds[k].low = quantile(0.4), bounds[k].high = quantile(0.6);
    }
    return bounds;
}

double pearson(std::span<const double> x, std::span<const double> y) {
    const auto n = static_cast<double>(x.size());
    const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n,
                 mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
    double xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const double dx = x[i] - mean_x, dy = y[i] - mean_y;
        xx += dx * dx, xy += dx * dy, yy += dy * dy;
    }
    return xx > 0 && yy > 0 ? std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0) : NAN;
}

std::vector<double> ranks_of(std::span<const double> values) {
    std::vector<uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (size_t i = 0, end = 0; i < order.size(); i = end) {
        for (end = i + 1; end < order.size() && values[order[end]] == values[order[i]];) ++end;
        for (size_t k = i; k < end; ++k) ranks[order[k]] = 0.5 * static_cast<double>(i + end - 1);
    }
    return ranks;
}

void sort_numbers(std::vector<double>& values) {
    std::erase_if(values, [](double v) { return v != v; });
    std::sort(values.begin(), values.end());
}

}  // namespace

std::vector<SampleSummary> summarise(Context& context, std::span<const NumberSample> samples) {
    std::vector<SampleSummary> made;
    for (; samples.size() > Batch::kMost; samples = samples.subspan(Batch::kMost))
        for (const SampleSummary& one : summarise(context, samples.first(Batch::kMost))) made.push_back(one);
    Batch batch(samples);
    if (batch.runs() == 0) {
        made.resize(made.size() + samples.size());
        return made;
    }
    Buffer<Sums> parts("sums of runs");
    parts.resize(context, batch.runs());
    launch(context, "statistics.sums", batch.runs(), SumNumbers{batch, parts.view()});
    const std::vector<Sums> sums = batch.joined(context, parts, samples.size());
    for (size_t k = 0; k < samples.size(); ++k) batch.low[k] = sums[k].sum / sums[k].count;
    Buffer<double> squares("squares of runs");
    squares.resize(context, batch.runs());
    launch(context, "statistics.squares", batch.runs(), SumSquares{batch, squares.view()});
    const std::vector<double> spreads = batch.joined(context, squares, samples.size());
    for (size_t k = 0; k < samples.size(); ++k) {
        const Sums& all = sums[k];
        SampleSummary& summary = made.emplace_back();
        if (all.count == 0) continue;
        summary.count = static_cast<uint64_t>(all.count);
        summary.least = all.least;
        summary.greatest = all.greatest;
        const bool equal = all.least == all.greatest;  // what sums round of equal numbers is no spread
        summary.mean = equal ? all.least : all.sum / all.count;
        summary.deviation = equal ? 0 : std::sqrt(spreads[k] / all.count);
    }
    return made;
}

SampleSummary summarise(Context& context, View<const double> values, const Excluding& excluding) {
    const NumberSample sample{values, excluding};
    return summarise(context, std::span(&sample, 1))[0];
}

std::vector<double> medians_of(Context& context, std::span<const NumberSample> samples,
                               std::span<const SampleSummary> summaries) {
    std::vector<double> medians;
    for (; samples.size() > Batch::kMost;
         samples = samples.subspan(Batch::kMost), summaries = summaries.subspan(Batch::kMost))
        for (const double one : medians_of(context, samples.first(Batch::kMost), summaries)) medians.push_back(one);
    const auto count = static_cast<uint32_t>(samples.size());
    const std::vector<BinnedNumberSample> bounds = around_medians(context, samples, summaries);
    const std::vector<BinnedNumbers> found = histograms(context, bounds);
    Batch batch(samples);
    for (uint32_t k = 0; k < count; ++k) {
        const auto& [sample, low, high, bins] = bounds[k];
        batch.low[k] = low, batch.high[k] = high;
        if (!(low < high) || summaries[k].count <= kFewNumbers) continue;  // all are listed
        const auto bin_of = [&, &counts = found[k].counts](uint64_t rank) {
            uint32_t bin = 0;
            for (uint64_t before = found[k].below + counts[0]; before <= rank && bin + 1 < counts.size();)
                before += counts[++bin];
            return bin;
        };
        // Wider than the bins by more than their ends are rounded; whatever lies there is listed, too.
        const double width = (high - low) / bins;
        batch.low[k] = low + (bin_of((summaries[k].count - 1) / 2) - 0.01) * width;
        batch.high[k] = low + (bin_of(summaries[k].count / 2) + 1.01) * width;
    }
    Buffer<double> listed("numbers around medians");
    Buffer<uint32_t> of_listed("counts around medians");
    listed.resize(context, size_t(count) * kFewNumbers, false);
    of_listed.fill(context, 2 * count, 0);
    launch(context, "statistics.around_medians", batch.runs(), ListNumbers{batch, listed.view(), of_listed.view()});
    const std::vector<uint32_t> counts = of_listed.download();
    for (uint32_t k = 0; k < count; ++k) {
        const SampleSummary& summary = summaries[k];
        const uint64_t lower = (summary.count - 1) / 2, upper = summary.count / 2, few = counts[2 * k],
                       first = counts[2 * k + 1];
        if (summary.count == 0 || summary.least == summary.greatest) {
            medians.push_back(summary.count > 0 ? summary.least : NAN);
        } else if (batch.low[k] == batch.high[k] && first <= lower && upper < first + few) {
            medians.push_back(batch.low[k]);
        } else if (few <= kFewNumbers && first <= lower && upper < first + few) {
            std::vector<double> around =
                download(context, View<const double>(listed.view().part(k * kFewNumbers, few)));
            const auto at = around.begin() + static_cast<std::ptrdiff_t>(lower - first);
            std::nth_element(around.begin(), at, around.end());
            medians.push_back(upper == lower ? *at : *at + (*std::min_element(at + 1, around.end()) - *at) / 2);
        } else {
            NumberSample around = samples[k];
            around.low = batch.low[k], around.high = batch.high[k];
            const bool covers = first <= lower && upper < first + few;
            const SampleSummary many = covers ? summarise(context, std::span(&around, 1))[0] : summary;
            medians.push_back(many.least == many.greatest ? many.least : median_of(kept(context, samples[k])));
        }
    }
    return medians;
}

double median_of(std::vector<double> values) {
    std::erase_if(values, [](double v) { return v != v; });
    if (values.empty()) return NAN;
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), upper, values.end());
    if (values.size() % 2 == 1) return *upper;
    const double lower = *std::max_element(values.begin(), upper);
    return lower + (*upper - lower) / 2;
}

std::vector<BinnedNumbers> histograms(Context& context, std::span<const BinnedNumberSample> samples) {
    std::vector<BinnedNumbers> made;
    for (; samples.size() > Batch::kMost; samples = samples.subspan(Batch::kMost))
        for (BinnedNumbers& one : histograms(context, samples.first(Batch::kMost))) made.push_back(std::move(one));
    std::vector<NumberSample> binned;
    for (const BinnedNumberSample& sample : samples)
        binned.push_back(sample.high > sample.low ? sample.sample : NumberSample{});
    Batch batch(binned);
    for (size_t k = 0; k < samples.size(); ++k) {
        batch.low[k] = samples[k].low, batch.high[k] = samples[k].high;
        batch.bins[k] = std::min(samples[k].bins, kMostSummaryBins);
        made.push_back({std::vector<uint64_t>(batch.bins[k])});
    }
    if (batch.runs() == 0) return made;
    const std::vector<uint64_t> counts =
        histogram_of(context, "statistics.histogram", batch.runs(),
                     static_cast<uint32_t>(samples.size()) * kMostSections, 1024, CountInBins{batch});
    for (size_t k = 0; k < samples.size(); ++k) {
        BinnedNumbers& one = made[made.size() - samples.size() + k];
        const uint64_t* const own = &counts[k * kMostSections];
        std::copy_n(own, one.counts.size(), one.counts.begin());
        one.below = own[one.counts.size()];
        one.above = own[one.counts.size() + 1];
    }
    return made;
}

BinnedNumbers histogram(Context& context, View<const double> values, double low, double high, uint32_t bins,
                        const Excluding& excluding) {
    const BinnedNumberSample sample{{values, excluding}, low, high, bins};
    return histograms(context, std::span(&sample, 1))[0];
}

double median_of(Context& context, View<const double> values, const Excluding& excluding) {
    const NumberSample sample{values, excluding};
    return medians_of(context, std::span(&sample, 1), summarise(context, std::span(&sample, 1)))[0];
}

ByDegree sum_by_degree(Context& context, View<const double> degrees, View<const double> values,
                       const Excluding& excluding) {
    constexpr uint32_t kKinds = kMostDegree + 1;
    ByDegree made{std::vector<uint64_t>(kKinds), std::vector<double>(kKinds)};
    if (values.count == 0) return made;
    const uint32_t runs = run_count(values.count);
    Buffer<CountedSum> sums("sums by degree");
    sums.resize(context, size_t(runs) * kKinds);
    launch(context, "statistics.by_degree", runs, SumByDegree{{values, excluding}, degrees, sums.view()});
    const std::vector<CountedSum> all = sums_of_runs(context, sums, kKinds);
    for (uint32_t k = 0; k < kKinds; ++k) {
        made.counts[k] = static_cast<uint64_t>(all[k].count);
        made.sums[k] = all[k].sum;
    }
    return made;
}

SampleDistance distance_between(std::vector<double> a, std::vector<double> b) {
    sort_numbers(a);
    sort_numbers(b);
    if (a.empty() || b.empty()) return {};
    double greatest = 0;
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        const double at = std::min(a[i], b[j]);
        while (i < a.size() && a[i] <= at) ++i;
        while (j < b.size() && b[j] <= at) ++j;
        greatest = std::max(greatest, std::abs(double(i) / double(a.size()) - double(j) / double(b.size())));
    }
    const double n = double(a.size()) * double(b.size()) / (double(a.size()) + double(b.size()));
    const double root = std::sqrt(n);
    // Stephens' correction makes the limit good from about four on.
    return {greatest, kolmogorov_tail((root + 0.12 + 0.11 / root) * greatest)};
}

Correlation correlation_of(std::span<const double> x, std::span<const double> y) {
    if (x.size() < 2) return {x.size(), NAN, NAN};
    return {x.size(), pearson(x, y), pearson(ranks_of(x), ranks_of(y))};
}

}  // namespace flipscope
