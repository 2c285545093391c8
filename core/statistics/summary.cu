#include "statistics/summary.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "compute/launch.h"
#include "compute/portable_math.h"
#include "compute/primitives.h"
#include "statistics/add_histograms.h"

namespace flipscope {

namespace {

constexpr uint32_t kRun = 64;                // numbers that one index goes over, in order
constexpr uint32_t kLanes = 8;               // neighbouring indices whose numbers alternate, so that they share reads
constexpr uint32_t kJoined = 64;             // runs whose sums are joined in order
constexpr uint32_t kSummaryHistograms = 64;  // with one alone, all threads would add to the same few words
constexpr uint32_t kMostSummaryBins = 256;
constexpr uint64_t kFewNumbers = 4096;  // are sorted on the host

uint32_t run_count(size_t n) { return static_cast<uint32_t>((n + kRun * kLanes - 1) / (kRun * kLanes)) * kLanes; }

/// Calls visit(i) for the indices of a run, ascending.
template <class Visit>
FLIPSCOPE_HD void each_of_run(uint32_t run, uint64_t count, const Visit& visit) {
    const uint64_t first = uint64_t(run / kLanes) * kRun * kLanes + run % kLanes;
    for (uint64_t i = first; i < first + kRun * kLanes && i < count; i += kLanes) visit(i);
}

struct Sums {
    double count, sum, least, greatest;
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
    template <class Visit>
    FLIPSCOPE_HD void each(uint32_t run, const Visit& visit) const {
        each_of_run(run, values.count, [&](uint64_t i) {
            if (excluding.flags && excluding.flags[i] & excluding.bits) return;
            const double value = values[i];
            if (value == value) visit(i, value);
        });
    }
};

struct SumNumbers {
    Numbers numbers;
    View<Sums> runs;
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        Sums sums{0, 0, double(INFINITY), -double(INFINITY)};
        numbers.each(run, [&](uint64_t, double value) {
            sums.count += 1;
            sums.sum += value;
            if (value < sums.least) sums.least = value;
            if (value > sums.greatest) sums.greatest = value;
        });
        runs[run] = sums;
    }
};

struct SumSquares {
    Numbers numbers;
    double mean;
    View<double> runs;
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        double sum = 0;
        numbers.each(run, [&](uint64_t, double value) { sum += (value - mean) * (value - mean); });
        runs[run] = sum;
    }
};

struct CountInBins {
    Numbers numbers;
    double low, high;
    uint32_t bins;
    View<uint64_t> histograms;  // (kSummaryHistograms, bins + 2): below and above come last
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        uint32_t found[kMostSummaryBins + 2];
        for (uint32_t k = 0; k < bins + 2; ++k) found[k] = 0;
        const double per_unit = bins / (high - low);
        numbers.each(run, [&](uint64_t, double value) {
            if (value < low || value > high) {
                ++found[value < low ? bins : bins + 1];
                return;
            }
            const auto bin = static_cast<uint32_t>((value - low) * per_unit);
            ++found[bin < bins ? bin : bins - 1];
        });
        uint64_t* const histogram = &histograms[size_t(run % kSummaryHistograms) * (bins + 2)];
        for (uint32_t k = 0; k < bins + 2; ++k)
            if (found[k]) atomic_add(histogram[k], uint64_t(found[k]));
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

/// The bits of a double as a whole number in the order of the numbers; -0 counts as 0.
FLIPSCOPE_HD inline uint64_t key_of(double value) {
    const uint64_t bits = portable::bits_of(value + 0.0);
    return bits >> 63 ? ~bits : bits | uint64_t(1) << 63;
}
double number_of(uint64_t key) { return portable::double_of(key >> 63 ? key & ~(uint64_t(1) << 63) : ~key); }

/// Counts the next byte of the keys that begin with `prefix`.
struct CountBytes {
    Numbers numbers;
    uint64_t prefix;
    uint32_t shift;             // of the byte; all bits above it belong to the prefix
    View<uint64_t> histograms;  // (kSummaryHistograms, 256)
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        uint64_t* const histogram = &histograms[size_t(run % kSummaryHistograms) * 256];
        uint64_t byte = 0, alike = 0;  // numbers next to each other often share a byte
        numbers.each(run, [&](uint64_t, double value) {
            const uint64_t key = key_of(value);
            if (shift < 56 && key >> (shift + 8) != prefix >> (shift + 8)) return;
            const uint64_t own = key >> shift & 255;
            if (own != byte && alike > 0) {
                atomic_add(histogram[byte], alike);
                alike = 0;
            }
            byte = own;
            ++alike;
        });
        if (alike > 0) atomic_add(histogram[byte], alike);
    }
};

