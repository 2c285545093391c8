// The picture of a run: colours, highlights, labels, failures, and a second picture.
#include "app/run/stage.h"

#include <doctest/doctest.h>

#include "app/run/lesson.h"
#include "app/view/display.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

/// The Flip lab on twelve points of a circle, after `passes`.
struct FlipStage {
    explicit FlipStage(uint64_t passes = 2) {
        run.lab().set_records_states(true);
        run.start(context);
        run.timeline().seek(passes);
    }
    static Scenario ring() {
        Scenario scenario;
        scenario.lab = "flip";
        scenario.points = "ring:12";
        return scenario;
    }
    Context context{DeviceRequest::kCpu, 1};
    Run run{ring()};
    RunStage stage{context, run};
};

}  // namespace

TEST_CASE("stage: elements are coloured by the chosen quantity") {
    FlipStage flip;
    RunStage& stage = flip.stage;
    Scene scene = stage.scene();
    CHECK(shown_scales({}, scene).empty());
    stage.choice.colour = colour_named("degree", FlipStage::ring(), "");
    stage.explore(scene);
    CHECK(stage.exploration().has_mesh());
    CHECK(offers(scene, *stage.choice.colour));
    CHECK_FALSE(shown_scales({}, scene).empty());
    CHECK_FALSE(stage.offered(scene).empty());
}

TEST_CASE("stage: ids are labels only where the look shows them") {
    FlipStage flip;
    const Scene scene = flip.stage.scene();
    DisplayOptions display;
    CHECK(flip.stage.labels(scene, display).empty());
    display.show(kIdsDisplay, true);
    CHECK(flip.stage.labels(scene, display).size() >= 12);
}

TEST_CASE("stage: an element is highlighted after its explaining elements, and no element has no highlight") {
    FlipStage flip;
    const Scene scene = flip.stage.scene();
    Report found;
    found.highlights.push_back({Highlight::Kind::kCircle, {{0, 0, 0}}, 1, Role::kPlain, "circumcircle", 0});
    const std::vector<Highlight> marks = Stage::highlights(scene, {ElementKind::kEdge, 3, 0}, found, "edge:3");
    REQUIRE(marks.size() == 2);
    CHECK(marks[0].name == "circumcircle");
    CHECK(marks[1].name == "edge:3");
    CHECK(marks[1].kind == Highlight::Kind::kLine);
    CHECK(Stage::highlights(scene, {ElementKind::kEdge, kNone, 0}, found, "").size() == 1);
}

TEST_CASE("stage: highlights and labels stand in the live view, at the right of another moment of the run") {
    FlipStage flip;
    RunStage& stage = flip.stage;
    const std::vector<Highlight> marks = Stage::highlights(stage.scene(), {ElementKind::kEdge, 3, 0}, {}, "edge:3");
    DisplayOptions display;
    display.show(kIdsDisplay, true);
    const std::vector<ElementLabel> labels = stage.labels(stage.scene(), display);
    RunStage::Picture alone = stage.picture(stage.scene(), marks, labels);
    CHECK(alone.scene.view_count() == 1);
    CHECK(alone.highlights.at(0).part == 0);

    stage.show_beside(parse_beside("0"), std::nullopt);
    REQUIRE(stage.has_beside());
    RunStage::Picture both = stage.picture(stage.scene(), marks, labels);
    REQUIRE(both.scene.view_count() == 2);
    CHECK(both.scene.view(0).title == "ring:12, at the start");
    CHECK(both.scene.view(1).title == flip.run.caption());
    CHECK(both.highlights.at(0).part == 1);
    CHECK(both.labels.at(0).element.part == 1);

    stage.show_beside(parse_beside("end", ""), std::nullopt, std::nullopt, "another moment");
    CHECK(stage.beside_caption().starts_with("another moment: ring:12, pass "));
    CHECK(stage.beside_caption().ends_with("this step: " + flip.run.caption()));
    stage.drop_beside();
    CHECK(stage.picture(stage.scene()).scene.view_count() == 1);
    CHECK_THROWS_WITH_AS(stage.show_beside(parse_beside("100000"), std::nullopt),
                         doctest::Contains("--beside 100000: the run has only"), Error);
}

TEST_CASE("stage: failures of a check are in the legend") {
    FlipStage flip;
    const CheckReport check = check_of(flip.run.lab());
    REQUIRE_FALSE(check.passed);
    Scene scene = flip.stage.scene();
    const size_t entries = scene.legend().size();
    flip.stage.mark(scene, check);
    CHECK(scene.legend().size() > entries);
}

TEST_CASE("stage: the paraboloid is the view after the lab's, of another moment too") {
    FlipStage flip;
    RunStage& stage = flip.stage;
    stage.lift = {true, false};
    Scene scene = stage.scene();
    stage.explore(scene);
    REQUIRE(scene.view_count() == 2);
    CHECK(scene.view(1).in_space);
    const Element edge{ElementKind::kEdge, 3, 0};
    const std::vector<Highlight> marks = Stage::highlights(scene, edge, {}, "edge:3");
    std::vector<Highlight> lifted = stage.lifted(scene, edge, marks);
    REQUIRE(lifted.size() == 1);
    CHECK(lifted[0].part == 1);
    CHECK(lifted[0].places[0].x == marks[0].places[0].x);
    CHECK(lifted[0].places[0].z == stage.paraboloid().lift().height({marks[0].places[0].x, marks[0].places[0].y}));
    stage.show_beside(parse_beside("0"), std::nullopt);
    const RunStage::Picture both = stage.picture(std::move(scene), std::move(lifted));
    REQUIRE(both.scene.view_count() == 4);
    CHECK(both.scene.view(1).in_space);
    CHECK(both.highlights[0].part == 3);
    stage.lift = {};
    scene = stage.scene();
    stage.explore(scene);
    CHECK(scene.view_count() == 1);
}

TEST_CASE("stage: a scenario and a lesson show the paraboloid, and a lesson keeps it when it is written") {
    CHECK(paraboloid_choice({}) == Paraboloid::Choice{false, false});
    DisplayOptions upper;
    upper.show(Paraboloid::kUpperHull, true);
    CHECK(paraboloid_choice(upper) == Paraboloid::Choice{true, true});
    upper.show(Paraboloid::kName, false);
    CHECK_FALSE(paraboloid_choice(upper).shown);
    const std::string text = R"({"steps": [{"lab": "flip", "points": "ring:12", "show": ["paraboloid", "upper-hull"],
                                            "camera": {"view": [-60, 30]}}]})";
    const Lesson lesson = parse_lesson(text, "lesson.json"), again = parse_lesson(lesson_text(lesson), "lesson.json");
    for (const Lesson& one : {lesson, again})
        CHECK(paraboloid_choice(one.steps.at(0).display()) == Paraboloid::Choice{true, true});
    CHECK(again.steps[0].camera == lesson.steps[0].camera);
}
