#include "statistics/summary.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compute/launch.h"
#include "compute/primitives.h"

namespace flipscope {

namespace {

constexpr uint32_t kRun = 64;                // numbers that one index goes over, in order
constexpr uint32_t kLanes = 8;               // neighbouring indices whose numbers alternate, so that they share reads
constexpr uint32_t kJoined = 64;             // runs whose sums are joined in order
constexpr uint32_t kSummaryHistograms = 64;  // with one alone, all threads would add to the same few words
constexpr uint32_t kMostSummaryBins = 256;
constexpr uint32_t kMostSections = kMostSummaryBins + 2;
constexpr uint64_t kFewNumbers = 65536;  // are sorted on the host

uint32_t run_count(size_t n) { return static_cast<uint32_t>((n + kRun * kLanes - 1) / (kRun * kLanes)) * kLanes; }

/// Calls visit(i) for the indices of a run, ascending.
template <class Visit>
FLIPSCOPE_HD void each_of_run(uint32_t run, uint64_t count, const Visit& visit) {
    const uint64_t first = uint64_t(run / kLanes) * kRun * kLanes + run % kLanes;
    for (uint64_t i = first; i < first + kRun * kLanes && i < count; i += kLanes) visit(i);
}

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
    template <class Visit>
    FLIPSCOPE_HD void each(uint32_t run, const Visit& visit) const {
        each_of_run(run, values.count, [&](uint64_t i) {
            if (excluding.flags && excluding.flags[i] & excluding.bits) return;
            const double value = values[i];
            if (value >= low && value <= high) visit(i, value);  // not NaN
        });
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
    View<uint64_t> histograms;  // (samples, kSummaryHistograms, kMostSections): below and above come after the bins
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        const uint32_t k = batch.sample_of(run), bins = batch.bins[k];
        const double low = batch.low[k], high = batch.high[k], per_unit = bins / (high - low);
        uint32_t found[kMostSections];
        for (uint32_t i = 0; i < bins + 2; ++i) found[i] = 0;
        batch.numbers[k].each(run - batch.starts[k], [&](uint64_t, double value) {
            if (value < low || value > high) {
                ++found[value < low ? bins : bins + 1];
                return;
            }
            const auto bin = static_cast<uint32_t>((value - low) * per_unit);
            ++found[bin < bins ? bin : bins - 1];
        });
        uint64_t* const histogram =
            &histograms[(size_t(k) * kSummaryHistograms + run % kSummaryHistograms) * kMostSections];
        for (uint32_t i = 0; i < bins + 2; ++i)
            if (found[i]) atomic_add(histogram[i], uint64_t(found[i]));
    }
};

struct JoinHistograms {
    View<const uint64_t> histograms;
    View<uint64_t> joined;  // (samples, kMostSections)
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const size_t begin = size_t(i / kMostSections) * kSummaryHistograms * kMostSections + i % kMostSections;
        uint64_t sum = 0;
        for (uint32_t k = 0; k < kSummaryHistograms; ++k) sum += histograms[begin + size_t(k) * kMostSections];
        joined[i] = sum;
    }
};

struct SumPoints {
    View<const Point> values;
    Excluding excluding;
    View<Point3> runs;  // x, y, count
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        Point3 sum{0, 0, 0};
        each_of_run(run, values.count, [&](uint64_t i) {
            if (excluding.flags && excluding.flags[i] & excluding.bits) return;
            const Point value = values[i];
            if (value.x == value.x && value.y == value.y) sum = sum + Point3{value.x, value.y, 1};
        });
        runs[run] = sum;
    }
};

struct SumByDegree {
    Numbers numbers;
    View<const double> degrees;
    View<double> sums;  // (runs, kMostDegree + 1)
    View<uint32_t> counts;
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        double sum[kMostDegree + 1];
        uint32_t count[kMostDegree + 1];
        for (uint32_t k = 0; k <= kMostDegree; ++k) sum[k] = count[k] = 0;
        numbers.each(run, [&](uint64_t i, double value) {
            const double degree = degrees[i];
            const uint32_t k = degree < kMostDegree ? static_cast<uint32_t>(degree) : kMostDegree;
            sum[k] += value;
            ++count[k];
        });
        for (uint32_t k = 0; k <= kMostDegree; ++k) {
            sums[size_t(run) * (kMostDegree + 1) + k] = sum[k];
            counts[size_t(run) * (kMostDegree + 1) + k] = count[k];
        }
    }
};

