// Lessons: read, written, refused with the place of the field, played step by step, and executed by the real program.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/commands/lesson_film.h"
#include "app/page_data.h"
#include "app/program.h"
#include "app/run/lesson.h"
#include "app/session/lesson_player.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;
using Json = nlohmann::json;

namespace {

const std::filesystem::path kLessons = std::filesystem::path(FLIPSCOPE_SOURCE_DIR) / "assets/lessons";

std::vector<std::filesystem::path> lesson_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(kLessons)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string refusal_of(const std::string& text) {
    return error_of([&] { parse_lesson(text, "broken.json"); }, "");
}

const char* const kThree = R"({"title": "Three", "steps": [
  {"lab": "flip", "points": "uniform:24", "hide": "points", "caption": "One"},
  {"at": 2, "camera": {"zoom": 4, "center": [0.5, 0.25]}, "question": {"ask": "Why?", "answer": "So.", "element": "edge:3"}},
  {"parameters": {"conflict": "lowest"}, "play": {"to": "end", "speed": 10}, "beside": true, "expect": {"illegal": [0, 2]}}]})";

/// A run that executes commands at once.
struct FakeRun {
    LessonPlayer::Stage stage;
    uint64_t length = 20;
    std::vector<std::string> done;
    bool refuses = false;
    void obey(LessonPlayer& player, double seconds = 0.1) {
        const LessonPlayer::Act act = player.frame(stage, seconds);
        if (act.kind == LessonPlayer::Act::Kind::kOpen) {
            done.push_back("open " + std::to_string(act.step));
            if (refuses) return;
            ++stage.input_revision;
            stage.position = 0;
            stage.edits.clear();
            length = 20;
        } else if (act.kind == LessonPlayer::Act::Kind::kSeek) {
            const std::vector<PlacedEdit>& plan = player.lesson().steps[act.step].scenario.edits;
            while (stage.edits.size() < plan.size() && plan[stage.edits.size()].at <= act.position) {
                const PlacedEdit& planned = plan[stage.edits.size()];
                const uint64_t at = std::min(planned.at, length);
                stage.edits[at] = planned.edit;
                length = at + 4;
            }
            stage.position = std::min(act.position, length);
            done.push_back("seek " + std::to_string(stage.position));
        }
        stage.done = stage.position == length;
    }
    void settle(LessonPlayer& player) {
        for (int i = 0; i < 200 && !player.at_rest(); ++i) obey(player);
        CHECK(player.at_rest());
    }
};

/// A lesson in a folder of its own, which the program exports.
struct WrittenLesson {
    TemporaryFolder folder;
    std::string file = (folder / "lesson.json").string();

    explicit WrittenLesson(const std::string& text) { write_file(file, text); }

    void run(const std::vector<std::string>& options) const {
        const Outcome shown = run_program(joined({"run", file, "--device", "cpu", "--quiet"}, options));
        REQUIRE_MESSAGE(shown.status == 0, shown.err);
    }
    /// The steps of its page.
    Json page() const {
        run({"--export", (folder / "lesson.html").string(), "--size", "320x200"});
        return data_of_page(read_file(folder / "lesson.html"))["steps"];
    }
    std::vector<std::string> film(const std::string& frame_rate) const {
        run({"--sequence", (folder / "%02d.png").string(), "--size", "480x240", "--frame-rate", frame_rate});
        std::vector<std::string> frames;
        for (const std::string& name : folder.names())
            if (name.ends_with(".png")) frames.push_back(read_file(folder / name));
        return frames;
    }
};

}  // namespace

