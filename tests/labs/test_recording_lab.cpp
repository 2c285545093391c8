// The Recording lab: a step is a pass, each is judged, broken ones are shown and reported, and going back and forth on
// the timeline changes nothing.
#include <algorithm>

#include "delaunay/runs.h"
#include "instruments/breakpoint.h"
#include "instruments/element_history.h"
#include "labs/recordings.h"
using namespace flipscope;

namespace {

enum Counter { kPoints, kTriangles, kNew, kRemoved, kMarked, kIllegal, kDefects };

/// A square: nothing, one triangle, both, a fold, mended with the other diagonal.
std::shared_ptr<const Geometry> with_fold() {
    const auto points =
        std::make_shared<const RecordedSteps::Points>(RecordedSteps::Points{{0, 0}, {2, 0}, {2.5, 2}, {0, 1}});
    RecordedSteps recording;
    recording.steps.push_back({points, triangles({}), {}, "nothing yet"});
    recording.steps.push_back({points, triangles({{0, 1, 2}}), {}, "a first triangle"});
    recording.steps.push_back({points, triangles({{0, 1, 2}, {0, 2, 3}}), {{2}, {{0, 2}, {1, 3}}, {1}}, "both"});
    recording.steps.push_back({points, triangles({{0, 1, 2}, {0, 1, 3}}), {}, "a fold"});
    recording.steps.push_back({points, triangles({{0, 1, 3}, {1, 2, 3}}), {}, {}});
    return recorded(std::move(recording));
}

std::string words(const Report& report) {
    std::string all;
    for (const Properties& properties : report.all<Properties>())
        for (const Property& one : properties) all += one.name + ": " + text_of(one.value) + " (" + one.why + ")\n";
    return all;
}

}  // namespace

TEST_CASE("recording lab: each pass shows the next step, counts what is in it and says its caption") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = started(context, with_fold(), "recording");
    CHECK_FALSE(lab->done());
    CHECK(lab->result().triangles == 0);
    const std::vector<std::vector<int64_t>> expected{{4, 0, 0, 0, 0, 0, 0},
                                                     {4, 1, 1, 0, 0, 0, 0},
                                                     {4, 2, 1, 0, 4, 1, 0},
                                                     {4, 2, 1, 1, 0, 0, -1},
                                                     {4, 2, 1, 1, 0, 0, 0}};
    const std::vector<std::string> captions{"nothing yet", "a first triangle", "both", "a fold", ""};
    for (size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        const StepResult result = lab->step();
        CHECK(result.round == i + 1);
        for (size_t k = 0; k < expected[i].size(); ++k) {
            CAPTURE(k);
            if (expected[i][k] < 0)
                CHECK(result.counters[k] > 0);
            else
                CHECK(result.counters[k] == expected[i][k]);
        }
        CHECK(result.message.text().starts_with(captions[i]));
        CHECK(result.breakpoint_hit == (i == 3));
        CHECK(contains(result.message.text(), "a fold. Step 4 is no valid triangulation: ") == (i == 3));
        CHECK(lab->done() == (i == 4));
    }
    CHECK(lab->next_pass() == kNone);
    CHECK_THROWS_AS(lab->step(), std::logic_error);
    CHECK(lab->save().bytes() == sizeof(uint64_t));  // so that keyframes cost nothing
    const Result result = lab->result();
    CHECK(result.triangles == 2);
    CHECK(result.edges == 5);
    CHECK(result.hull_edges == 4);
    CHECK(result.triangulation_hash == triangulate(*lab->soup().points).hash);
}

TEST_CASE("recording lab: a step that is no triangulation is shown, marked, listed and explained") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = started(context, with_fold(), "recording");
    for (int i = 0; i < 4; ++i) lab->step();
    const CheckReport report = facet<Checkable>(*lab).check();
    CHECK_FALSE(report.passed);
    CHECK(report.checked);
    const auto listed = [&](const char* code) {
        return std::any_of(report.failures.begin(), report.failures.end(),
                           [&](const CheckFailure& one) { return one.code == code; });
    };
    CHECK(listed("folded-edge"));
    CHECK(listed("overlapping-triangles"));
    CHECK(contains(report.sentence, "step 4 is no valid triangulation: "));
    const Scene scene = lab->scene();
    REQUIRE(scene.states_of(ElementKind::kTriangle));
    for (const State state : scene.states_of(ElementKind::kTriangle)->download()) {
        bool at_fault = false;
        for (const LegendEntry& entry : scene.legend())
            at_fault = at_fault || (entry.element == LegendEntry::Element::kTriangle && entry.role == Role::kFailed &&
                                    entry.matches(state));
        CHECK(at_fault);
    }
    const std::string told = words(facet<Inspectable>(*lab).inspect({ElementKind::kTriangle, 0}));
    CHECK(contains(told, "At fault: folded-edge"));
    CHECK(contains(told, ": overlapping-triangles"));
    // A repaired step passes again, and earlier defects are not repeated.
    lab->step();
    CHECK(facet<Checkable>(*lab).check().passed);
    CHECK(facet<Checkable>(*lab).check().failures.empty());
}

