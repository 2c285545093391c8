// sanitizers: none
// The Predicate race: two Build labs in lockstep, the first pass after which their triangles differ, and the differing
// edges, against runs of the Build lab alone and sets of triangles made here.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "delaunay/runs.h"

using namespace flipscope;

namespace {

using EdgeSet = std::set<std::array<int64_t, 2>>;

EdgeSet edges_in(const Triangles& triangles) {
    EdgeSet edges;
    for (const auto& c : triangles)
        for (size_t k = 0; k < 3; ++k) {
            const int64_t a = c[k], b = c[(k + 1) % 3];
            edges.insert({std::min(a, b), std::max(a, b)});
        }
    return edges;
}

EdgeSet without(const EdgeSet& all, const EdgeSet& those) {
    EdgeSet left;
    std::set_difference(all.begin(), all.end(), those.begin(), those.end(), std::inserter(left, left.begin()));
    return left;
}

/// When a pass runs: its round, whether it is before, during or after the flips, and the number of the flip pass.
using Time = std::array<uint32_t, 4>;

/// The Build lab alone after each of its passes, by their times.
using Alone = std::map<Time, Triangles>;
Alone alone(Context& context, const Input& input, const std::string& predicate) {
    const auto lab = started(context, input, "build", {"predicate=" + predicate, "seeding=triangle"});
    Alone run;
    while (!lab->done()) {
        const StepResult step = lab->step();
        const std::string pass = lab->info().passes[step.pass].name;
        const bool flips = pass == "claim" || pass == "flip" || pass == "repair";
        Time time{step.round, flips ? 5 : step.pass, step.iteration, step.pass};
        if (!run.empty() && time <= run.rbegin()->first) ++time[0];  // a round that was not begun any more
        REQUIRE(run.emplace(time, triangles_of(*lab)).second);
    }
    return run;
}

/// The triangles at that time.
const Triangles& at(const Alone& run, const Time& time) {
    static const Triangles none;
    const auto after = run.upper_bound(time);
    return after == run.begin() ? none : std::prev(after)->second;
}

/// The times of both in order, each once: the definition of a pass of the race.
std::vector<Time> times_of(const Alone& exact, const Alone& naive) {
    std::set<Time> times;
    for (const Alone* run : {&exact, &naive})
        for (const auto& [time, triangles] : *run) times.insert(time);
    return {times.begin(), times.end()};
}

/// The number of the first pass after which the two differ, from 1; 0: there is none.
size_t parting_of(const Alone& exact, const Alone& naive) {
    const std::vector<Time> times = times_of(exact, naive);
    for (size_t i = 0; i < times.size(); ++i)
        if (at(exact, times[i]) != at(naive, times[i])) return i + 1;
    return 0;
}

EdgeSet listed(const Lab& race, const std::string& kind) {
    EdgeSet edges;
    for (const Detection& one : facet<Detector>(race).detections(0)) {
        const std::string plain = one.kind.substr(0, one.kind.find(" (tie)"));
        if (plain == kind) CHECK(edges.insert({one.vertices.at(0), one.vertices.at(1)}).second);
    }
    return edges;
}

}  // namespace

TEST_CASE("predicate race: the sides part in the pass that two Build labs alone say, and list the edges that differ") {
    size_t parted = 0;
    for (const char* text : {"near-ring:400", "near-ring:60@seed=4", "grid:400@scale=0.1", "grid:144@scale=0.3",
                             "near-grid:200", "uniform:200@x=1000", "uniform:400@x=10000,y=10000"})
        for (const std::string against : {"float", "double", "float-circumcentre", "double-circumcentre"}) {
            INFO(std::string(text), ", ", against);
            Context context(DeviceRequest::kCpu, 2);
            const Input input = generated(text);
            const Alone exact = alone(context, input, "exact"), naive = alone(context, input, against);
            const size_t expected = parting_of(exact, naive);
            const auto race = started(context, input, "race-predicates", {"against=" + against});
            size_t passes = 0, hits = 0;
            while (!race->done()) {
                const StepResult step = race->step();
                ++passes;
                CHECK(step.breakpoint_hit == (passes == expected));
                hits += step.breakpoint_hit;
                if (!step.breakpoint_hit) {
                    if (passes < expected) CHECK(facet<Detector>(*race).detection_count() == 0);
                    continue;
                }
                ++parted;
                CHECK(contains(step.message.text(), "part in pass " + std::to_string(passes) + " ("));
                const Time time = times_of(exact, naive).at(passes - 1);
                const EdgeSet left = edges_in(at(exact, time)), right = edges_in(at(naive, time));
                CHECK(listed(*race, "only exact") == without(left, right));
                CHECK(listed(*race, "only " + against) == without(right, left));
            }
            CHECK(hits == (expected > 0));
            CHECK(passes == times_of(exact, naive).size());
            // Each side ends as it does alone.
            CHECK(triangles_of(*race) == exact.rbegin()->second);
            if (expected == 0) continue;
            const EdgeSet left = edges_in(exact.rbegin()->second), right = edges_in(naive.rbegin()->second);
            CHECK(listed(*race, "only exact, at the end") == without(left, right));
            CHECK(listed(*race, "only " + against + ", at the end") == without(right, left));
            CHECK(race->result().numbers.find("parted in pass")->value.number() == double(expected));
        }
    CHECK(parted > 6);
}