/// Lists the numbers within their bounds, and counts those below.
struct ListNumbers {
    Numbers numbers;
    View<double> listed;
    FLIPSCOPE_HD uint32_t code(uint32_t i, BlockSums& sums) const {
        if (numbers.excluding.flags && numbers.excluding.flags[i] & numbers.excluding.bits) return 0;
        const double value = numbers.values[i];
        sums.value[0] += value < numbers.low;
        return value >= numbers.low && value <= numbers.high;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (code) listed[rank] = numbers.values[i];
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

void sort_numbers(std::vector<double>& values) {
    std::erase_if(values, [](double v) { return v != v; });
    std::sort(values.begin(), values.end());
}

}  // namespace

std::vector<SampleSummary> summarise(Context& context, std::span<const NumberSample> samples) {
    std::vector<SampleSummary> made;
    for (; samples.size() > Batch::kMost; samples = samples.subspan(Batch::kMost))
        std::ranges::copy(summarise(context, samples.first(Batch::kMost)), std::back_inserter(made));
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

// The median is at most one standard deviation from the mean, so bins around it hold it, and few numbers share its bin.
std::vector<double> medians_of(Context& context, std::span<const NumberSample> samples,
                               std::span<const SampleSummary> summaries) {
    std::vector<BinnedNumberSample> binned;
    for (size_t k = 0; k < samples.size(); ++k) {
        const double around = summaries[k].deviation * (1 + 1e-6);
        binned.push_back({samples[k], summaries[k].mean - around, summaries[k].mean + around, kMostSummaryBins});
    }
    const std::vector<BinnedNumbers> found = histograms(context, binned);
    std::vector<double> medians(samples.size(), NAN);
    for (size_t k = 0; k < samples.size(); ++k) {
        const uint64_t count = summaries[k].count;
        if (count == 0) continue;
        medians[k] = summaries[k].least;
        if (summaries[k].least == summaries[k].greatest) continue;
        const uint64_t ranks[2] = {(count - 1) / 2, count / 2};
        NumberSample around = samples[k];
        if (std::isfinite(binned[k].low) && std::isfinite(binned[k].high) && binned[k].low < binned[k].high) {
            uint32_t bins[2];
            uint64_t before = 0, shared = 0;
            for (const int end : {0, 1})
                for (bins[end] = 0, before = found[k].below; before + found[k].counts[bins[end]] <= ranks[end];)
                    before += found[k].counts[bins[end]++];
            // Wider than the bins by more than their ends are rounded; whatever lies there is listed, too.
            const double width = (binned[k].high - binned[k].low) / kMostSummaryBins;
            around.low = binned[k].low + (bins[0] - 0.01) * width;
            around.high = binned[k].low + (bins[1] + 1.01) * width;
            for (uint32_t bin = bins[0]; bin <= bins[1]; ++bin) shared += found[k].counts[bin];
            if (shared > kFewNumbers) {
                const SampleSummary equal = summarise(context, std::span(&around, 1))[0];
                medians[k] = equal.least;
                if (equal.least == equal.greatest) continue;
            }
        }
        Buffer<double> numbers("numbers around the median");
        Buffer<uint32_t> total("their number");
        Buffer<uint64_t> below("numbers below them");
        numbers.resize(context, around.values.count, false);
        total.resize(context, 1);
        below.fill(context, kSumCount, 0);
        compact(context, "statistics.around_median", static_cast<uint32_t>(around.values.count),
                ListNumbers{{around.values, around.excluding, around.low, around.high}, numbers.view()}, total.view(),
                below.view());
        std::vector<double> listed = numbers.download(total.read(0));
        const uint64_t first = below.read(0);
        std::ranges::sort(listed);
        const double lower = listed[ranks[0] - first], upper = listed[ranks[1] - first];
        medians[k] = lower + (upper - lower) / 2;
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
        std::ranges::copy(histograms(context, samples.first(Batch::kMost)), std::back_inserter(made));
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
    Buffer<uint64_t> each("histograms"), joined("histogram");
    each.fill(context, samples.size() * kSummaryHistograms * kMostSections, 0);
    joined.resize(context, samples.size() * kMostSections);
    launch(context, "statistics.histogram", batch.runs(), CountInBins{batch, each.view()});
    launch(context, "statistics.histogram_sum", static_cast<uint32_t>(joined.size()),
           JoinHistograms{each.view(), joined.view()});
    const std::vector<uint64_t> counts = joined.download();
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

Point mean_of(Context& context, View<const Point> values, const Excluding& excluding) {
    if (values.count == 0) return {0, 0};
    Buffer<Point3> parts("point sums");
    parts.resize(context, run_count(values.count));
    launch(context, "statistics.point_sums", run_count(values.count), SumPoints{values, excluding, parts.view()});
    const Point3 all = sums_of_runs(context, parts)[0];
    return all.z > 0 ? Point{all.x / all.z, all.y / all.z} : Point{0, 0};
}

ByDegree sum_by_degree(Context& context, View<const double> degrees, View<const double> values,
                       const Excluding& excluding) {
    constexpr uint32_t kKinds = kMostDegree + 1;
    if (values.count == 0) return {std::vector<uint64_t>(kKinds), std::vector<double>(kKinds)};
    const uint32_t runs = run_count(values.count);
    Buffer<double> sums("sums by degree");
    Buffer<uint32_t> counts("counts by degree");
    sums.resize(context, size_t(runs) * kKinds);
    counts.resize(context, size_t(runs) * kKinds);
    launch(context, "statistics.by_degree", runs,
           SumByDegree{{values, excluding}, degrees, sums.view(), counts.view()});
    const std::vector<uint32_t> all = sums_of_runs(context, counts, kKinds);
    return {{all.begin(), all.end()}, sums_of_runs(context, sums, kKinds)};
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

}  // namespace flipscope