TEST_CASE("recording lab: what is new, marked, illegal and removed is in the picture and in the inspector's words") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = started(context, with_fold(), "recording");
    const Scene start = lab->scene();  // the points, waiting
    CHECK(start.count_of(ElementKind::kVertex) == 4);
    CHECK(start.count_of(ElementKind::kTriangle) == 0);
    CHECK_FALSE(facet<Checkable>(*lab).check().checked);
    for (int i = 0; i < 3; ++i) lab->step();
    const Scene scene = lab->scene();
    const auto role_of = [&](ElementKind kind, uint32_t id) {
        const State state = scene.states_of(kind)->download().at(id);
        for (const Layer& layer : scene.layers)
            for (const LegendEntry& entry : layer.legend)
                if (static_cast<int>(entry.element) == static_cast<int>(kind) && entry.matches(state))
                    return entry.role;
        return Role::kPlain;
    };
    CHECK(role_of(ElementKind::kTriangle, 0) == Role::kPlain);
    CHECK(role_of(ElementKind::kTriangle, 1) == Role::kChosen);
    CHECK(role_of(ElementKind::kVertex, 2) == Role::kChosen);
    CHECK(role_of(ElementKind::kEdge, 0) == Role::kPlain);     // 0-1
    CHECK(role_of(ElementKind::kEdge, 1) == Role::kDeferred);  // 0-2, which is illegal, too
    CHECK(role_of(ElementKind::kEdge, 2) == Role::kFresh);     // 0-3
    REQUIRE(scene.layer("marked"));
    CHECK(std::get<SegmentsLayer>(scene.layer("marked")->shape).few_ends == std::vector<uint32_t>{1, 3});
    CHECK_FALSE(scene.layer("removed"));
    const auto& inspectable = facet<Inspectable>(*lab);
    const std::string edge = words(inspectable.inspect({ElementKind::kEdge, 1}));
    CHECK(contains(edge, "Edge: 1 (point 0 to point 2)"));
    CHECK(contains(edge, "Legal: no"));
    CHECK(contains(edge, "Marked: yes (by the recording: both)"));
    CHECK(contains(edge, "In-circle: +"));
    const std::vector<Highlight> drawn = inspectable.inspect({ElementKind::kEdge, 1}).highlights;
    CHECK(std::count_if(drawn.begin(), drawn.end(),
                        [](const Highlight& one) { return one.kind == Highlight::Kind::kCircle; }) == 2);
    CHECK(contains(words(inspectable.inspect({ElementKind::kVertex, 1})), "Triangles: 0"));
    CHECK(contains(words(inspectable.inspect({ElementKind::kTriangle, 1})), "New: yes"));
    CHECK(inspectable.inspect({ElementKind::kTriangle, 2}).empty());
    CHECK(inspectable.pick({{1.5, 0.5}, 0.01, {}}).kind == ElementKind::kTriangle);
    CHECK(inspectable.pick({{2, 0}, 0.1, {}}).id == 1);
    lab->step();
    const Scene after = lab->scene();
    REQUIRE(after.layer("removed"));
    CHECK(std::get<SegmentsLayer>(after.layer("removed")->shape).few_ends == std::vector<uint32_t>{2, 3});
}