TEST_CASE("lessons: a step inherits from the previous one, and is written as it was read") {
    const Lesson lesson = parse_lesson(kThree, "three.json");
    REQUIRE(lesson.steps.size() == 3);
    CHECK(lesson.steps[1].run == lesson.steps[0].run);
    CHECK(lesson.steps[1].hidden == std::vector<std::string>{"points"});
    CHECK(lesson.steps[2].run != lesson.steps[1].run);
    CHECK(lesson.steps[2].at == 0);
    CHECK(lesson.steps[2].end() == Scenario::kAtEnd);
    CHECK(lesson.steps[2].scenario.lab == "flip");
    CHECK_FALSE(lesson.steps[0].display().shows("points", true));
    const std::string text = lesson_text(lesson);
    const Lesson again = parse_lesson(text, "three.json");
    CHECK(lesson_text(again) == text);
    REQUIRE(again.steps.size() == 3);
    CHECK(again.steps[1].camera == lesson.steps[1].camera);
    CHECK(again.steps[1].question == lesson.steps[1].question);
    CHECK(again.steps[2].expect == lesson.steps[2].expect);
    CHECK_FALSE(Json::parse(text)["steps"][1].contains("lab"));
}

TEST_CASE("lessons: steps of one run share its study area, which their pictures show") {
    const std::string text = R"--({"steps": [
      {"lab": "build", "points": "uniform:60", "within": "POLYGON ((0 0, 1 0, 0 1))", "at": "end"},
      {"colour_by": "cell-area"}, {"lab": "build", "points": "uniform:60", "at": "end"}]})--";
    const Lesson lesson = parse_lesson(text, "area.json");
    CHECK(lesson.steps[1].run == lesson.steps[0].run);
    CHECK(lesson.steps[1].scenario.within == "POLYGON ((0 0, 1 0, 0 1))");
    CHECK(lesson.steps[2].scenario.within.empty());
    CHECK(lesson_text(parse_lesson(lesson_text(lesson), "area.json")) == lesson_text(lesson));
    // The first and the last step differ in their area only.
    const std::vector<std::string> frames = WrittenLesson(text).film("1");
    REQUIRE(frames.size() > 2);
    CHECK(frames.front() != frames.back());
    std::string without = text;
    const std::string area = R"--("within": "POLYGON ((0 0, 1 0, 0 1))", )--";
    without.erase(without.find(area), area.size());
    const std::vector<std::string> plain = WrittenLesson(without).film("1");
    CHECK(plain.front() == plain.back());
    CHECK(plain.back() == frames.back());
}

TEST_CASE("lessons: a click adds a point where the step before ends") {
    const std::string text = R"({"steps": [
      {"lab": "serial", "points": "uniform:20", "parameters": {"step": "test", "order": "file"}, "at": "end"},
      {"click": [0.4, 0.6], "caption": "Inserted.", "expect": {"points": 21, "done": true, "check": "passed"}},
      {"click": [0.4, 0.6], "expect": {"points": 22, "duplicates": 1}},
      {"lab": "serial", "points": "uniform:0", "click": [0, 0]},
      {"click": [1, 0]},
      {"click": [0, 1], "expect": {"triangles": 1, "passes": 3}},
      {"click": [1, 1], "expect": {"triangles": 1, "last pass": "edit"}},
      {"at": 5, "expect": {"last pass": "locate"}},
      {"play": {"to": "end"}, "expect": {"triangles": 2, "check": "passed"}}]})";
    const Lesson lesson = parse_lesson(text, "clicks.json");
    CHECK(lesson.steps[1].at == Scenario::kAtEnd);
    CHECK(lesson.steps[3].at == 1);
    CHECK(lesson.steps[6].at == 4);
    CHECK(lesson.steps[0].scenario.edits.empty());
    CHECK(lesson.steps[2].scenario.edits.size() == 2);
    CHECK(lesson.steps[8].scenario.edits.size() == 4);
    CHECK(lesson_text(parse_lesson(lesson_text(lesson), "clicks.json")) == lesson_text(lesson));
    WrittenLesson written(text);
    written.run({});
    WrittenLesson within(R"({"steps": [{"lab": "serial", "points": "uniform:20", "at": 4}, {"click": [0.4, 0.6]}]})");
    const Outcome refused = run_program({"run", within.file, "--device", "cpu"});
    CHECK(refused.status != 0);
    CHECK(
        has(refused.err, "/steps/1: the edit after pass 4: edits are made between iterations; the next such place is"));

    // The player makes each click once, and opens the run again to go back before one.
    LessonPlayer player(lesson, "clicks.json");
    FakeRun run;
    run.settle(player);
    player.forward();
    run.settle(player);
    CHECK(run.done == std::vector<std::string>{"open 0", "seek 20", "seek 24"});
    CHECK(run.stage.edits.size() == 1);
    player.back();
    run.settle(player);
    CHECK(run.stage.edits.empty());
    player.go_to(2);
    run.settle(player);
    CHECK(run.stage.edits.size() == 2);
    CHECK_FALSE(player.failed());
    run.stage.edits[24] = Edit{.kind = Edit::Kind::kAddVertex};  // by the user
    player.go_to(2);
    run.settle(player);
    CHECK(run.stage.edits.size() == 2);
}

