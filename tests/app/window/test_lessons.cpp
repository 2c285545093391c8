// A lesson in the real window: played with a presenter's keys to its end, then a step written, moved and saved.
#include <filesystem>

#include "app/page_data.h"
#include "app/program.h"
#include "app/run/lesson.h"
#include "app/window_hands.h"

using namespace flipscope;

namespace {

json at_rest(WindowDriver& window, int step) {
    return window.wait_for("step " + std::to_string(step), [=](const json& s) {
        return s.contains("lesson") && s["lesson"].value("step", 0) == step && s["lesson"]["rests"].get<bool>();
    });
}

json go_to_step(WindowDriver& window, const char* key, int step) {
    window.key(key);
    return at_rest(window, step);
}

void expect(WindowDriver& window, const char* key, const std::string& what, const json& wanted) {
    press_key(window, key, "/lesson/" + what, wanted);
}

void press(WindowDriver& window, const char* control, const std::string& what, const json& wanted) {
    const json status = window.settle();
    click_box(window, status["boxes"].at("lesson/" + std::string(control)));
    window.settle();
    wait_for_value(window, "/lesson/" + what, wanted);
}

/// A lesson in a folder that the window keeps its own files in, too.
struct LessonFile {
    TemporaryFolder folder;
    Environment state{"XDG_STATE_HOME", folder.path().string()};
    std::string file;
    explicit LessonFile(const std::string& text) : file(folder.file("lesson.json", text)) {}
    std::string unsaved() const { return (folder / "flipscope/unsaved-lesson.json").string(); }
};

}  // namespace

TEST_CASE("window: a lesson is played with Page Down to its end, and a view is written as a step") {
    const LessonFile lesson(R"({"title": "Small", "steps": [
      {"lab": "serial", "points": [[0, 0], [10, 0], [5, 8.5], [4.2, 3.2], [6.4, 2.4], [5.6, 5], [2.4, 1.2]],
       "parameters": {"step": "flip"}, "at": 3, "flight": 0, "caption": "One"},
      {"at": 7, "flight": 0.2, "camera": {"zoom": 2, "center": [5, 3]}, "highlight": ["edge:1"], "caption": "Two", "colour_by": "degree",
       "question": {"ask": "Which edge?", "answer": "This.", "element": "edge:0"}},
      {"play": {"to": "end", "speed": 100}, "beside": true, "flight": 0, "caption": "Three"}]})");
    const auto window = window_or_skip({lesson.file});
    if (!window) return;
    json status = at_rest(*window, 1);
    CHECK(status["position"] == 3);
    CHECK(status["lesson"]["presenting"] == true);
    CHECK(number(status["boxes"], "lesson_band", "height") > 20);
    const double scale = status["camera"]["scale"].get<double>(), wide = status["canvas"]["width"].get<double>();
    status = go_to_step(*window, "Next", 2);
    CHECK(status["position"] == 7);
    press_key(*window, "shift+F5", "/presenter", true);
    press_key(*window, "shift+F5", "/presenter", false);
    CHECK(status["camera"]["scale"].get<double>() > 1.5 * scale);
    CHECK(status["lesson"]["marks"] == 2);
    CHECK(status["colour_by"] == "degree");
    CHECK(status["lesson"]["revealed"] == false);
    status = press_key(*window, "Next", "/lesson/revealed", true);
    CHECK(status["lesson"]["step"] == 2);
    status = go_to_step(*window, "Next", 3);
    CHECK(status["done"] == true);
    CHECK(status["colour_by"].is_null());
    CHECK(status["canvas"]["width"].get<double>() < 0.6 * wide);
    expect(*window, "Next", "ended", true);
    CHECK(go_to_step(*window, "Left", 2)["position"] == 7);  // as some clickers have it
    expect(*window, "6", "laser", true);
    expect(*window, "Escape", "presenting", false);

    expect(*window, "5", "writing", true);
    press_key(*window, "Right", "/position", 8);
    press(*window, "Add this view as a step", "steps", 4);
    wait_for_value(*window, "/lesson/step", 3);
    window->settle();
    window->type("Mine");
    status = wait_for_value(*window, "/lesson/caption", "Mine");
    CHECK(std::filesystem::exists(lesson.unsaved()) == status["lesson"]["unsaved"].get<bool>());
    press(*window, "Down", "step", 4);
    press(*window, "Delete", "steps", 3);
    press(*window, "Undo", "steps", 4);
    press(*window, "Save", "unsaved", false);
    CHECK_FALSE(std::filesystem::exists(lesson.unsaved()));
    const app::Lesson saved = app::read_lesson(lesson.file);
    REQUIRE(saved.steps.size() == 4);
    CHECK(saved.steps[3].caption == "Mine");
    CHECK(saved.steps[3].at == 8);
    CHECK(saved.steps[3].run == saved.steps[0].run);
    REQUIRE(saved.steps[3].colour_by);
    CHECK(saved.steps[3].colour_by->id() == "degree");
    CHECK_FALSE(saved.steps[2].colour_by);

    // A page is made of its present state, while the window continues.
    const std::string page = (lesson.folder / "lesson.html").string();
    save_as(*window, page);
    window->wait_for("the page", [&](const json& s) { return was_said(s, "the page is in " + page); });
    CHECK(app::data_of_page(read_file(page))["steps"].back()["caption"] == "Mine");

    // A file that is not a lesson leaves the open one unchanged.
    load_file(*window, lesson.folder.file("broken.json",
                                          R"({"steps": [{"lab": "flip", "points": "uniform:9", "at": "soon"}]})"));
    status = wait_until_said(*window, "/steps/0/at: expected");
    CHECK(status["lesson"]["steps"] == 4);
}

