#include <array>
#include <cstdio>

#include "bench/experiments.h"
#include "flipscope/triangulate.h"
#include "judge/judge.h"

namespace flipscope::bench {

bool run_judging(const Task& task, Json& json) {
    Context context(DeviceRequest::kCpu, task.threads);
    Table table(json["judging"], "Judging triangulations of uniform points, on CPU threads", 15);
    for (const uint64_t size : task.sizes({10'000, 100'000, 1'000'000})) {
        Geometry exact = made_points("uniform", size, task.seed);
        exact.triangles = triangulate(context, exact.points).triangles;
        Geometry torn = exact, holed = exact, turned = exact, overlapping = exact;
        torn.triangles.erase(torn.triangles.begin() + static_cast<ptrdiff_t>(torn.triangles.size() / 2));
        std::erase_if(holed.triangles, [i = 0](const auto&) mutable { return i++ % 20 == 0; });
        std::swap(turned.triangles[turned.triangles.size() / 2][0], turned.triangles[turned.triangles.size() / 2][1]);
        std::array<uint32_t, 3>& moved = overlapping.triangles[overlapping.triangles.size() / 2];
        moved[2] = moved[0] == 0 || moved[1] == 0 ? 1 : 0;
        std::vector<Contestant> contestants;
        contestants.push_back(timed("triangulate", [&] { triangulate(context, exact.points); }));
        for (const auto& [name, geometry] : {std::pair{"exact", &exact},
                                             {"one is missing", &torn},
                                             {"5 % missing", &holed},
                                             {"one is inverted", &turned},
                                             {"one overlaps", &overlapping}})
            contestants.push_back(timed(name, [&context, geometry] { judge(context, *geometry); }));
        const std::vector<Measurement> measured = measure(contestants, task.patience);
        for (const Measurement& one : measured)
            table.add({{"points", size},
                       {"what", one.name},
                       {"ms", one.median()},
                       {"ms/triangulate", one.median() / measured[0].median()},
                       {"samples_ms", one.samples_ms}});
    }
    return true;
}

}  // namespace flipscope::bench
