#include <array>
#include <cstdio>
#include <memory>

#include "bench/parts.h"
#include "flipscope/triangulate.h"
#include "judge/judge.h"

namespace flipscope::bench {

void run_judging(const Task& task, nlohmann::ordered_json& json) {
    Context context(DeviceRequest::kCpu, task.threads);
    std::printf("Judging triangulations of uniform points, on %s\n%10s %14s %12s %12s\n", context.device_name().c_str(),
                "points", "triangles are", "ms", "/ making");
    json["judging"] = nlohmann::ordered_json::array();
    for (const uint64_t size : task.sizes({10'000, 100'000, 1'000'000})) {
        Geometry exact = made_points("uniform", size, task.seed);
        exact.triangles = triangulate(context, exact.points).triangles;
        Geometry torn = exact, holed = exact, turned = exact, overlapping = exact;
        torn.triangles.erase(torn.triangles.begin() + static_cast<ptrdiff_t>(torn.triangles.size() / 2));
        std::erase_if(holed.triangles, [i = 0](const auto&) mutable { return i++ % 20 == 0; });
        std::swap(turned.triangles[turned.triangles.size() / 2][0], turned.triangles[turned.triangles.size() / 2][1]);
        std::array<uint32_t, 3>& moved = overlapping.triangles[overlapping.triangles.size() / 2];
        moved[2] = moved[0] == 0 || moved[1] == 0 ? 1 : 0;
        std::vector<std::unique_ptr<Contestant>> contestants;
        contestants.push_back(std::make_unique<Work>("triangulate", [&] { triangulate(context, exact.points); }));
        for (const auto& [name, geometry] : {std::pair{"exact", &exact},
                                             {"one is missing", &torn},
                                             {"5 % missing", &holed},
                                             {"one is inverted", &turned},
                                             {"one overlaps", &overlapping}})
            contestants.push_back(std::make_unique<Work>(name, [&context, geometry] { judge(context, *geometry); }));
        const std::vector<Measurement> measured = measure(contestants, task.patience);
        for (const Measurement& one : measured) {
            std::printf("%10llu %14s %12.2f %12.2f\n", static_cast<unsigned long long>(size), one.name.c_str(),
                        one.median(), one.median() / measured[0].median());
            json["judging"].push_back({{"points", size}, {"what", one.name}, {"samples_ms", one.samples_ms}});
        }
    }
}

}  // namespace flipscope::bench