TEST_CASE("lessons: beta and alpha are those of the step, or are kept with the layers of the step before") {
    const std::string text = R"({"steps": [
      {"lab": "strips", "points": "uniform:70", "seed": 4, "at": "end", "show": ["beta-skeleton", "rng", "gabriel"],
       "beta": 1, "expect": {"beta-skeleton": 125, "gabriel": 125, "rng": 89}},
      {"caption": "Kept.", "expect": {"beta-skeleton": 125}},
      {"beta": 2, "expect": {"beta-skeleton": 89}},
      {"show": ["beta-skeleton"], "expect": {"beta-skeleton": 99}},
      {"show": ["alpha-shape"], "alpha": 0.07, "expect": {"alpha-shape": 138}},
      {"alpha": 0.12, "expect": {"alpha-shape": 272}}]})";
    const Lesson lesson = parse_lesson(text, "values.json"), again = parse_lesson(lesson_text(lesson), "values.json");
    for (size_t i = 0; i < lesson.steps.size(); ++i) CHECK(again.steps[i].display() == lesson.steps[i].display());
    WrittenLesson(text).run({});
}

TEST_CASE("lessons: errors are reported with the place of the field") {
    const auto step = [](const std::string& fields) {
        return R"({"steps": [{"lab": "build", "points": "uniform:9"}, {)" + fields + "}]}";
    };
    const std::pair<std::string, const char*> broken[] = {
        {R"({"title": "none"})", "/steps: expected the steps"},
        {R"({"steps": []})", "/steps: expected one step or more"},
        {R"({"frame": [0, 0, 0, 1], "steps": []})", "/frame: expected four numbers"},
        {R"({"steps": [{"caption": "a"}]})", "/steps/0: expected \"lab\""},
        {R"({"steps": [{"lab": "biuld", "points": "uniform:9"}]})", "/steps/0/lab: "},
        {step(R"("camera": {"zoom": "big"})"), "/steps/1/camera/zoom: expected a number from"},
        {step(R"("camera": {"zom": 2})"), "/steps/1/camera/zom: unknown field; did you mean \"zoom\"?"},
        {step(R"("captoin": "a")"), "/steps/1/captoin: unknown field; did you mean \"caption\"?"},
        {step(R"("at": 5, "play": {"to": 3})"), "/steps/1/play/to: "},
        {step(R"("question": {"ask": "What?"})"), "/steps/1/question/answer: expected a text"},
        {step(R"("highlight": ["edge"])"), "/steps/1/highlight/0: "},
        {step(R"("expect": {"triangles": null})"), "/steps/1/expect/triangles: "},
        {step(R"("beside": -1)"), "/steps/1/beside: expected true, a number of passes, \"end\", a generator or a file"},
        {step(R"("beside": "none.csv")"), "/steps/1/beside: none.csv is no file, and as a generator: "},
        {step(R"("beside": "99999999999999999999")"), "/steps/1/beside: 99999999999999999999: that is no number of"},
        {step(R"("click": [0.5])"), "/steps/1/click: expected two numbers"},
        {step(R"("lab": "flip", "mesh": "quad:4", "click": [0.5, 1])"),
         "/steps/1/click: The Flip lab adds no vertices"},
        {step(R"("beta": 0)"), "/steps/1/beta: expected a number from"},
        {step(R"("alpha": -1)"), "/steps/1/alpha: expected a number from"},
        {step(R"("colour_by": "beauty")"), "/steps/1/colour_by: beauty: there is no such quantity; known: degree"},
        {step(R"("parameters": {"flips": "maybe"})"), "/steps/1/parameters/flips"},
        {R"({"steps": [{"lab": "build", "points": "uniform:9", "beside": true}]})", "/steps/0/beside: "},
    };
    for (const auto& [text, part] : broken) {
        const std::string said = refusal_of(text);
        INFO(text << " -> " << said);
        CHECK(said.find("broken.json: ") == 0);
        CHECK(has(said, part));
    }
}