TEST_CASE("recording lab: an edge is known by its points, since its number is another one in every step") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, with_fold(), "recording");
    timeline.run_to_end();
    const Scene scene = timeline.lab().scene();
    const uint32_t kept = find_element(scene, ElementKind::kEdge, {0, 1, kNone}),
                   mended = find_element(scene, ElementKind::kEdge, {1, 3, kNone});
    REQUIRE(kept != kNone);
    REQUIRE(mended != kNone);
    const ElementHistory of_kept = trace_element(timeline, {ElementKind::kEdge, kept}, {});
    REQUIRE(of_kept.changes.size() == 1);  // a side of the first triangle, and of every one that followed
    CHECK(of_kept.changes[0].what == ElementChange::What::kMade);
    CHECK(of_kept.changes[0].position == 2);
    const ElementHistory of_mended = trace_element(timeline, {ElementKind::kEdge, mended}, {});
    REQUIRE(of_mended.changes.size() == 1);
    CHECK(of_mended.changes[0].position == 4);
    const ElementHistory of_triangle =
        trace_element(timeline, {ElementKind::kTriangle, find_element(scene, ElementKind::kTriangle, {0, 1, 3})}, {});
    REQUIRE(of_triangle.changes.size() == 1);
    CHECK(of_triangle.changes[0].position == 4);

    // The edge that is number 0 at the second step: its number changes, and it does not.
    timeline.seek(2);
    const auto corners = corners_of_element(timeline.lab().scene(), ElementKind::kEdge, 2);
    REQUIRE(corners);
    Breakpoint breakpoint = Breakpoint::parse("changes edge:2", timeline.lab().info());
    breakpoint.begin(timeline.lab());
    for (uint64_t position = 3; position <= 5; ++position) {
        timeline.seek(position);
        const bool there = find_element(timeline.lab().scene(), ElementKind::kEdge, *corners) != kNone;
        const std::string said = breakpoint.hit(timeline.lab(), timeline.result(position - 1));
        CAPTURE(said);
        if (contains(said, "has disappeared")) CHECK_FALSE(there);
        if (there) CHECK_FALSE(contains(said, "other corners"));
    }
}

TEST_CASE("recording lab: the program's predicates are verified; a wrong one stops playing and fails the check") {
    Context context(DeviceRequest::kCpu, 2);
    const auto square =
                   std::make_shared<const RecordedSteps::Points>(RecordedSteps::Points{{0, 0}, {2, 0}, {2, 2}, {0, 2}}),
               moved = std::make_shared<const RecordedSteps::Points>(RecordedSteps::Points{{0, 0}, {2, 0}, {2, 3}});
    RecordedSteps recording;
    recording.steps.push_back({square, triangles({{0, 1, 2}}), {}, "", {{false, {0, 1, 2, 0}, 1}}});
    recording.steps.push_back(  // of four cocircular points, and of three
        {square, triangles({{0, 1, 2}}), {}, "", {{true, {0, 1, 2, 3}, 0}, {false, {0, 1, 3, 0}, -1}}});
    recording.steps.push_back({square, triangles({{0, 1, 2}, {0, 2, 3}}), {}, ""});
    recording.steps.push_back({moved, triangles({{0, 1, 2}}), {}, ""});
    const auto lab = started(context, recorded(std::move(recording)), "recording");
    const StepResult first = lab->step();
    CHECK_FALSE(first.must_stop);
    CHECK(facet<Checkable>(*lab).check().passed);
    const StepResult second = lab->step();
    CHECK(second.must_stop);
    CHECK(second.breakpoint_hit);
    CHECK(second.counters[kDefects] == 1);
    CHECK(std::any_of(second.message.sentences.begin(), second.message.sentences.end(),
                      [](const StepMessage::Sentence& one) { return one.kind == "false-sign"; }));
    CHECK_FALSE(facet<Checkable>(*lab).check().passed);
    const StepResult third = lab->step();
    CHECK_FALSE(third.must_stop);
    CHECK(third.counters[kDefects] == 0);
    CheckReport report = facet<Checkable>(*lab).check();
    CHECK_FALSE(report.passed);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failure_count == 1);
    CHECK(report.failures[0].code == "false-sign");
    CHECK(report.failures[0].vertices == std::vector<int64_t>{0, 1, 3});
    CHECK(contains(report.failures[0].sentence, "orientation of points 0, 1 and 3 in step 2: "));
    CHECK(report.failures[0].elements.size() == 3);
    lab->step();
    report = facet<Checkable>(*lab).check();
    CHECK_FALSE(report.passed);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].elements.empty());  // point 3 is no more
    CHECK(report.failures[0].places.size() == 3);
}

TEST_CASE("recording lab: the check can ask for every point and the convex hull") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = started(context, with_fold(), "recording", {"judge=complete"});
    std::vector<bool> passed;
    while (!lab->done()) {
        lab->step();
        passed.push_back(facet<Checkable>(*lab).check().passed);
    }
    // Nothing; a triangle without the fourth point; both triangles; a fold; both again.
    CHECK(passed == std::vector<bool>{false, false, true, false, true});
}