/// Lists the numbers whose keys begin with `prefix`.
struct ListNumbers {
    Numbers numbers;
    uint64_t prefix;
    uint32_t shift;
    View<double> listed;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        if (numbers.excluding.flags && numbers.excluding.flags[i] & numbers.excluding.bits) return 0;
        const double value = numbers.values[i];
        return value == value && key_of(value) >> shift == prefix >> shift;
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

SampleSummary summarise(Context& context, View<const double> values, const Excluding& excluding) {
    SampleSummary summary;
    if (values.count == 0) return summary;
    const uint32_t runs = run_count(values.count);
    const Numbers numbers{values, excluding};
    Buffer<Sums> parts("sums of runs");
    parts.resize(context, runs);
    launch(context, "statistics.sums", runs, SumNumbers{numbers, parts.view()});
    const Sums all = sums_of_runs(context, parts)[0];
    if (all.count == 0) return summary;
    summary.count = static_cast<uint64_t>(all.count);
    summary.mean = all.sum / all.count;
    summary.least = all.least;
    summary.greatest = all.greatest;
    if (all.least == all.greatest) {  // what sums round of equal numbers is no spread
        summary.mean = all.least;
        return summary;
    }
    Buffer<double> squares("squares of runs");
    squares.resize(context, runs);
    launch(context, "statistics.squares", runs, SumSquares{numbers, summary.mean, squares.view()});
    summary.deviation = std::sqrt(sums_of_runs(context, squares)[0] / all.count);
    return summary;
}

// A radix selection, byte by byte, until few numbers share the bytes; these are sorted on the host.
double median_of(Context& context, View<const double> values, const Excluding& excluding) {
    const Numbers numbers{values, excluding};
    uint64_t count = 0;
    struct Found {
        double value, next;
        bool has_next;  // the next one is known
    };
    const auto of_rank = [&](uint64_t rank) -> Found {
        uint64_t prefix = 0, inside = 0;
        uint32_t shift = 64;
        do {
            shift -= 8;
            Buffer<uint64_t> histograms("counts of bytes");
            histograms.fill(context, size_t(kSummaryHistograms) * 256, 0);
            launch(context, "summary.median", run_count(values.count),
                   CountBytes{numbers, prefix, shift, histograms.view()});
            const std::vector<uint64_t> found = histograms.download();
            uint64_t sums[256] = {};
            for (size_t i = 0; i < found.size(); ++i) sums[i % 256] += found[i];
            if (shift == 56) count = std::accumulate(std::begin(sums), std::end(sums), uint64_t(0));
            if (rank == UINT64_MAX) rank = (std::max<uint64_t>(count, 1) - 1) / 2;
            if (rank >= count && shift == 56) return {NAN, NAN, false};
            uint64_t byte = 0;
            while (rank >= sums[byte]) rank -= sums[byte++];
            inside = sums[byte];
            prefix |= byte << shift;
        } while (shift > 0 && inside > kFewNumbers);
        if (shift == 0) return {number_of(prefix), number_of(prefix), rank + 1 < inside};  // all are equal
        Buffer<double> listed("numbers around the median");
        Buffer<uint32_t> total("their number");
        listed.resize(context, inside, false);
        total.resize(context, 1);
        compact(context, "summary.around_median", static_cast<uint32_t>(values.count),
                ListNumbers{numbers, prefix, shift, listed.view()}, total.view());
        std::vector<double> sorted = listed.download();
        std::sort(sorted.begin(), sorted.end());
        const bool has_next = rank + 1 < inside;
        return {sorted[rank], sorted[rank + has_next], has_next};
    };
    if (values.count == 0) return NAN;
    const Found lower = of_rank(UINT64_MAX);
    if (count % 2 == 1 || count == 0) return lower.value;
    const double upper = lower.has_next ? lower.next : of_rank(count / 2).value;
    return lower.value + (upper - lower.value) / 2;
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

BinnedNumbers histogram(Context& context, View<const double> values, double low, double high, uint32_t bins,
                        const Excluding& excluding) {
    bins = std::min(bins, kMostSummaryBins);
    BinnedNumbers found{std::vector<uint64_t>(bins)};
    if (values.count == 0 || !(high > low)) return found;
    const uint32_t sections = bins + 2;
    Buffer<uint64_t> histograms("histograms"), sums("histogram");
    histograms.fill(context, size_t(kSummaryHistograms) * sections, 0);
    sums.resize(context, sections);
    launch(context, "statistics.histogram", run_count(values.count),
           CountInBins{{values, excluding}, low, high, bins, histograms.view()});
    launch(context, "statistics.histogram_sum", sections, AddHistograms{histograms.view(), sections, sums.view()});
    found.counts = sums.download();
    found.above = found.counts.back();
    found.counts.pop_back();
    found.below = found.counts.back();
    found.counts.pop_back();
    return found;
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
