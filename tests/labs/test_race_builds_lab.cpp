// The Construction race: three constructions on one clock, each as it would be alone.

#include <array>

#include "delaunay/flip_films.h"

using namespace flipscope;

namespace {

constexpr std::array kLabs{"strips", "build", "subdivide"};
constexpr size_t kRacers = kLabs.size();

/// Of a step of the race: its report on a racer.
struct SoFar {
    int64_t work = 0, passes = 0, triangles = 0;
    friend bool operator==(const SoFar&, const SoFar&) = default;
};
SoFar so_far(const StepResult& step, size_t racer) {
    REQUIRE(step.counters.size() == 3 * kRacers);
    return {step.counters[3 * racer], step.counters[3 * racer + 1], step.counters[3 * racer + 2]};
}

/// Difficult inputs for each of them.
std::vector<Input> inputs() {
    std::vector<Input> all{make_input("nothing", {}), make_input("twice the same", {{1, 2}, {1, 2}})};
    for (const char* text : {"uniform:1", "uniform:2", "uniform:3", "uniform:4", "line:12", "duplicates:60", "grid:49",
                             "ring:40", "clusters:150", "uniform:200@x=1e9,y=-1e9"})
        all.push_back(generated(text));
    return all;
}

}  // namespace

TEST_CASE("construction race: three views, each the lab that runs alone, and the same triangles in all of them") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const Input& input : inputs()) {
            INFO(device.name, ", ", input->name);
            Context context(device.request, device.threads);
            const auto race = stepped(context, input, "race-builds");
            const Scene scene = race->scene();
            REQUIRE(scene.view_count() == kRacers);
            for (size_t k = 0; k < kRacers; ++k) {
                CAPTURE(k);
                const auto alone = stepped(context, input, kLabs[k]);
                const Scene its = alone->scene();
                CHECK(scene.view(k).layers.size() == its.layers.size());
                CHECK(scene.view(k).count_of(ElementKind::kTriangle) == its.count_of(ElementKind::kTriangle));
                CHECK(contains(scene.view(k).title, ", done after: work "));
                CHECK(race->result().triangulation_hash == alone->result().triangulation_hash);
                CHECK(race->result().triangles == alone->result().triangles);
            }
            const CheckReport report = facet<Checkable>(*race).check();
            CHECK(report.passed);
            CHECK(report.sentence.ends_with("; all constructions have the same triangles"));
        }
}

TEST_CASE("construction race: a check fails during the run") {
    Context context(DeviceRequest::kCpu, 1);
    const auto race = started(context, generated("uniform:60"), "race-builds");
    for (int i = 0; i < 8; ++i) race->step();
    CHECK_FALSE(facet<Checkable>(*race).check().passed);
}

TEST_CASE("construction race: on the clock of work the one with the least runs, on that of passes each in turn") {
    const DeviceUnderTest device = one_device();
    for (const Input& input : inputs())
        for (const bool by_work : {true, false}) {
            INFO(input->name, by_work ? ", work" : ", passes");
            Stage stage(device, input, {by_work ? "clock=work" : "clock=passes"}, "race-builds");
            std::array<SoFar, kRacers> before{};
            std::array<bool, kRacers> done{};
            while (!stage.lab->done()) {
                const uint32_t next = stage.lab->next_pass();
                const StepResult step = stage.lab->step();
                REQUIRE(step.pass == next);
                CHECK(step.next == stage.lab->next_pass());
                const auto time_of = [&](size_t k) { return by_work ? before[k].work : before[k].passes; };
                CHECK_FALSE(done[next]);
                for (size_t k = 0; k < kRacers; ++k) {
                    if (done[k]) continue;
                    CHECK(time_of(next) <= time_of(k));
                    if (k < next) CHECK(time_of(next) < time_of(k));
                }
                for (size_t k = 0; k < kRacers; ++k) {
                    const SoFar now = so_far(step, k);
                    CHECK(now.passes == before[k].passes + (k == next));
                    if (k == next)
                        CHECK(now.work >= before[k].work);
                    else
                        CHECK(now == before[k]);
                    before[k] = now;
                }
                done[next] = contains(stage.lab->scene().view(next).title, "done after");
            }
        }
}