TEST_CASE("window: points drawn on an empty canvas are saved and begin a lesson; the run leaves them as they are") {
    const TemporaryFolder folder;
    const Environment state("XDG_STATE_HOME", folder.path().string());
    const auto window = window_or_skip({"--window", "0,0,20,10", "--lab", "build"});
    if (!window) return;
    const json empty = window->settle();
    CHECK(empty["bounds"] == json{0, 0, 20, 10});
    CHECK(empty["input_count"] == 0);
    window->key("n");
    for (const auto& [x, y] : {std::pair{5., 5.}, {15., 5.}, {10., 8.}, {10., 2.}}) {
        const size_t before = window->settle()["edits"];
        const auto at = seen_in_plane(empty, x, y);
        click(*window, at);
        wait_for_value(*window, "/edits", before + 1);
    }
    const auto saved = [&](const std::string& name) {
        const std::string file = (folder / name).string();
        save_as(*window, file);
        window->wait_for("the file", [&](const json& s) { return was_said(s, "saved: " + file); });
        return read_file(file);
    };
    const std::string points = saved("hand.xy"), table = saved("points.csv");
    CHECK(std::count(points.begin(), points.end(), '\n') == 4);
    CHECK(table.starts_with("x,y\n"));
    window->key("q");
    expect(*window, "5", "writing", true);
    press(*window, "Add this view as a step", "steps", 1);
    const app::Lesson written = app::read_lesson(folder / "flipscope/unsaved-lesson.json");
    REQUIRE(written.steps.size() == 1);
    REQUIRE(written.steps[0].scenario.places_given.size() == 4);
    CHECK(written.steps[0].scenario.places_given[1].x == doctest::Approx(15).epsilon(0.01));
    window->move(700, 300);
    window->click();  // out of the caption
    window->settle();
    to_end(*window);
    CHECK(saved("after.xy") == points);
}

