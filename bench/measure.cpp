#include "bench/measure.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace flipscope::bench {

namespace {

/// Processor time of all threads of this process, seconds.
double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_time() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
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
    const double start = wall_time();
    for (int turn = 0; turn < patience.most; ++turn) {
        if (turn >= patience.fewest && wall_time() - start > patience.seconds) break;
        for (size_t i = 0; i < contestants.size(); ++i) {
            contestants[i]->prepare();
            const double processor = processor_time(), wall = wall_time();
            measurements[i].samples_ms.push_back(contestants[i]->run());
            busy[i] += processor_time() - processor;
            spent[i] += wall_time() - wall;
            measurements[i].triangles = contestants[i]->triangles();
        }
    }
    for (size_t i = 0; i < contestants.size(); ++i) measurements[i].cores = busy[i] / spent[i];
    return measurements;
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