TEST_CASE("recording lab: the check can ask for the Delaunay triangulation of the points that a step uses") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = started(context, with_fold(), "recording", {"judge=delaunay"});
    const auto checked = [&] { return facet<Checkable>(*lab).check(); };
    lab->step();
    CHECK(checked().passed);  // no triangle yet
    lab->step();
    CHECK(checked().passed);  // of three points
    CHECK(contains(checked().sentence, "it is the Delaunay triangulation of the points that it uses"));
    lab->step();
    CHECK_FALSE(checked().passed);
    REQUIRE(checked().failures.size() == 1);
    CHECK(checked().failures[0].code == "illegal-edge");
    CHECK(checked().failures[0].sentence.starts_with("edge 1 (points 0 and 2) is illegal: "));
    CHECK(contains(checked().sentence, "not Delaunay: 1 illegal edge"));
    lab->step();
    CHECK(contains(checked().sentence, "no valid triangulation"));  // which says enough
    lab->step();
    CHECK(checked().passed);

    // Triangles with legal edges and a bay, a hole or two pieces are not the Delaunay triangulation.
    const auto judged = [&](const std::vector<Point>& points, RecordedSteps::Triangles list) {
        RecordedSteps recording;
        recording.steps.push_back({std::make_shared<const RecordedSteps::Points>(points), triangles(std::move(list))});
        lab->reset(context, recorded(std::move(recording)));
        lab->step();
        return checked();
    };
    const CheckReport bay = judged({{0, 0}, {4, 0}, {2, 1}, {2, 5}}, {{0, 1, 2}, {1, 3, 2}});
    CHECK_FALSE(bay.passed);
    CHECK(bay.failures[0].code == "reflex-hull");
    CHECK(bay.failures[0].vertices == std::vector<int64_t>{2});
    CHECK(judged({{0, 0}, {4, 0}, {2, 1}, {2, 5}}, {{0, 1, 2}, {1, 3, 2}, {3, 0, 2}}).passed);
    CHECK_FALSE(judged({{0, 0}, {1, 0}, {0, 1}, {5, 5}, {6, 5}, {5, 6}}, {{0, 1, 2}, {3, 4, 5}}).passed);
    CHECK_FALSE(judged({{0, 0}, {1, 0}, {0, 1}, {-1, -1}, {-1, 0}}, {{0, 1, 2}, {0, 4, 3}}).passed);  // at one vertex
    for (const char* text : {"uniform:200", "grid:49", "ring:40", "duplicates:60"}) {
        CAPTURE(text);
        const auto input = generated(text);
        CHECK(judged(input->points, triangulate(input->points).triangles).passed);
    }
}

TEST_CASE("recording lab: steps with other points, without points, and of one step alone") {
    Context context(DeviceRequest::kCpu, 1);
    const auto points = [](std::vector<Point> list) {
        return std::make_shared<const RecordedSteps::Points>(std::move(list));
    };
    RecordedSteps recording;
    recording.steps.push_back({points({}), triangles({})});
    recording.steps.push_back({points({{0, 0}, {1, 0}, {0, 1}}), triangles({{0, 1, 2}})});
    recording.steps.push_back({points({{0, 0}, {1, 0}, {0, 1}, {5, 5}}), triangles({{1, 2, 0}, {1, 3, 2}})});
    recording.steps.push_back({points({}), triangles({})});
    const auto lab = started(context, recorded(recording), "recording");
    for (const size_t count : {0u, 3u, 4u, 0u}) {
        lab->step();
        const Scene scene = lab->scene();
        CHECK((scene.empty() || scene.count_of(ElementKind::kVertex) == count));
        CHECK(facet<Checkable>(*lab).check().passed);
        CHECK(scene.high.x == 5);  // of all steps, so that the picture stays
    }
    // Points and meshes are recordings of one step.
    lab->reset(context, generated("uniform:20"));
    CHECK(contains(lab->step().message.text(), "This is no recording"));
    CHECK(lab->done());
    Geometry broken;
    broken.name = "broken";
    broken.points = {{0, 0}, {1, 0}, {0, 1}};
    broken.triangles = {{0, 1, 7}};
    CHECK_THROWS_WITH_AS(lab->reset(context, std::make_shared<const Geometry>(broken)),
                         doctest::Contains("names point 7, which does not exist"), Error);
    CHECK(lab->done());  // as before
    CHECK_THROWS_WITH_AS(lab->reset(context, generated("torus-knot:300")), doctest::Contains("surface in space"),
                         Error);
}