TEST_CASE("window: without a lesson, a page has the steps of the run") {
    const TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "build", "--points", "uniform:12"});
    if (!window) return;
    to_end(*window);
    const auto position = window->settle()["position"].get<size_t>();
    const std::string page = (folder / "steps.html").string();
    save_as(*window, page);
    window->wait_for("the page", [&](const json& s) { return was_said(s, "the page is in " + page); });
    const json data = app::data_of_page(read_file(page));
    CHECK(data["title"] == "Build lab, uniform:12");
    CHECK(data["steps"].size() == position + 1);
    CHECK(data["steps"].back()["done"] == true);
}

TEST_CASE("window: a lesson's step stands beside another input, seen through one camera; a kept picture is written") {
    const LessonFile lesson(R"({"title": "Small", "steps": [
      {"lab": "flip", "points": "uniform:60", "at": 4, "flight": 0, "caption": "One", "beside": "ring:12"},
      {"flight": 0, "caption": "Two"}]})");
    const auto window = window_or_skip({lesson.file});
    if (!window) return;
    const auto kept = [](const json& s) { return !s["kept"].is_null() && s["kept"]["width"].get<double>() > 0; };
    at_rest(*window, 1);
    window->wait_for("the picture beside", kept);
    const json status = window->settle();
    CHECK(has(status["boxes"]["caption/kept"]["text"].get<std::string>(), "another input: ring:12, pass "));
    CHECK(status["position"] == 4);
    CHECK(linked(status));
    go_to_step(*window, "Next", 2);
    wait_for_value(*window, "/kept", nullptr);

    // The picture that key 9 kept of this run is written as its pass.
    window->key("Escape");
    expect(*window, "5", "writing", true);
    press_key(*window, "9", kept);
    press_key(*window, "Right", "/position", 5);
    press(*window, "Add this view as a step", "steps", 3);
    press(*window, "Save", "unsaved", false);
    const app::Lesson saved = app::read_lesson(lesson.file);
    REQUIRE(saved.steps[2].other);
    CHECK(saved.steps[2].other->position == 4);
    CHECK(saved.steps[2].at == 5);
}

TEST_CASE("window: a lesson's question about one of two views is not answered by the same vertex of the other") {
    const LessonFile lesson(R"({"title": "Two", "steps": [
      {"lab": "race-predicates", "points": [[0, 0], [10, 0], [5, 8.5], [4.2, 3.2], [6.4, 2.4], [5.6, 5], [2.4, 1.2]],
       "at": "end", "flight": 0, "caption": "One",
       "question": {"ask": "Which point on the right?", "answer": "This.", "element": "at:5.6,5@1"}}]})");
    const auto window = window_or_skip({lesson.file});
    if (!window) return;
    at_rest(*window, 1);
    json status = window->settle();
    const auto click_in = [&](int part) {
        click(*window, seen_at(status, {5.6, 5, 0}, part));
        return window->wait_for("an element of this view", [&](const json& s) {
            return !s["inspected"].is_null() && s["inspected"]["part"] == part && s["lesson"]["verdict"] != "";
        });
    };
    status = click_in(0);
    CHECK(status["lesson"]["verdict"] == "Not this one.");
    const json left = status["inspected"]["id"];
    status = window->settle();
    click_in(1);
    status = wait_for_value(*window, "/lesson/revealed", true);
    CHECK(status["lesson"]["verdict"] == "Right.");
    CHECK(status["inspected"]["id"] == left);
}