TEST_CASE("predicate race: where floats have no wrong sign they never part, and on small grids by ties alone") {
    Context context(DeviceRequest::kCpu, 2);
    const Input integers = make_input("integers", {{0, 0}, {1, 7}, {4, 1}, {9, 5}, {11, 16}, {16, 3}, {3, 13}});
    for (const Input& input : {integers, generated("uniform:300")})
        for (const char* against : {"float", "double"}) {
            INFO(input->name, ", ", against);
            REQUIRE(parting_of(alone(context, input, "exact"), alone(context, input, against)) == 0);
            const auto race = finished(context, input, "race-predicates", {std::string("against=") + against});
            CHECK(facet<Detector>(*race).detection_count() == 0);
            CHECK(contains(race->result().headline, "never part"));
            CHECK(facet<Checkable>(*race).check().passed);
        }
    for (const char* text : {"grid:25", "grid:100"}) {
        INFO(text);
        const auto race = started(context, generated(text), "race-predicates", {"against=float-circumcentre"});
        StepResult step;
        while (!race->done() && !step.breakpoint_hit) step = race->step();
        REQUIRE(step.breakpoint_hit);
        CHECK(contains(step.message.text(), "tie"));
        size_t ties = 0;
        for (const Detection& one : facet<Detector>(*race).detections(0)) {
            REQUIRE(one.measures.size() == 4);
            ties += one.kind.ends_with("(tie)");
            if (one.kind.ends_with("(tie)"))
                CHECK(one.measures[0] == 0);
            else
                CHECK(one.measures[1] == one.measures[0]);  // floats have these whole numbers without rounding
        }
        CHECK(ties > 0);
    }
}

TEST_CASE("predicate race: both determinants of a differing edge are told in list, diagram and inspector") {
    on_every_device([&](Context& context) {
        const Input input = generated("grid:400@scale=0.1");
        const auto race = started(context, input, "race-predicates", {"against=float-circumcentre"});
        while (!race->done())
            if (race->step().breakpoint_hit) break;
        REQUIRE_FALSE(race->done());
        const auto& detector = facet<Detector>(*race);
        const std::vector<Detection> found = detector.detections(0);
        REQUIRE(found.size() == 4);
        size_t wrong = 0;
        for (size_t i = 0; i < found.size(); ++i) {
            const double exact = found[i].measures.at(2), naive = found[i].measures.at(3);
            wrong += exact != naive;
            CHECK((exact > 0) == (found[i].measures[0] > 0));
            const Report report = detector.report_of_detection(i);
            const std::vector<Diagram> diagrams = report.all<Diagram>();
            REQUIRE(diagrams.size() == 1);
            CHECK(report.all<Table>().size() == 1);
            for (const Diagram::Shape& shape : diagrams[0].shapes)
                for (const Point& corner : shape.corners) CHECK(std::isfinite(corner.x));
        }
        CHECK(wrong > 0);
        CHECK(detector.report_of_detection(found.size()).empty());

        // The same edges are marked and inspected in the view of the side that has them.
        const Scene scene = race->scene();
        REQUIRE(scene.view_count() == 2);
        for (uint32_t part = 0; part < 2; ++part) {
            const std::string kind = part ? "only float-circumcentre" : "only exact";
            const Layer* layer = scene.view(part).layer("differing");
            REQUIRE(layer);
            CHECK(layer->role == (part ? Role::kSpurious : Role::kMissed));
            CHECK(std::get<SegmentsLayer>(layer->shape).element_count() == listed(*race, kind).size());
            size_t told = 0;
            for (uint32_t edge = 0; edge < scene.view(part).count_of(ElementKind::kEdge); ++edge) {
                const Report report = facet<Inspectable>(*race).inspect({ElementKind::kEdge, edge, part});
                const Property* difference = report.find("Difference");
                for (const Highlight& highlight : report.highlights) CHECK(highlight.part == part);
                if (!difference) continue;
                CHECK((difference->value == Value("none") || difference->value == Value(kind)));
                if (difference->value == Value("none")) continue;
                ++told;
                REQUIRE(report.all<Table>().size() == 1);
                const Table table = report.all<Table>()[0];
                REQUIRE(table.row_count == 2);
                CHECK(table.row(0).cells[0] == Value("exact"));
                CHECK(table.row(1).cells[0] == Value("float-circumcentre"));
            }
            CHECK(told == listed(*race, kind).size());
        }
    });
}

TEST_CASE("predicate race: none, one, two and three points, points on a line and twice the same end without a part") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Input& input : {make_input("nothing", {}), generated("uniform:1"), generated("uniform:2"),
                               generated("uniform:3"), make_input("collinear", {{0, 0}, {1, 1}, {2, 2}, {5, 5}}),
                               make_input("same", {{1, 2}, {1, 2}, {1, 2}}), generated("duplicates:12")})
        for (const char* against : {"float", "double"}) {
            INFO(input->name, ", ", against);
            const auto race = stepped(context, input, "race-predicates", {std::string("against=") + against});
            CHECK(facet<Detector>(*race).detection_count() == 0);
            CHECK(facet<Checkable>(*race).check().passed);
            CHECK_NOTHROW(race->scene());
            CHECK_THROWS_AS(race->step(), std::logic_error);
        }
    const auto race = lab_with("race-predicates");
    CHECK_THROWS_WITH_AS(race->reset(context, generated("sphere:100")), doctest::Contains("surface in space"), Error);
}
