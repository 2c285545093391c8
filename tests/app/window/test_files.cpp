// Which lab an input opens; scenarios and pairs of files from the command line, from the field for a name, and dropped
// on the window that is open already.
#include <doctest/doctest.h>

#include "app/drag_source.h"
#include "app/folders.h"
#include "app/program.h"
#include "app/window_tests.h"
#include "lab/registry.h"

using namespace flipscope;
using nlohmann::json;

namespace {

const char* const kFailing = R"({
  "title": "Four points", "note": "One edge is wrong.", "lab": "build", "parameters": {"predicate": "float-circumcentre"}, "at": "end",
  "points": [[-174128, -176272], [-171678, -178658], [-171365, -178958], [-172526, -177838]]
})";

}  // namespace

TEST_CASE("window: a scenario is opened in a window that is open already, with its lab, parameters, title and place") {
    const auto window = window_or_skip({"--lab", "flip", "--points", "uniform:50"});
    if (!window) return;
    window->settle();
    to_end(*window);
    const TemporaryFolder folder;
    load_file(*window, folder.file("four.json", kFailing));
    json status = wait_for_value(*window, "/headline/failed", true);
    CHECK(status["lab"] == "build");
    CHECK(status["points"] == 4);
    CHECK(status["done"] == true);
    CHECK(status["parameters"]["predicate"] == "float-circumcentre");
    CHECK(status["title"] == "Four points");
    CHECK(status["check"]["passed"] == false);

    // What is wrong with one is said with its place, and changes nothing.
    load_file(
        *window,
        folder.file("lie.json", R"({"lab": "build", "points": "uniform:50", "parameters": {"predicate": "guess"}})"));
    status = wait_until_said(*window, "lie.json: /parameters/predicate");
    CHECK(status["points"] == 4);
    CHECK(status["title"] == "Four points");

    // JSON of points is an input under the same ending.
    load_file(*window, folder.file("sites.json", R"([{"x": 0, "y": 0}, {"x": 4, "y": 0}, {"x": 0, "y": 4}])"));
    status = wait_for_value(*window, "/input_count", 3);
    CHECK(status["title"] == "");

    // At a pass, hiding a layer; and playing, although the run before had ended.
    load_file(*window,
              folder.file("amid.json", R"({"lab": "strips", "points": "uniform:60", "at": 3, "hide": ["triangles"]})"));
    status = wait_for_value(*window, "/position", 3);
    CHECK(status["lab"] == "strips");
    CHECK(status["look"]["fills"] == false);
    CHECK(status["title"] == "");
    to_end(*window);
    load_file(*window, folder.file("plays.json", R"({"lab": "build", "points": "uniform:40", "play": true})"));
    window->wait_until("playing", [](const json& s) { return s["points"] == 40 && s["playing"] == true; });
    window->wait_until("its second pass", [](const json& s) { return s["points"] == 40 && s["position"] > 1; });
}

TEST_CASE("window: points and triangles that are dropped together open in the Judge lab, in either order") {
    const std::string missing = missing_for_drops();
    if (!missing.empty()) return skip(missing);
    const auto window = window_or_skip({"--points", "uniform:50"});
    if (!window) return;
    window->settle();
    const TemporaryFolder folder;
    const std::string points = folder.file("points.xy", "0 0\n1 0\n1 1\n0 1\n");
    const std::string folded = folder.file("folded.txt", "0 1 2\n0 1 3\n");
    const std::string whole = folder.file("whole.txt", "0 1 2\n0 2 3\n");
    window->drop({points, folded});
    json status = wait_for_value(*window, "/points", 4);
    CHECK(status["lab"] == "judge");
    status = press_key(*window, "End", [](const json& s) { return s["check"].is_object(); });
    CHECK(status["check"]["passed"] == false);
    // There is nothing to be run again.
    press_key(*window, "z", [](const json& s) { return says(s, "These triangles were given"); });
    window->drop({whole, points});
    status = wait_for_value(*window, "/position", 0);
    CHECK(status["triangles"].is_null());
    status = press_key(*window, "End", [](const json& s) { return s["check"].is_object(); });
    CHECK(status["check"]["passed"] == true);
    window->drop({points, folder.file("lie.txt", "0 1 two\n")});
    wait_until_said(*window, "lie.txt:1");
    window->drop({points, whole, folded});
    status = wait_until_said(*window, "3 files were dropped");
    CHECK(status["check"]["passed"] == true);  // as it was
}