TEST_CASE("lessons: a step that plays leaves a run alone that the user opens meanwhile") {
    LessonPlayer player(parse_lesson(kThree, "three.json"), "three.json");
    FakeRun run;
    run.settle(player);
    player.forward();
    run.settle(player);
    player.reveal();
    player.forward();
    while (run.done.size() < 6 && !player.at_rest()) run.obey(player);
    REQUIRE_FALSE(player.at_rest());
    ++run.stage.input_revision;  // a file
    run.stage.position = 0;
    run.settle(player);
    CHECK(run.stage.position == 0);
    player.go_to(2);
    run.settle(player);
    CHECK(run.stage.done);
}

TEST_CASE("lessons: the player opens, seeks, plays a stretch, reveals an answer and goes back") {
    LessonPlayer player(parse_lesson(kThree, "three.json"), "three.json");
    FakeRun run;
    run.settle(player);
    CHECK(run.done == std::vector<std::string>{"open 0"});
    CHECK(player.starts_flight());
    CHECK(player.flight_s() == 0);
    player.forward();
    run.settle(player);
    CHECK(run.stage.position == 2);
    CHECK(run.done.size() == 2);  // the run is the same: nothing is opened
    CHECK(player.starts_flight());
    CHECK(player.flight_s() == 1);
    CHECK_FALSE(player.revealed());
    player.forward();
    CHECK(player.revealed());
    CHECK(player.index() == 1);
    player.forward();
    CHECK(player.index() == 2);
    CHECK(player.needs_previous_picture());
    run.settle(player);
    CHECK(run.done[2] == "open 2");
    CHECK(run.stage.done);
    CHECK(run.done.size() > 10);  // it was played, not jumped to
    player.forward();
    CHECK(player.ended());
    player.back();
    CHECK(player.index() == 1);
    CHECK_FALSE(player.ended());
    run.settle(player);
    CHECK(run.stage.position == 2);

    // Reached from elsewhere, the step before comes first, for its picture.
    LessonPlayer other(parse_lesson(kThree, "three.json"), "three.json");
    FakeRun fresh;
    other.go_to(2);
    fresh.settle(other);
    CHECK(fresh.done[0] == "open 1");
    CHECK(other.needs_previous_picture());

    // Manual edits and other inputs are left behind; what cannot be opened is told, and the lesson goes on.
    run.stage.edits[1] = Edit{};
    player.go_to(0);
    run.settle(player);
    CHECK(run.done.back() == "open 0");
    run.refuses = true;
    ++run.stage.input_revision;
    player.forward();
    run.settle(player);
    CHECK(player.failed());
    run.refuses = false;
    player.back();
    run.settle(player);
    CHECK_FALSE(player.failed());
    CHECK(player.elapsed_s() > 1);
    CHECK(clock_text(425.9) == "7:05");
}

TEST_CASE("lessons: a camera's flight zooms about one fixed point and ends at its target") {
    Camera from, to;
    from.scale = 1;
    to.scale = 100;
    to.center = {10, 0};
    CHECK(camera_between(from, to, 1) == to);
    CHECK(camera_between(from, to, 0).center == from.center);
    const Point fixed{1000.0 / 99, 0};  // in both pictures at the same pixel
    const double there = from.to_pixels(fixed).x;
    for (const double part : {0.2, 0.5, 0.8})
        CHECK(camera_between(from, to, part).to_pixels(fixed).x == doctest::Approx(there).epsilon(1e-9));
}

