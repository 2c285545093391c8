#include "bench/statistics.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

#include "delaunay/constructions/strips.h"
#include "geometry/generators.h"
#include "instruments/scene_statistics.h"
#include "statistics/element_measures.h"
#include "statistics/point_statistics.h"

namespace flipscope::bench {

namespace {

class Part final : public Contestant {
  public:
    Part(Context& context, std::string name, std::function<void()> work)
        : context_(context), name_(std::move(name)), work_(std::move(work)) {}
    std::string name() const override { return name_; }
    double run() override {
        context_.synchronize();
        const auto begin = std::chrono::steady_clock::now();
        work_();
        context_.synchronize();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
    uint64_t triangles() const override { return 0; }

  private:
    Context& context_;
    std::string name_;
    std::function<void()> work_;
};

}  // namespace

void run_statistics(const StatisticsPlan& plan, nlohmann::ordered_json& json) {
    Context context(plan.device, plan.threads);
    context.set_timed(false);
    std::printf("Statistics of uniform points, on %s\n%10s %24s %12s\n", context.device_name().c_str(), "points",
                "what", "ms");
    json["device"] = context.device_name();
    json["statistics"] = nlohmann::ordered_json::array();
    for (const uint64_t size : plan.sizes) {
        GeneratorSpec spec;
        spec.name = "uniform";
        spec.count = size;
        spec.seed = plan.seed;
        const auto input = std::make_shared<const Geometry>(generate(spec));
        Strips strips;
        strips.set_records_states(false);
        strips.reset(context, input, {});
        strips.finish({});
        Scene scene;
        scene.add_mesh(strips.mesh(), strips.distinct());
        const Window window{strips.bounds().low, strips.bounds().high};
        const View<const Point> points = strips.mesh().positions.view(strips.distinct());
        const double spacing = std::sqrt(window.area() / double(size));
        ElementMeasures elements;
        PointGrid grid;
        SceneStatistics all;
        std::vector<std::unique_ptr<Contestant>> contestants;
        const auto add = [&](std::string name, std::function<void()> work) {
            contestants.push_back(std::make_unique<Part>(context, std::move(name), std::move(work)));
        };
        Strips again;
        again.set_records_states(false);
        add("triangulate", [&] {
            again.reset(context, input, {});
            again.finish({});
        });
        add("elements and cells",
            [&] { elements.measure(context, measured(strips.mesh(), strips.distinct(), window)); });
        add("grid of cells", [&] { grid.build(context, window, points, 2 * spacing); });
        add("pair correlation", [&] { window_correlation(context, grid, 6 * spacing); });
        add("number variance", [&] { number_variance(context, grid, 10 * spacing); });
        add("structure factor", [&] { structure_factor(context, window, points); });
        add("discrepancy", [&] { l2_star_discrepancy(context, window, points); });
        add("all statistics", [&] { all.measure(context, scene, {}); });
        for (const Measurement& one : measure(contestants, plan.patience)) {
            std::printf("%10llu %24s %12.2f\n", static_cast<unsigned long long>(size), one.name.c_str(), one.median());
            json["statistics"].push_back({{"points", size}, {"what", one.name}, {"samples_ms", one.samples_ms}});
        }
    }
}

}  // namespace flipscope::bench
