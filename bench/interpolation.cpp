#include <cmath>
#include <cstdio>

#include "bench/parts.h"
#include "flipscope/interpolate.h"

namespace flipscope::bench {

void run_interpolation(const Task& task, nlohmann::ordered_json& json) {
    constexpr size_t kPlaces = 1'000'000;
    Context context(task.device, task.threads);
    context.set_timed(false);
    std::printf("Values at 10^6 places between uniform points, on %s\n%10s %10s %12s\n", context.device_name().c_str(),
                "points", "method", "ms");
    json["device"] = context.device_name();
    json["interpolation"] = nlohmann::ordered_json::array();
    for (const uint64_t size : task.sizes({100'000})) {
        const std::vector<Point> points = made_points("uniform", size, task.seed).points;
        const std::vector<Point> places = made_points("uniform", kPlaces, task.seed + 1).points;
        std::vector<double> values;
        for (const Point& p : points) values.push_back(std::sin(9 * p.x) * std::cos(7 * p.y));
        std::vector<std::unique_ptr<Contestant>> contestants;
        for (uint32_t k = 0; k < std::size(kInterpolationNames); ++k)
            contestants.push_back(std::make_unique<Work>(kInterpolationNames[k], [&, k] {
                interpolate(context, points, values, places, static_cast<Interpolation>(k));
            }));
        for (const Measurement& one : measure(contestants, task.patience)) {
            std::printf("%10llu %10s %12.1f\n", static_cast<unsigned long long>(size), one.name.c_str(), one.median());
            json["interpolation"].push_back({{"points", size}, {"method", one.name}, {"samples_ms", one.samples_ms}});
        }
    }
}

}  // namespace flipscope::bench