TEST_CASE("lessons: the program's lessons meet their expectations, with the same results on every device") {
    const auto files = lesson_files();
    CHECK(files.size() == 13);
    for (const auto& file : files) {
        Json first;
        for (const char* device : {"cpu", "auto"}) {
            const Outcome shown = run_program({"run", file.string(), "--json", "-", "--quiet", "--device", device});
            INFO(file.string() << ": " << shown.err);
            REQUIRE(shown.status == 0);
            const Json told = Json::parse(shown.out);
            CHECK(told["expectations"].get<int>() >= 15);
            CHECK(told["steps"].size() >= 8);
            if (first.is_null()) first = told["steps"];
            CHECK(told["steps"] == first);
        }
    }
}

TEST_CASE("lessons: a failed expectation fails the run, and the page is complete") {
    const TemporaryFolder folder;
    const std::string file = (folder / "lesson.json").string(), page = (folder / "lesson.html").string();
    write_file(file, R"({"title": "A <b>", "steps": [
      {"lab": "build", "points": [[0, 0], [4, 0], [0, 3]], "at": "end", "caption": "One & all", "highlight": "point:0"},
      {"caption": "Beside", "beside": true, "expect": {"triangles": 2}}]})");
    const Outcome shown = run_program({"run", file, "--device", "cpu", "--export", page, "--size", "320x200"});
    CHECK(shown.status == 1);
    CHECK(has(shown.err, "/steps/1/expect/triangles: expected 2, found 1"));
    const std::string html = read_file(page);
    CHECK(html.find("<title>A &lt;b&gt;</title>") != std::string::npos);
    const Json steps = data_of_page(html)["steps"];
    REQUIRE(steps.size() == 2);
    CHECK(steps[0]["caption"] == "One & all");
    CHECK(steps[0]["marks"].size() > 0);
    CHECK(steps[1]["beside"] == 0);
    check_refused({"run", file, "--steps", "3"}, "--steps: is of one run");
    check_refused({"run", file, "--export", (folder / "lesson.ply").string()}, "expected a name that ends in .html");
    // A picture without anything in it is a mistake of the lesson, and one of points before the first pass is none.
    write_file(file, R"({"steps": [{"lab": "build", "points": "uniform:9", "at": 0},
      {"lab": "build", "points": "uniform:9", "at": 0, "hide": ["points"]},
      {"lab": "build", "points": "uniform:9", "at": "end", "camera": {"center": [50, 50], "zoom": 3}}]})");
    const Outcome empty = run_program({"run", file, "--device", "cpu"});
    CHECK(empty.status == 1);
    CHECK(has(empty.err, "/steps/1: there is nothing in the picture"));
    CHECK(has(empty.err, "/steps/2: there is nothing in the picture"));  // the camera looks past the points
    CHECK_FALSE(has(empty.err, "/steps/0"));
    write_file(file, R"({"steps": [{"lab": "build", "points": "uniform:9", "expect": {"beauty": 1}}]})");
    check_refused({"run", file, "--device", "cpu"}, "/steps/0/expect/beauty: there is no such number here");
}

TEST_CASE("lessons: a step that expects a failed check marks the failures") {
    const WrittenLesson lesson(R"({"steps": [
      {"lab": "build", "points": "near-ring:60", "parameters": {"predicate": "double"}, "at": "end", "caption": "One"},
      {"caption": "Two", "expect": {"check": "failed"}}, {"caption": "Three"}]})");
    const Json steps = lesson.page();
    REQUIRE(steps.size() == 3);
    CHECK(steps[0]["views"] != steps[1]["views"]);
    CHECK(steps[0]["views"] == steps[2]["views"]);
}

