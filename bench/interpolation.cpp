#include <cmath>
#include <cstdio>
#include <random>

#include "bench/parts.h"
#include "flipscope/interpolate.h"

namespace flipscope::bench {

void run_interpolation(const Task& task, nlohmann::ordered_json& json) {
    constexpr size_t kPlaces = 1'000'000;
    Context context(task.device, task.threads);
    context.set_timed(false);
    std::printf("Values at 10^6 places between uniform points, on %s\n%10s %10s %12s %12s\n",
                context.device_name().c_str(), "points", "method", "in all, ms", "places, ms");
    json["device"] = context.device_name();
    json["interpolation"] = nlohmann::ordered_json::array();
    std::mt19937_64 random(task.seed);
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    std::vector<Point> at(kPlaces);
    for (const uint64_t size : task.sizes({100'000})) {
        std::vector<Point> points(size);
        std::vector<double> values;
        for (Point& p : points) p = {uniform(), uniform()};
        for (const Point& p : points) values.push_back(std::sin(9 * p.x) * std::cos(7 * p.y));
        for (Point& p : at) p = {uniform(), uniform()};
        Buffer<Point> sites("points"), places("places");
        Buffer<double> given("values"), made("interpolated values");
        sites.upload(context, points.data(), size);
        places.upload(context, at.data(), kPlaces);
        given.upload(context, values.data(), size);
        made.resize(context, kPlaces);
        const DeviceTriangulation triangulation = triangulate_on_device(context, sites.view());
        std::vector<std::unique_ptr<Interpolator>> interpolators;
        std::vector<std::unique_ptr<Contestant>> contestants;
        for (uint32_t k = 0; k < std::size(kInterpolationNames); ++k) {
            const auto method = static_cast<Interpolation>(k);
            contestants.push_back(std::make_unique<Work>(
                kInterpolationNames[k], [&, method] { interpolate(context, points, values, at, {.method = method}); }));
            interpolators.push_back(
                std::make_unique<Interpolator>(context, sites.view(), triangulation, given.view(), 1, method));
            contestants.push_back(std::make_unique<Work>(
                kInterpolationNames[k], [&, k] { interpolators[k]->interpolate(places.view(), made.view()); }));
        }
        const std::vector<Measurement> measured = measure(contestants, task.patience);
        for (size_t k = 0; k + 1 < measured.size(); k += 2) {
            const Measurement &whole = measured[k], &part = measured[k + 1];
            std::printf("%10llu %10s %12.1f %12.1f\n", static_cast<unsigned long long>(size), whole.name.c_str(),
                        whole.median(), part.median());
            json["interpolation"].push_back({{"points", size},
                                             {"method", whole.name},
                                             {"samples_ms", whole.samples_ms},
                                             {"places_samples_ms", part.samples_ms}});
        }
    }
}

}  // namespace flipscope::bench
