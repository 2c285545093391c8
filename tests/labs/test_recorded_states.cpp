// A run has the same numbers with and without state words recorded for a picture.
#include <cmath>
#include <vector>

#include "delaunay/runs.h"
#include "geometry/generators.h"
#include "lab/registry.h"

using namespace flipscope;

namespace {

/// A run's report without times and memory.
struct Told {
    std::vector<StepResult> steps;
    Result result;
    std::vector<Distribution> histograms;
    size_t detections = 0;
    uint64_t hash = 0;
};

Told run(const RegistryEntry& entry, bool recorded, bool stepped, const Settings& settings) {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = lab_with(entry.id, settings);
    lab->set_records_states(recorded);
    const LabInfo& info = lab->info();
    lab->reset(context, !info.inputs.has(InputKind::kNothing)
                            ? generated(info.inputs.has(InputKind::kMeshes) ? "quad:400" : "uniform:200")
                            : make_input("nothing", {}));
    Told told;
    if (stepped)
        for (int i = 0; i < 400 && !lab->done(); ++i) told.steps.push_back(lab->step());
    else
        lab->finish([&](const StepResult& round) { told.steps.push_back(round); });
    told.result = lab->result();
    if (const auto* measurable = find_facet<Measurable>(*lab))
        told.histograms = measurable->statistics().all<Distribution>();
    if (const auto* detector = find_facet<Detector>(*lab)) told.detections = detector->detection_count();
    told.hash = lab->state_hash();
    return told;
}

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void check_same(const Told& a, const Told& b) {
    REQUIRE(a.steps.size() == b.steps.size());
    for (size_t i = 0; i < a.steps.size(); ++i) {
        CAPTURE(i);
        CHECK(a.steps[i].counters == b.steps[i].counters);
        CHECK(a.steps[i].message.text() == b.steps[i].message.text());
        CHECK(a.steps[i].breakpoint_hit == b.steps[i].breakpoint_hit);
        REQUIRE(a.steps[i].measures.size() == b.steps[i].measures.size());
        for (size_t k = 0; k < a.steps[i].measures.size(); ++k)
            CHECK(same_number(a.steps[i].measures[k], b.steps[i].measures[k]));
    }
    REQUIRE(a.result.numbers.size() == b.result.numbers.size());
    for (size_t i = 0; i < a.result.numbers.size(); ++i) {
        CAPTURE(a.result.numbers.list[i].name);
        CHECK(a.result.numbers.list[i].name == b.result.numbers.list[i].name);
        CHECK(same_number(a.result.numbers.list[i].value.number(), b.result.numbers.list[i].value.number()));
    }
    CHECK(a.result.edges == b.result.edges);
    CHECK(a.result.triangles == b.result.triangles);
    CHECK(a.result.triangulation_hash == b.result.triangulation_hash);
    REQUIRE(a.histograms.size() == b.histograms.size());
    for (size_t i = 0; i < a.histograms.size(); ++i) CHECK(a.histograms[i].now == b.histograms[i].now);
    CHECK(a.detections == b.detections);
    CHECK(a.hash == b.hash);
}

}  // namespace

TEST_CASE("labs: no number of a run depends on whether states are recorded, stepping or finishing") {
    for (const RegistryEntry& entry : registry())
        for (const bool stepped : {false, true}) {
            INFO(entry.id << (stepped ? ", stepped" : ""));
            std::vector<Settings> all{{}};
            if (entry.id == "events")
                all = {{"width=96", "height=64", "count=20", "comparisons=3"},
                       {"source=particles", "width=96", "height=64", "count=50", "comparisons=3"}};
            if (entry.id == "particles")
                all = {{"count=60", "steps=12"}, {"config=abp-dense", "count=40", "steps=8", "colour_by=speed"}};
            if (entry.id == "voronoi")
                all = {{"count=40", "width=64", "height=64", "lloyd=2"},
                       {"count=40", "width=64", "height=64", "method=jump-flooding", "obstacles=posts"}};
            for (const Settings& settings : all)
                check_same(run(entry, false, stepped, settings), run(entry, true, stepped, settings));
        }
}