TEST_CASE("lessons: a page asks, and knows the element that answers") {
    const WrittenLesson lesson(R"({"steps": [
      {"lab": "build", "points": [[0, 0], [4, 0], [0, 3], [3, 3]], "at": "end", "caption": "One",
       "question": {"ask": "Which edge?", "answer": "This one.", "element": "edge:1"}},
      {"caption": "Two", "question": {"ask": "How many?", "answer": "Five."}}]})");
    const Json steps = lesson.page();
    REQUIRE(steps.size() == 2);
    CHECK(steps[0]["question"]["ask"] == "Which edge?");
    CHECK(steps[0]["question"]["element"] == Json({1, 1, 0}));
    CHECK(steps[0]["question"]["marks"].size() > 0);
    CHECK(steps[0]["marks"].empty());
    CHECK(steps[1]["question"]["answer"] == "Five.");
    CHECK_FALSE(steps[1]["question"].contains("element"));
}

TEST_CASE("lessons: the frame of a lesson is what every step shows") {
    const std::string text = R"({"frame": [-1, -2, 9, 8], "steps": [
      {"lab": "serial", "points": [[0, 0], [4, 0], [0, 3]], "at": "end", "caption": "One"},
      {"click": [6, 6], "caption": "Two"}]})";
    const Lesson lesson = parse_lesson(text, "frame.json");
    CHECK(lesson_text(parse_lesson(lesson_text(lesson), "frame.json")) == lesson_text(lesson));
    REQUIRE(lesson.frame);
    CHECK(lesson.frame->second == Point{9, 8});
    for (const Json& step : WrittenLesson(text).page()) {
        CHECK(step["views"][0]["low"] == Json({-1.0, -2.0}));
        const Json& view = step["views"][0];
        CHECK(view["size"][1].get<double>() * view["unit"].get<double>() == doctest::Approx(10));
    }
}

TEST_CASE("lessons: a page has states on the way where a step plays") {
    const WrittenLesson lesson(R"({"steps": [
      {"lab": "flip", "points": "uniform:24", "at": 1, "play": {"to": 4, "speed": 2}, "caption": "One"}, {"at": "end"}]})");
    const Json steps = lesson.page();
    REQUIRE(steps.size() == 5);
    for (size_t i = 0; i < 4; ++i) {
        CHECK(steps[i]["position"] == i + 1);
        CHECK(steps[i]["between"] == (i < 3));
        CHECK(steps[i]["step"] == 1);
    }
}

TEST_CASE("lessons: a step is coloured by a quantity or a column of its input, the next one is not") {
    const WrittenLesson written(R"({"steps": [
      {"lab": "build", "input": "towns.csv", "at": "end", "caption": "One"},
      {"caption": "One", "colour_by": "mass"},
      {"caption": "One", "colour_by": "min-angle"},
      {"caption": "One"}]})");
    const std::string& file = written.file;
    write_file(written.folder / "towns.csv", "x,y,mass\n0,0,1\n4,0,2\n0,3,5\n3,3,9\n1,1,4\n");
    const Lesson lesson = read_lesson(file);
    CHECK_FALSE(lesson.steps[0].colour_by);
    CHECK(lesson.steps[1].colour_by == Explored("mass"));
    CHECK(lesson.steps[2].colour_by == Explored(ElementQuantity::kMinimumAngle));
    CHECK_FALSE(lesson.steps[3].colour_by);
    const std::string text = lesson_text(lesson);
    const Json steps = Json::parse(text)["steps"];
    CHECK(steps[1]["colour_by"] == "mass");
    CHECK(steps[2]["colour_by"] == "min-angle");
    CHECK_FALSE(steps[3].contains("colour_by"));
    CHECK(lesson_text(parse_lesson(text, file)) == text);

    const Json shown = written.page();
    REQUIRE(shown.size() == 4);
    CHECK(shown[0]["views"] != shown[1]["views"]);
    CHECK(shown[1]["views"] != shown[2]["views"]);
    CHECK(shown[0]["views"] == shown[3]["views"]);

    // Only the run can tell whether the file has the column; a lattice has no cells at first.
    const auto refused = [&](const std::string& step, const std::string& quantity, const std::string& part) {
        write_file(file, R"({"steps": [{)" + step + R"(, "colour_by": ")" + quantity + "\"}]}");
        check_refused({"run", file, "--device", "cpu"}, file + ": /steps/0/colour_by: " + quantity + ": " + part);
    };
    refused(R"("lab": "build", "input": "towns.csv")", "weight", "there is no");
    refused(R"("lab": "voronoi", "points": "uniform:9", "at": 0)", "degree", "the ");
}

