// Breakpoints: their syntax, where a run stops, and the step after which a check fails.
#include "instruments/breakpoint.h"

#include "delaunay/runs.h"
#include "geometry/recording.h"
#include "lab/registry.h"
#include "labs/recordings.h"

using namespace flipscope;

namespace {

/// Where a run of this lab stops first, and why.
std::pair<uint64_t, std::string> stop(const std::string& id, const Settings& settings, const std::string& input,
                                      const std::string& text, uint64_t from = 0) {
    Context context(DeviceRequest::kCpu, 2);
    Timeline timeline(lab_with(id, settings));
    timeline.lab().set_records_states(true);
    timeline.reset(context, generated(input));
    timeline.seek(from);
    Breakpoint breakpoint = Breakpoint::parse(text, timeline.lab().info());
    breakpoint.begin(timeline.lab());
    while (timeline.step()) {
        std::string why = breakpoint.hit(timeline.lab(), timeline.result(timeline.position() - 1));
        if (!why.empty()) return {timeline.position(), std::move(why)};
    }
    return {0, ""};
}

/// A recording of `steps` steps, of which those in [from, to) have a fold.
std::shared_ptr<const Geometry> folded(size_t steps, size_t from, size_t to) {
    const auto points =
        std::make_shared<const RecordedSteps::Points>(RecordedSteps::Points{{0, 0}, {2, 0}, {2.5, 2}, {0, 1}});
    const auto whole = triangles({{0, 1, 2}, {0, 2, 3}}), broken = triangles({{0, 1, 2}, {0, 1, 3}});
    RecordedSteps recording;
    for (size_t i = 0; i < steps; ++i) recording.steps.push_back({points, i >= from && i < to ? broken : whole});
    return recorded(std::move(recording));
}

std::optional<FirstFailure> first_failure(const std::shared_ptr<const Geometry>& input, const std::string& text,
                                          uint64_t& at) {
    Context context(DeviceRequest::kCpu, 1);
    StartedTimeline timeline(context, input, "recording");
    timeline.run_to_end();
    const auto found = find_first_failure(timeline, Breakpoint::parse(text, timeline.lab().info()));
    at = timeline.position();
    return found;
}

}  // namespace

TEST_CASE("breakpoints: a pass, a counter, a measure and an element stop the run where they say") {
    const auto pass = stop("flip", {}, "uniform:60", "pass=repair");
    CHECK(pass == std::pair<uint64_t, std::string>{3, "the pass \"repair\" has run"});
    CHECK(stop("flip", {}, "uniform:60", " pass repair ") == pass);
    CHECK(stop("flip", {}, "uniform:60", "pass=repair", 3).first == 6);
    const auto few = stop("flip", {}, "uniform:60", "illegal <= 3");
    CHECK(few.first > 1);
    CHECK(few.second.starts_with("illegal is "));
    // A counter that is not of a pass holds nowhere there.
    CHECK(stop("flip", {}, "uniform:60", "illegal != -5").first == 1);
    CHECK(stop("flip", {}, "uniform:60", "granted > 0").second.starts_with("granted is "));
    CHECK(stop("flip", {}, "uniform:60", "harmonic index > 1e9").first == 0);
    CHECK(stop("flip", {}, "uniform:60", "harmonic index < 1e9").first == 1);
    // The edge is tested, granted, flipped: each is a change, and so are its other ends.
    uint64_t at = 0;
    bool moved = false;
    for (int i = 0; i < 40 && !moved; ++i) {
        const auto [position, why] = stop("flip", {}, "uniform:60", "changes edge:20", at);
        if (position == 0) break;
        CHECK(position > at);
        CHECK(why.starts_with("edge 20 has "));
        moved = why.starts_with("edge 20 has other corners: (");
        at = position;
    }
    CHECK(at > 0);
    CHECK(stop("build", {}, "uniform:60", "changes triangle:30").second == "triangle 30 has appeared");
}

TEST_CASE("breakpoints: what a lab detects stops it, where it detects anything") {
    Breakpoint breakpoint = Breakpoint::parse("differences", lab_info("voronoi"));
    StepResult step;
    const auto lab = make_lab("voronoi");
    CHECK(breakpoint.hit(*lab, step).empty());
    step.breakpoint_hit = true;
    CHECK(breakpoint.hit(*lab, step) == lab_info("voronoi").breakpoint);
    CHECK_THROWS_WITH_AS(Breakpoint::parse("differences", lab_info("build")),
                         "\"differences\": the Build lab looks for nothing to stop at", Error);
}

