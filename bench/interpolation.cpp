#include <cmath>
#include <cstdio>

#include "bench/experiments.h"
#include "flipscope/interpolate.h"

namespace flipscope::bench {

bool run_interpolation(const Task& task, Json& json) {
    constexpr size_t kPlaces = 1'000'000;
    Context context(task.device, task.threads);
    context.set_timed(false);
    Table table(json["interpolation"], "Values at 10^6 places between uniform points");
    for (const uint64_t size : task.sizes({100'000})) {
        const std::vector<Point> points = made_points("uniform", size, task.seed).points;
        const std::vector<Point> places = made_points("uniform", kPlaces, task.seed + 1).points;
        std::vector<double> values;
        for (const Point& p : points) values.push_back(std::sin(9 * p.x) * std::cos(7 * p.y));
        std::vector<Contestant> contestants;
        for (uint32_t k = 0; k < std::size(kInterpolationNames); ++k)
            contestants.push_back(timed(kInterpolationNames[k], [&, k] {
                interpolate(context, points, values, places, static_cast<Interpolation>(k));
            }));
        for (const Measurement& one : measure(contestants, task.patience))
            table.add({{"points", size}, {"method", one.name}, {"ms", one.median()}, {"samples_ms", one.samples_ms}});
    }
    return true;
}

}  // namespace flipscope::bench