TEST_CASE("lessons: a step is shown beside another moment of its run, another input or a file") {
    const WrittenLesson written(R"({"steps": [
      {"lab": "flip", "points": "uniform:24", "at": "end", "caption": "One", "beside": 2},
      {"caption": "One", "beside": "ring:12", "colour_by": "degree"},
      {"caption": "One", "beside": "towns.csv", "highlight": "edge:3"},
      {"caption": "One", "beside": true},
      {"caption": "One"},
      {"at": 1, "caption": "One", "beside": "end"}]})");
    const TemporaryFolder& folder = written.folder;
    const std::string& file = written.file;
    write_file(folder / "towns.csv", "x,y\n0,0\n4,0\n0,3\n3,3\n1,1\n");
    const Lesson lesson = read_lesson(file);
    REQUIRE(lesson.steps[0].other);
    CHECK(lesson.steps[0].other->position == 2);
    CHECK(lesson.steps[1].other->text == "ring:12");
    CHECK(lesson.steps[2].other->text == (folder / "towns.csv").string());
    CHECK_FALSE(lesson.steps[2].beside);
    CHECK(lesson.steps[3].beside);
    CHECK_FALSE(lesson.steps[4].other);
    const std::string text = lesson_text(lesson);
    const Json steps = Json::parse(text)["steps"];
    CHECK(steps[0]["beside"] == 2);
    CHECK(steps[1]["beside"] == "ring:12");
    CHECK(steps[2]["beside"] == "towns.csv");
    CHECK(steps[3]["beside"] == true);
    CHECK_FALSE(steps[4].contains("beside"));
    CHECK(steps[5]["beside"] == "end");
    CHECK(lesson_text(parse_lesson(text, file)) == text);

    const Json shown = written.page();
    REQUIRE(shown.size() == 6);
    CHECK(shown[0]["first"] == 1);  // a view beside the lab's own
    CHECK(shown[0]["views"].size() == 2);
    CHECK(shown[1]["note"] == "another input: ring:12, the end; this step: uniform:24, pass 16: claim, the end");
    CHECK(shown[3]["beside"] == 2);
    CHECK(shown[3]["views"] == shown[4]["views"]);  // what is beside has left no trace
    CHECK(shown[3]["views"].size() == 1);

    CHECK(written.film("0").size() == read_lesson(written.file).steps.size());
    const std::vector<std::string> film = written.film("1");
    REQUIRE(film.size() > 12);
    CHECK(film[0] != film[3]);
    CHECK(film[3] != film[6]);
    CHECK(film[0] != film[12]);

    // Facts known only after the run.
    const auto refused = [&](const std::string& step, const std::string& part) {
        write_file(file, R"({"steps": [{"points": "uniform:24", )" + step + "}]}");
        check_refused({"run", file, "--device", "cpu"}, file + ": /steps/0/beside: " + part);
    };
    const std::string flip = R"("lab": "flip", "beside": )";
    const std::string endless = R"("lab": "particles", "parameters": {"steps": "none"}, "at": )";
    refused(flip + "90000", "90000: the run has only ");
    refused(endless + R"(3, "beside": "end")", "end: ");
    refused(endless + R"("end", "beside": "uniform:30")", "uniform:30: ");
}

TEST_CASE("lessons: a film shows a step's ids, also beside another input") {
    const WrittenLesson lesson(R"({"steps": [
      {"lab": "flip", "points": "uniform:12", "caption": "One"}, {"caption": "One", "hide": "ids"},
      {"caption": "One", "show": "ids"},
      {"caption": "One", "beside": "ring:12", "hide": "ids"}, {"caption": "One", "beside": "ring:12", "show": "ids"}]})");
    const std::vector<std::string> film = lesson.film("0.2");
    REQUIRE(film.size() == 5);
    CHECK(film[0] == film[1]);
    CHECK(film[1] != film[2]);
    CHECK(film[3] != film[4]);
}