TEST_CASE("window: the columns of a table are chosen with keys alone, and the picture stays in sight") {
    const TemporaryFolder folder;
    std::string text = "tree,a,b,species\n";
    for (int i = 0; i < 40; ++i)
        text +=
            std::to_string(i + 1) + "," + std::to_string(i * 37 % 41) + "," + std::to_string(i * 23 % 43) + ",oak\n";
    const std::string trees = folder.file("trees.csv", text);
    const auto window = window_or_skip({trees, "--presenter-scale", "2"}, {1280, 800});
    if (!window) return;
    json status;
    for (const int scale : {2, 1}) {
        CAPTURE(scale);
        if (scale == 1) window->key("ctrl+0");
        window->wait_for("the strip", [&](const json& s) { return !s["import"].is_null() && s["scale"] == scale; });
        status = window->settle();
        CHECK(status["input_count"] == 40);
        CHECK(boxes_of(status, "import/").size() == 11);
        for (const auto& [name, list] : boxes_of(status, "import/")) {
            CHECK(list["x"].get<double>() + list["width"].get<double>() <= 1280);
            CHECK(list["y"].get<double>() + list["height"].get<double>() <= number(status, "import", "height"));
        }
        CHECK(number(status, "import", "height") < 0.3 * 800);
        CHECK(number(status, "canvas", "y") == doctest::Approx(number(status, "import", "height")));
        CHECK(number(status, "canvas", "height") > 0.3 * 800);
    }
    const auto end_by = [&](const char* key, size_t points) {
        status = press_key(*window, key, "/import", nullptr);
        CHECK(status["input_count"] == points);
    };
    const auto open = [&] {
        load_file(*window, trees);
        status = window->wait_for("the strip", [](const json& s) { return !s["import"].is_null(); });
    };
    end_by("Return", 40);
    load_file(*window, folder.file("few.xy", "0 0\n1 0\n0 1\n"));
    wait_for_value(*window, "/input_count", 3);
    open();
    const json first = status["import"]["columns"];
    // X from the next column.
    press_key(*window, "Down", [&](const json& s) { return s["import"]["columns"]["x"] != first["x"]; });
    press_key(*window, "Tab", "/import/focus", 1);
    press_key(*window, "shift+Tab", "/import/focus", 0);
    end_by("Escape", 3);
    open();
    end_by("Return", 40);
    press_key(*window, "ctrl+i", [](const json& s) { return !s["import"].is_null(); });
    end_by("Escape", 40);
}

TEST_CASE("window: a scenario opens at its end, with its title and its failures, and can be started over") {
    const auto window = window_or_skip({std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/gallery/delaunator-rs-10.json"});
    if (!window) return;
    json status = at_end(*window);
    CHECK(status["position"] == status["known"]);
    CHECK(status["title"] == "Two almost straight chains");
    CHECK(status["check"]["passed"] == false);
    CHECK(status["failures"]["count"] == 3);
    CHECK(status["headline"]["failed"] == true);
    status = press_key(*window, "r", "/position", 0);
    CHECK(status["title"] == "Two almost straight chains");  // of the same input
    CHECK(status["failures"]["count"] == 0);
}

TEST_CASE("window: a scenario's title goes when the form makes the same points again") {
    const TemporaryFolder folder;
    const std::string points = "thomas:60@mean=5";
    const auto window =
        window_or_skip({folder.file("titled.json", R"({"title": "Sixty", "points": ")" + points + R"("})")});
    if (!window) return;
    CHECK(window->settle()["title"] == "Sixty");
    enter_text(*window, "options_field", "generator_options", "mean=5");
    const json status = wait_for_value(*window, "/title", "");
    CHECK(status["source"] == points);
}

TEST_CASE("window: what was said of a file that cannot be read goes when another is loaded, and with the next step") {
    const TemporaryFolder folder;
    const std::string bad = folder.file("bad.xy", "0 0\n1 1\nfive six\n");
    const std::string good = folder.file("good.xy", "0 0\n4 0\n4 3\n0 3\n1 1\n");
    const auto window = window_or_skip({"--points", "uniform:30"});
    if (!window) return;
    load_file(*window, bad);
    wait_until_said(*window, "bad.xy:3");
    load_file(*window, good);
    json status = wait_for_value(*window, "/input_count", 5);
    CHECK_FALSE(says(status, "bad.xy"));
    load_file(*window, bad);
    status = wait_until_said(*window, "bad.xy:3");
    CHECK(status["input_count"] == 5);
    window->move(600, 300);
    window->click();                          // out of the field
    CHECK(says(window->settle(), "bad.xy"));  // it stays to be read
    window->key("Right");
    CHECK_FALSE(says(at_position(*window, 1), "bad.xy"));
    status = press_key(*window, "r", "/known", 0);
    CHECK_FALSE(says(status, "bad.xy"));
}

TEST_CASE("window: without a lab the input decides which one is opened, and --lab over it") {
    const auto lab = [](const std::vector<std::string>& arguments) {
        const auto window = window_or_skip(arguments);
        return window ? window->settle()["lab"].get<std::string>() : std::string();
    };
    const TemporaryFolder folder;
    const std::string mesh = folder.file("two.off", "OFF\n4 2 0\n0 0 0\n4 0 0\n4 1 0\n0 1 1\n3 0 1 2\n3 0 2 3\n");
    const std::string chosen = lab({mesh});
    if (chosen.empty()) return;  // no window here
    CHECK(lab_info(chosen).inputs.has(InputKind::kSurfaces));
    CHECK(lab({"--mesh", "quad:50"}) == chosen);
    CHECK(lab({"--points", "uniform:50"}) == registry().front().id);
    CHECK(lab({"--points", "uniform:50", "--lab", chosen}) == chosen);
}
