// The Flip race: two Flip labs side by side, each as it would be alone.
#include "delaunay/constructions/flipping.h"
#include "delaunay/flip_films.h"
#include "delaunay/surfaces.h"

using namespace flipscope;

namespace {

constexpr size_t kSide = Flipping::kCounters;

/// Counters of the steps of one lab, with the mesh after each: the reference for a side of the race.
struct Alone {
    std::vector<StepResult> steps;
    std::vector<std::vector<uint32_t>> triangles;
};

std::vector<uint32_t> scene_corners(const SceneView& scene) {
    if (!scene.mesh || scene.mesh->vertex_count == 0) return {};
    return scene.mesh->triangles.download(3 * size_t(scene.mesh->triangle_count));
}

Alone run_alone(Context& context, const Input& input, Settings settings, const std::string& conflict) {
    settings.push_back("conflict=" + conflict);
    const auto lab = started(context, input, "flip", settings);
    Alone alone;
    while (!lab->done()) {
        alone.steps.push_back(lab->step());
        alone.triangles.push_back(scene_corners(lab->scene()));
    }
    return alone;
}

}  // namespace

TEST_CASE("race: each side is the Flip lab with its rule, step by step") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const Settings& settings : {Settings{"start=sweep"}, Settings{"start=scrambled", "criterion=angles"}})
            for (const char* text :
                 {"quad:400", "uniform:300", "grid:100", "worst:40", "sphere:200", "uniform:2", "uniform:3"})
                for (const bool swapped : {false, true}) {
                    INFO(device.name, ", ", text, swapped ? ", swapped" : "");
                    Context context(device.request, device.threads);
                    const std::string rules[2] = {swapped ? "hashed" : "lowest", swapped ? "lowest" : "hashed"};
                    const Alone alone[2] = {run_alone(context, generated(text), settings, rules[0]),
                                            run_alone(context, generated(text), settings, rules[1])};
                    Settings both = settings;
                    both.push_back("conflict_left=" + rules[0]);
                    both.push_back("conflict_right=" + rules[1]);
                    const auto race = started(context, generated(text), "race", both);
                    size_t step = 0;
                    for (; !race->done(); ++step) {
                        const StepResult result = race->step();
                        const Scene scene = race->scene();
                        REQUIRE(scene.beside.size() == 1);
                        REQUIRE(result.counters.size() == 2 * kSide);
                        REQUIRE(result.measures.size() == 2);
                        for (size_t k = 0; k < 2; ++k) {
                            const bool ran = step < alone[k].steps.size();
                            const std::vector<int64_t> counters(result.counters.begin() + long(k * kSide),
                                                                result.counters.begin() + long((k + 1) * kSide));
                            CHECK(counters ==
                                  (ran ? alone[k].steps[step].counters : std::vector<int64_t>(kSide, kNotCounted)));
                            if (ran) CHECK(result.pass == alone[k].steps[step].pass);
                            const SceneView& side = scene.view(k);
                            if (!alone[k].triangles.empty())
                                CHECK(scene_corners(side) ==
                                      alone[k].triangles[std::min(step, alone[k].triangles.size() - 1)]);
                        }
                    }
                    CHECK(step == std::max(alone[0].steps.size(), alone[1].steps.size()));
                    if (settings.size() == 1)
                        CHECK(facet<Checkable>(*race).check().passed);  // by angles, ties go either way
                }
}

TEST_CASE("race: it refuses the same inputs as the Flip lab, and continues") {
    Context context(DeviceRequest::kCpu, 1);
    const auto race = started(context, generated("uniform:50"), "race");
    race->step();
    const uint64_t state = race->state_hash();
    const auto points = make_surface("points", {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, {});
    CHECK_THROWS_AS(race->reset(context, points), Error);
    CHECK(race->state_hash() == state);
    CHECK_THROWS_AS(race->load(Snapshot{}), std::logic_error);
    CHECK(find_facet<Editable>(*race) == nullptr);
    race->finish({});
    CHECK(facet<Checkable>(*race).check().passed);
    CHECK(facet<Measurable>(*race).statistics().all<Distribution>().size() == 2);
    for (const uint32_t part : {0u, 1u}) {
        const Report told = facet<Inspectable>(*race).inspect({ElementKind::kEdge, 3, part});
        CHECK_FALSE(told.empty());
        CHECK_FALSE(told.highlights.empty());
        for (const Highlight& highlight : told.highlights) CHECK(highlight.part == part);
    }
}

TEST_CASE("race: its result says how many iterations each side took, and what is illegal still") {
    Context context(DeviceRequest::kCpu, 1);
    for (const auto& [text, settings] : {std::pair("quad:400", Settings{"start=sweep"}),
                                         {"worst:40", {"start=sweep", "criterion=angles"}},
                                         {"torus-knot:300", {}}}) {
        INFO(text);
        const auto race = started(context, generated(text), "race", settings);
        CHECK(race->result().headline.empty());  // it has no end yet
        uint32_t iterations[2] = {0, 0};
        while (!race->done()) {
            const StepResult both = race->step();
            for (size_t k = 0; k < 2; ++k)
                if (both.counters[k * kSide + Flipping::kIllegal] != kNotCounted) iterations[k] = both.iteration;
        }
        const Result result = race->result();
        REQUIRE(result.numbers.list.size() >= 4);
        const auto number = [&](size_t i) { return result.numbers.list[i].value.number(); };
        CHECK(result.numbers.list[0].name == "iterations, left");
        CHECK(number(0) == iterations[0]);
        CHECK(result.numbers.list[2].name == "iterations, right");
        CHECK(number(2) == iterations[1]);
        if (std::string(text) == "torus-knot:300") CHECK(number(1) + number(3) > 0);  // some cannot flip
    }
}