TEST_CASE("lessons: a film flies, plays, and rests for the reading time") {
    CHECK(reading_time("Three short words") == doctest::Approx(3.2));
    CHECK(reading_time(" One ") == 3);
    const Framing all, near{Point{3, 1}, 4, {}};
    const CloseUp begin = close_up_between(all, near, {1, 1}, 0), end = close_up_between(all, near, {1, 1}, 1),
                  half = close_up_between(all, near, {1, 1}, 0.5);
    CHECK((begin.zoom == 1 && *begin.center == Point{1, 1}));
    CHECK((end.zoom == 4 && *end.center == Point{3, 1}));
    CHECK(half.zoom == doctest::Approx(2));
    CHECK(half.center->x == doctest::Approx(1 + 2 * (1 - 0.5) / (1 - 0.25)));

    const WrittenLesson lesson(R"({"steps": [
      {"lab": "flip", "points": "uniform:12", "at": 0, "play": {"to": 4, "speed": 2}, "caption": "One"},
      {"camera": {"zoom": 2, "center": [0.5, 0.5]}, "flight": 1, "question": {"ask": "Why?", "answer": "So."}},
      {"caption": "Beside", "beside": true}]})");
    const std::vector<std::string> pictures = lesson.film("2");
    // One second before it plays, four passes of half a second, then the words; a flight, question and answer; back,
    // and beside.
    REQUIRE(pictures.size() == 2 + 4 + 6 + 2 + 6 + 6 + 2 + 6);
    CHECK(pictures[0] == pictures[1]);
    CHECK(pictures[3] != pictures[2]);    // a pass later
    CHECK(pictures[6] == pictures[11]);   // while the words are read
    CHECK(pictures[12] != pictures[11]);  // on its way
    CHECK(pictures[13] == pictures[14]);  // landed
    CHECK(pictures[20] != pictures[19]);  // the answer
    CHECK(pictures[28] == pictures[33]);  // beside
}

TEST_CASE("lessons: the schema has the fields that are read, and the lessons use no others") {
    const Json schema = Json::parse(read_file(std::filesystem::path(FLIPSCOPE_SOURCE_DIR) / "docs/lesson.schema.json"));
    const Json& fields = schema["$defs"]["step"]["properties"];
    for (const auto& [name, field] : fields.items()) {
        // Of the wrong type each is refused at its place: it is known and read.
        const std::string said =
            refusal_of(R"({"steps": [{"lab": "build", "points": "uniform:9"}, {")" + name + "\": null}]}");
        INFO(name << ": " << said);
        CHECK(has(said, "/steps/1"));
        CHECK_FALSE(has(said, "unknown"));
    }
    const std::string known = refusal_of(R"({"steps": [{"lab": "build", "points": "uniform:9"}, {"?": 1}]})");
    std::set<std::string> told, described;
    const std::string list = known.substr(known.find("known: ") + 7) + ", ";
    for (size_t from = 0, to; (to = list.find(", ", from)) != std::string::npos; from = to + 2)
        told.insert(list.substr(from, to - from));
    for (const auto& [name, field] : fields.items()) described.insert(name);
    CHECK(told == described);
    for (const auto& file : lesson_files()) {
        const Json lesson = Json::parse(read_file(file));
        for (const auto& [name, value] : lesson.items()) CHECK(schema["properties"].contains(name));
        for (const Json& step : lesson["steps"])
            for (const auto& [name, value] : step.items()) {
                INFO(file.string() << ": " << name);
                REQUIRE(fields.contains(name));
                if (value.is_object() && fields[name].contains("properties"))
                    for (const auto& [inner, one] : value.items()) CHECK(fields[name]["properties"].contains(inner));
            }
    }
}