TEST_CASE("breakpoints: what is not understood is refused with what there is") {
    const auto refused = [](const std::string& text, const std::string& lab = "flip") {
        return error_of([&] { Breakpoint::parse(text, lab_info(lab)); });
    };
    CHECK(refused("pass=clam") ==
          "\"pass=clam\": the Flip lab has no pass \"clam\"; did you mean \"claim\"? (known: claim, flip, repair, "
          "edit)");
    CHECK(contains(refused("ilegal > 3"),
                   "has no counter or measure \"ilegal\"; did you mean \"illegal\"? (known: queued"));
    CHECK(refused("illegal > many") == "\"illegal > many\": expected a number after >, found \"many\"");
    CHECK(refused("illegal ! 3") == "\"illegal ! 3\": expected one of >, >=, <, <=, = and !=");
    CHECK(contains(refused("> 3"), "expected \"pass=NAME\""));
    for (const char* text : {"changes", "changes 12", "changes edge", "changes edge:", "changes edge:-1",
                             "changes edge:1@x", "changes face:3"}) {
        CAPTURE(text);
        CHECK(refused(text) != "accepted");
    }
    CHECK(refused("changes edge:12@1") == "accepted");
    CHECK(refused("check fails") == "accepted");
    CHECK(refused("check finds inverted-triangle") == "accepted");
    CHECK(Breakpoint::parse("  illegal  >=  3 ", lab_info("flip")).text() == "illegal  >=  3");
}

TEST_CASE("breakpoints: the step after which a check fails is found by bisection, where it fails ever since") {
    for (const size_t from : {0u, 1u, 5u, 98u, 99u}) {
        CAPTURE(from);
        uint64_t at = 0;
        const auto found = first_failure(folded(100, from, 100), "check fails", at);
        REQUIRE(found);
        CHECK(found->position == from + 1);
        CHECK(at == from + 1);  // and the timeline stands there
        CHECK(found->bisected);
        CHECK(found->checks <= 9);
        CHECK(
            found->why.starts_with("the check fails: step " + std::to_string(from + 1) + " is no valid triangulation"));
    }
}

TEST_CASE("breakpoints: a failure that passes again is found by looking at every step, and none is made up") {
    uint64_t at = 0;
    const auto found = first_failure(folded(40, 17, 20), "check fails", at);
    REQUIRE(found);
    CHECK(found->position == 18);
    CHECK(at == 18);
    CHECK_FALSE(found->bisected);
    CHECK_FALSE(first_failure(folded(40, 40, 40), "check fails", at));
    CHECK(at == 40);
    CHECK(first_failure(folded(40, 7, 40), "check finds folded-edge", at));
    CHECK(at == 8);
    CHECK_FALSE(first_failure(folded(40, 7, 40), "check finds flat-triangle", at));
}

TEST_CASE("breakpoints: in floating point the step at which the triangulation is spoilt is found between iterations") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, generated("uniform:400@x=4096"), "build", {"predicate=float-circumcentre"});
    timeline.run_to_end();
    const Breakpoint check = Breakpoint::parse("check finds inverted-triangle", timeline.lab().info());
    const auto found = find_first_failure(timeline, check);
    REQUIRE(found);
    CHECK(!check.check_now(timeline.lab()).empty());
    CHECK(timeline.result(found->position - 1).ended >= Level::kIteration);
    CHECK(timeline.back(Level::kIteration));
    CHECK(check.check_now(timeline.lab()).empty());
    // With exact signs there is none.
    StartedTimeline exact(context, generated("uniform:60"), "build");
    exact.run_to_end();
    CHECK_FALSE(find_first_failure(exact, Breakpoint::parse("check finds inverted-triangle", exact.lab().info())));
}

TEST_CASE("breakpoints: a search that is told to stop finds nothing") {
    Context context(DeviceRequest::kCpu, 1);
    StartedTimeline timeline(context, folded(50, 20, 50), "recording");
    timeline.run_to_end();
    int asked = 0;
    CHECK_FALSE(find_first_failure(timeline, Breakpoint::parse("check fails", timeline.lab().info()),
                                   [&] { return ++asked < 3; }));
    CHECK(asked == 3);
}
