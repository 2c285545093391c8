// Scenarios and tables opened in an open window.
#include "app/folders.h"
#include "app/window_tests.h"

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

    // An error names its place, and changes nothing.
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
    load_file(*window, folder.file("told.json", R"({"lab": "build", "points": "uniform:60", "title": "A start"})"));
    wait_for_value(*window, "/headline/text", "A start");
    press_key(*window, "ctrl+p", "/palette/open", true);
    for (const char letter : std::string("stripslab")) window->key(std::string(1, letter));
    window->key("Return");
    status = wait_for_value(*window, "/lab", "strips");
    CHECK(status["headline"]["text"] != "A start");  // which was about another lab
    to_end(*window);
    load_file(*window, folder.file("plays.json", R"({"lab": "build", "points": "uniform:40", "play": true})"));
    window->wait_until("playing", [](const json& s) { return s["points"] == 40 && s["playing"] == true; });
    window->wait_until("its second pass", [](const json& s) { return s["points"] == 40 && s["position"] > 1; });
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
    json status = window->wait_for("the strip", [](const json& s) { return !s["import"].is_null(); });
    CHECK(status["input_count"] == 40);
    CHECK(number(status, "canvas", "height") > 0.3 * 800);
    const auto end_by = [&](const char* key, size_t points) {
        status = press_key(*window, key, "/import", nullptr);
        CHECK(status["input_count"] == points);
    };
    end_by("Return", 40);
    press_key(*window, "ctrl+0", "/scale", 1);  // the panel is unfolded again
    load_file(*window, folder.file("few.xy", "0 0\n1 0\n0 1\n"));
    wait_for_value(*window, "/input_count", 3);
    load_file(*window, trees);
    status = window->wait_for("the strip", [](const json& s) { return !s["import"].is_null(); });
    const json first = status["import"]["columns"];
    // X from the next column.
    press_key(*window, "Down", [&](const json& s) { return s["import"]["columns"]["x"] != first["x"]; });
    press_key(*window, "Tab", "/import/focus", 1);
    press_key(*window, "shift+Tab", "/import/focus", 0);
    end_by("Escape", 3);
}
