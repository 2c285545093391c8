#include "bench/measure.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/error.h"
#include "compute/suggest.h"
#include "geometry/generators.h"

namespace flipscope::bench {

namespace {

/// Processor time of all threads of this process, seconds.
double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double Measurement::median() const { return bench::median(samples_ms); }
double Measurement::least() const { return *std::min_element(samples_ms.begin(), samples_ms.end()); }

std::vector<Measurement> measure(const std::vector<std::unique_ptr<Contestant>>& contestants,
                                 const Patience& patience) {
    std::vector<Measurement> measurements;
    for (const auto& contestant : contestants) measurements.push_back({contestant->name(), {}, 0, 0});
    for (const auto& contestant : contestants) {
        if (!patience.warm_up) break;
        contestant->prepare();
        contestant->run();
    }
    std::vector<double> busy(contestants.size()), spent(contestants.size());
    const double start = seconds_now();
    for (int turn = 0; turn < patience.most; ++turn) {
        if (turn >= patience.fewest && seconds_now() - start > patience.seconds) break;
        for (size_t i = 0; i < contestants.size(); ++i) {
            contestants[i]->prepare();
            const double processor = processor_time(), wall = seconds_now();
            measurements[i].samples_ms.push_back(contestants[i]->run());
            busy[i] += processor_time() - processor;
            spent[i] += seconds_now() - wall;
            measurements[i].triangles = contestants[i]->triangles();
        }
    }
    for (size_t i = 0; i < contestants.size(); ++i) measurements[i].cores = busy[i] / spent[i];
    return measurements;
}

bool Task::wants(const std::string& name) const {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
}

std::vector<uint64_t> Task::sizes(std::vector<uint64_t> own) const {
    return most > 0 ? std::vector{static_cast<uint64_t>(most)} : own;
}

void require_known(const std::vector<std::string>& only, const std::vector<std::string>& known) {
    for (const std::string& name : only) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string near = nearest_word(name, known);
        throw Error("--only " + name + ": expected " + join_words(known) +
                    (near.empty() ? "" : "; did you mean " + near + "?"));
    }
}

Geometry made_points(const std::string& generator, uint64_t count, uint64_t seed) {
    GeneratorSpec spec;
    spec.name = generator;
    spec.count = count;
    spec.seed = seed;
    return generate(spec);
}

double growth_exponent(const std::vector<double>& sizes, const std::vector<double>& times) {
    const double count = static_cast<double>(sizes.size());
    double x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
        const double log_n = std::log(sizes[i]), log_t = std::log(times[i]);
        x += log_n;
        y += log_t;
        xx += log_n * log_n;
        xy += log_n * log_t;
    }
    const double spread = count * xx - x * x;
    return spread > 0 ? (count * xy - x * y) / spread : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace flipscope::bench