TEST_CASE("window: a click that answers a lesson's question leaves its picture to be seen") {
    const LessonFile lesson(R"({"title": "Small", "steps": [
      {"lab": "serial", "points": [[0, 0], [10, 0], [5, 8.5], [4.2, 3.2], [6.4, 2.4], [5.6, 5], [2.4, 1.2]],
       "parameters": {"step": "flip"}, "at": 7, "flight": 0, "caption": "One",
       "question": {"ask": "Which point is in the middle?", "answer": "This.", "element": "at:5.6,5"}},
      {"flight": 0, "caption": "Two"}]})");
    const auto window = window_or_skip({lesson.file, "--presenter-scale", "2"});
    if (!window) return;
    at_rest(*window, 1);
    json status = window->settle();
    const auto click_middle = [&] {
        const auto at = seen_in_plane(status, 5.6, 5);
        click(*window, at);
        return window->wait_for("an element", [](const json& s) { return !s["inspected"].is_null(); });
    };
    click_middle();
    status = window->settle();
    CHECK(status["boxes"].contains("inspector/folded"));
    click_box(*window, status["inspector"]["controls"][0]);
    window->wait_for("all of it", [](const json& s) { return !s["boxes"].contains("inspector/folded"); });

    // In a step without a question a click inspects.
    window->key("Next");
    go_to_step(*window, "Next", 2);
    status = window->settle();
    CHECK(status["inspected"].is_null());
    click_middle();
    CHECK(!window->settle()["boxes"].contains("inspector/folded"));
}

TEST_CASE("window: a class on an empty canvas becomes a lesson that repeats its clicks, and plays again") {
    const TemporaryFolder folder;
    const Environment state("XDG_STATE_HOME", folder.path().string());
    const auto window = window_or_skip({"--window", "0,0,20,10", "--lab", "serial"});
    if (!window) return;
    expect(*window, "5", "writing", true);
    press(*window, "Add this view as a step", "steps", 1);
    const json empty = window->settle();
    const auto add = [&](const std::vector<std::pair<double, double>>& places) {
        click(*window, seen_in_plane(empty, 19, 1));  // out of the caption
        press_key(*window, "n", "/tool", "add");
        for (const auto& [x, y] : places) {
            const size_t before = window->settle()["edits"];
            click(*window, seen_in_plane(empty, x, y));
            wait_for_value(*window, "/edits", before + 1);
        }
        press_key(*window, "q", "/tool", "look");
        return wait_for_value(*window, "/done", true);
    };
    add({{3, 5}, {9, 6}, {6, 8}});
    press(*window, "Add this view as a step", "steps", 2);
    const json last = add({{6, 6}, {7, 3}});
    press(*window, "Add this view as a step", "steps", 3);
    const std::string file = (folder / "flipscope/unsaved-lesson.json").string();
    app::Lesson written;
    window->wait_for("the recovery file", [&](const json&) {
        written = app::read_lesson(file);
        return written.steps.size() == 3;
    });
    CHECK(written.steps[0].edits.empty());
    CHECK(written.steps[1].edits.size() == 3);
    CHECK(written.steps[2].edits.size() == 2);
    CHECK(written.steps[2].at == last["position"]);
    REQUIRE(written.frame);
    CHECK(written.frame->second.x == 20);
    // Its steps are shown without a question, forward and back, and it runs without a window.
    click(*window, seen_in_plane(empty, 19, 1));
    press_key(*window, "F5", "/lesson/presenting", true);
    for (const auto& [key, number] : {std::pair{"Left", 2}, {"Left", 1}, {"Right", 2}, {"Right", 3}}) {
        const json shown = go_to_step(*window, key, number);
        CHECK(shown["edits"] == written.steps[number - 1].scenario.edits.size());
        CHECK(shown["question"].is_null());
    }
    CHECK(window->settle()["state_hash"] == last["state_hash"]);
    const Outcome run = run_program({"run", file, "--device", "cpu", "--json", "-"});
    REQUIRE_MESSAGE(run.status == 0, run.err);
    CHECK(json::parse(run.out)["steps"].back()["state_hash"] == last["state_hash"]);
}

TEST_CASE("window: a lesson that begins on a blank canvas shows the part of the plane that it fixes") {
    TemporaryFolder folder;
    const auto window = window_or_skip({folder.file("blank.json", R"({"frame": [0, 0, 20, 10], "steps": [
        {"lab": "serial", "points": "uniform:0"}, {"click": [4, 2]}]})")});
    if (!window) return;
    at_rest(*window, 1);
    CHECK(go_to_step(*window, "Right", 2)["bounds"] == json{0, 0, 20, 10});
}