TEST_CASE("construction race: work, passes and the end are the same on both clocks, on every device") {
    for (const Input& input : inputs()) {
        INFO(input->name);
        const Film by_work = compare_films("race-builds", input, {}),
                   by_passes = compare_films("race-builds", input, {"clock=passes"});
        REQUIRE(by_work.steps.size() == by_passes.steps.size());
        REQUIRE_FALSE(by_work.steps.empty());
        CHECK(by_work.steps.back().counters == by_passes.steps.back().counters);
        CHECK(by_work.hashes.back() == by_passes.hashes.back());
        CHECK(by_work.steps.back().ended == Level::kEnd);
    }
}

TEST_CASE("construction race: the headline has the order of arrival, and plots have a curve for each construction") {
    Context context(DeviceRequest::kCpu, 2);
    const auto race = started(context, generated("uniform:300"), "race-builds");
    CHECK(facet<Measurable>(*race).statistics().empty());
    race->finish({});
    const Result result = race->result();
    double before = 0;
    size_t at = 0;
    for (const char* name : {"strips", "insertion", "subdivision"}) {
        INFO(result.headline);
        const size_t found = result.headline.find(name);
        REQUIRE(found != std::string::npos);
        CHECK(found > at);
        at = found;
        const double work = result.numbers.find(std::string("work, ") + name)->value.number();
        CHECK(work > before);
        before = work;
    }
    CHECK(result.headline.starts_with("done first: strips (work "));
    const std::vector<Curve> curves = facet<Measurable>(*race).statistics().all<Curve>();
    REQUIRE(curves.size() == 6);
    for (size_t k = 0; k < 3; ++k) {
        INFO(curves[k].label);
        CHECK(curves[k].name == "triangles over work");
        CHECK(curves[3 + k].name == "work over passes");
        for (size_t i = 1; i < curves[k].x.size(); ++i) CHECK(curves[k].x[i] > curves[k].x[i - 1]);
        CHECK(curves[k].y.back() == static_cast<double>(result.triangles));
        CHECK(curves[3 + k].x.size() == result.numbers.find("passes, " + curves[k].label)->value.number() + 1);
        CHECK(curves[3 + k].y.back() == curves[k].x.back());
    }
}

TEST_CASE("construction race: parameters of the constructions reach them") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = generated("uniform:300");
    const auto numbers = [&](const Settings& settings, const char* of) {
        return finished(context, input, "race-builds", settings)->result().numbers.find(of)->value.number();
    };
    CHECK(numbers({"strips=3"}, "work, strips") != numbers({}, "work, strips"));
    CHECK(numbers({"leaf=9"}, "work, subdivision") < numbers({}, "work, subdivision"));
    CHECK(numbers({"leaf=9"}, "work, strips") == numbers({}, "work, strips"));
    CHECK(numbers({"block_size=64"}, "work, insertion") == numbers({}, "work, insertion"));
}

TEST_CASE("construction race: each view answers for itself") {
    Context context(DeviceRequest::kCpu, 2);
    const auto race = finished(context, generated("uniform:100"), "race-builds");
    const auto& inspectable = facet<Inspectable>(*race);
    for (uint32_t part = 0; part < kRacers; ++part) {
        CAPTURE(part);
        Probe probe;
        probe.place = {0.5, 0.5};
        probe.part = part;
        Element element = inspectable.pick(probe);
        REQUIRE(element.id != kNone);
        element.part = part;
        const Report report = inspectable.inspect(element);
        CHECK_FALSE(report.empty());
        CHECK_FALSE(report.highlights.empty());
        for (const Highlight& highlight : report.highlights) CHECK(highlight.part == part);
        // By its own order of the points: only strips have chains.
        const Report vertex = inspectable.inspect({ElementKind::kVertex, 0, part});
        CHECK((vertex.find("Strip") != nullptr) == (part == 0));
    }
}
