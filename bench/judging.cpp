#include "bench/judging.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>

#include "flipscope/triangulate.h"
#include "geometry/generators.h"
#include "judge/judge.h"

namespace flipscope::bench {

namespace {

class Making final : public Contestant {
  public:
    Making(Context& context, const Geometry& geometry) : context_(context), geometry_(geometry) {}
    std::string name() const override { return "triangulate"; }
    double run() override {
        const auto begin = std::chrono::steady_clock::now();
        const Triangulation made = triangulate(context_, geometry_.points);
        const double elapsed =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        triangles_ = made.triangles.size();
        return elapsed;
    }
    uint64_t triangles() const override { return triangles_; }

  private:
    Context& context_;
    const Geometry& geometry_;
    uint64_t triangles_ = 0;
};

class Judging final : public Contestant {
  public:
    Judging(Context& context, Geometry geometry, std::string name)
        : context_(context), geometry_(std::move(geometry)), name_(std::move(name)) {}
    std::string name() const override { return name_; }
    double run() override {
        const auto begin = std::chrono::steady_clock::now();
        const Judgement found = judge(context_, geometry_);
        const double elapsed =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        triangles_ = found.exact.size();
        return elapsed;
    }
    uint64_t triangles() const override { return triangles_; }

  private:
    Context& context_;
    Geometry geometry_;
    std::string name_;
    uint64_t triangles_ = 0;
};

}  // namespace

void run_judging(const JudgingPlan& plan, nlohmann::ordered_json& json) {
    Context context(DeviceRequest::kCpu, plan.threads);
    std::printf("Judging triangulations of uniform points, on %s\n%10s %14s %12s %12s\n", context.device_name().c_str(),
                "points", "triangles are", "ms", "/ making");
    json["judging"] = nlohmann::ordered_json::array();
    for (const uint64_t size : plan.sizes) {
        GeneratorSpec spec;
        spec.name = "uniform";
        spec.count = size;
        spec.seed = plan.seed;
        Geometry exact = generate(spec);
        exact.triangles = triangulate(context, exact.points).triangles;
        Geometry torn = exact, holed = exact, turned = exact, overlapping = exact;
        torn.triangles.erase(torn.triangles.begin() + static_cast<ptrdiff_t>(torn.triangles.size() / 2));
        std::erase_if(holed.triangles, [i = 0](const auto&) mutable { return i++ % 20 == 0; });
        std::swap(turned.triangles[turned.triangles.size() / 2][0], turned.triangles[turned.triangles.size() / 2][1]);
        std::array<uint32_t, 3>& moved = overlapping.triangles[overlapping.triangles.size() / 2];
        moved[2] = moved[0] == 0 || moved[1] == 0 ? 1 : 0;
        std::vector<std::unique_ptr<Contestant>> contestants;
        contestants.push_back(std::make_unique<Making>(context, exact));
        contestants.push_back(std::make_unique<Judging>(context, exact, "exact"));
        contestants.push_back(std::make_unique<Judging>(context, std::move(torn), "one is missing"));
        contestants.push_back(std::make_unique<Judging>(context, std::move(holed), "5 % missing"));
        contestants.push_back(std::make_unique<Judging>(context, std::move(turned), "one is inverted"));
        contestants.push_back(std::make_unique<Judging>(context, std::move(overlapping), "one overlaps"));
        const std::vector<Measurement> measured = measure(contestants, plan.patience);
        for (const Measurement& one : measured) {
            std::printf("%10llu %14s %12.2f %12.2f\n", static_cast<unsigned long long>(size), one.name.c_str(),
                        one.median(), one.median() / measured[0].median());
            json["judging"].push_back({{"points", size}, {"what", one.name}, {"samples_ms", one.samples_ms}});
        }
    }
}

}  // namespace flipscope::bench
