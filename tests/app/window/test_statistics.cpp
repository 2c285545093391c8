// Statistics in the window: measured when they are shown, and colours by them.
#include "app/window_hands.h"
#include "instruments/area_source.h"

using namespace flipscope;
using nlohmann::json;

namespace {

/// The key 8 until the picture is coloured so.
json colour_by(WindowDriver& window, const std::string& wanted) {
    json status = window.settle();
    for (int presses = 0; presses < 16 && status["colour_by"] != wanted; ++presses) {
        const json before = status["colour_by"];
        status = press_key(window, "8", [&](const json& s) { return s["colour_by"] != before; });
    }
    REQUIRE(status["colour_by"] == wanted);
    return status;
}

void click_keep(WindowDriver& window) {
    for (int attempt = 0; attempt < 4; ++attempt) {
        const json status = window.settle();
        if (!status["boxes"].contains("keep_button")) return;  // it has been clicked
        click_box(window, status["boxes"]["keep_button"]);
    }
}

}  // namespace

TEST_CASE("window: a click on a category in the legend or the table selects it, and with Ctrl another one too") {
    const TemporaryFolder folder;
    std::string text = "x,y,species\n";
    for (int i = 0; i < 60; ++i)
        text += std::to_string(i * 37 % 60) + "," + std::to_string(i * 23 % 61) +
                (i % 3 == 0   ? ",oak\n"
                 : i % 3 == 1 ? ",beech\n"
                              : ",pine\n");
    const auto window = window_or_skip({"--lab", "build", folder.file("trees.csv", text)}, {1280, 800});
    if (!window) return;
    to_end(*window);
    window->key("7");
    colour_by(*window, "species");
    json status =
        window->wait_for("a legend of categories", [](const json& s) { return boxes_of(s, "category/").size() == 3; });
    const auto click_on = [&](const std::string& name) { click_box(*window, window->settle()["boxes"].at(name)); };
    click_on("category/species=oak");
    wait_for_value(*window, "/selected", 20);
    window->hold_key("ctrl");
    click_on("category row/species=pine");
    wait_for_value(*window, "/selected", 40);
    click_on("category/species=oak");
    window->let_go_of_key("ctrl");
    wait_for_value(*window, "/selected", 20);
    click_keep(*window);
    status = wait_for_value(*window, "/input_count", 20);
    CHECK(status["colour_by"] == "species");
    to_end(*window);
    window->wait_for("their category", [](const json& s) { return boxes_of(s, "category/").size() == 1; });
    press_key(*window, "ctrl+z", "/input_count", 60);
}

TEST_CASE("window: a box in the scatter selects its points in the picture, and the view is copied as a Python script") {
    const TemporaryFolder folder;
    std::string text = "x,y,width,height\n";
    for (int i = 0; i < 400; ++i)
        text += std::to_string(i * 37 % 401) + "," + std::to_string(i * 151 % 401) + "," + std::to_string(i % 20) +
                "," + std::to_string(i / 20) + "\n";
    folder.file("trees.csv", text);
    const std::string scenario =
        folder.file("look.json", R"({"lab": "build", "input": "trees.csv", "at": "end", "scatter": "width,height"})");
    const auto window = window_or_skip({scenario}, {1280, 1000});
    if (!window) return;
    json box =
        window->wait_for("a scatter", [](const json& s) { return s["boxes"].contains("scatter"); })["boxes"]["scatter"];
    window->move(box["x"].get<double>() + 20, 400);
    for (int turns = 0; turns < 20 && box["y"].get<double>() + box["height"].get<double>() > 700; ++turns) {
        window->click(5);  // the wheel
        box = window->settle()["boxes"]["scatter"];
    }
    // The axes go from 0 to 20.
    const double left = box["x"], top = box["y"], width = box["width"], height = box["height"];
    drag(*window, {left - 3, top + height + 3}, 0.48 * width + 3, -height - 6);
    wait_for_value(*window, "/selected", 200);  // widths 0 to 9
    window->key("ctrl+shift+c");
    wait_until_said(*window, "Python");
}

TEST_CASE("window: a scenario with spatial statistics opens on the first of their curves") {
    const TemporaryFolder folder;
    const auto window = window_or_skip(
        {folder.file("look.json",
                     R"({"lab": "build", "points": "uniform:300", "at": "end", "spatial": {"spatial": "L,g"}})")},
        {1280, 800});
    if (!window) return;
    const json status = window->wait_for(
        "the curve of L", [](const json& s) { return !s["curves"].empty() && s["curves"][0]["name"] == "L"; });
    CHECK(status["boxes"].contains("button/keep-curves"));
    const json drawn = window->settle();
    CHECK(drawn["panels"]["right"] == true);
    CHECK(drawn["boxes"]["button/keep-curves"]["y"].get<double>() < 790);  // scrolled to
}

TEST_CASE("window: a lasso holds the points within the line that the mouse drew, and no others") {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 400; ++i) text += std::to_string(i % 20) + " " + std::to_string(i / 20) + "\n";
    const auto window = window_or_skip({"--lab", "build", folder.file("grid.xy", text)}, {1280, 800});
    if (!window) return;
    to_end(*window);
    const json status = press_key(*window, "7", "/statistics", true);
    // A triangle, and then its upper part: the line is not its box, and moves come faster than frames.
    const std::vector<std::pair<double, double>> corners{{1.5, 1.5}, {14.7, 1.5}, {1.5, 14.7}, {1.5, 1.5}};
    const auto start = seen_in_plane(status, corners[0].first, corners[0].second);
    window->move(start.first, start.second);
    window->settle();
    window->hold_key("ctrl");
    window->hold_key("shift");
    window->press();
    for (size_t k = 0; k + 1 < corners.size(); ++k)
        for (int i = 1; i <= 12; ++i) {
            const double t = i / 12.0;
            const auto to = seen_in_plane(status, corners[k].first + t * (corners[k + 1].first - corners[k].first),
                                          corners[k].second + t * (corners[k + 1].second - corners[k].second));
            window->move(to.first, to.second);
        }
    window->release();
    window->let_go_of_key("shift");
    window->let_go_of_key("ctrl");
    int within = 0;
    for (int x = 2; x < 20; ++x)
        for (int y = 2; y < 20; ++y) within += x + y < 16.2;
    wait_for_value(*window, "/selected", within);
}

TEST_CASE("window: a study area with a hole is drawn by clicks, and a typed one takes its place") {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 400; ++i) text += std::to_string(i % 20) + " " + std::to_string(i / 20) + "\n";
    const auto window = window_or_skip({"--lab", "build", folder.file("grid.xy", text)}, {1280, 800});
    if (!window) return;
    to_end(*window);
    const json status = press_key(*window, "7", "/statistics", true);
    CHECK(status["study_area"].is_null());
    const auto choose = [&](const std::string& wanted) {
        press_key(*window, "ctrl+p", "/palette/open", true);
        window->type(wanted);
        wait_for_value(*window, "/palette/typed", wanted);
        press_key(*window, "Return", "/palette/open", false);
    };
    const auto draw = [&](const std::vector<std::pair<double, double>>& corners) {
        choose("study area: draw");
        for (const auto& [x, y] : corners) {
            const auto [right, down] = seen_in_plane(status, x, y);
            window->move(right, down);
            window->settle();
            window->click();
            window->settle();
        }
        window->key("Return");
    };
    const auto area = [&](const json& s) {
        return s["study_area"].is_null() ? StudyArea{} : read_area(s["study_area"].get<std::string>(), nullptr);
    };
    draw({{2, 2}, {16, 2}, {16, 16}, {2, 16}});
    json drawn = window->wait_for("a ring", [&](const json& s) { return area(s).rings.size() == 1; });
    CHECK(area(drawn).area() == doctest::Approx(196).epsilon(0.02));
    CHECK(std::ranges::count(drawn["layers"], "study-area") == 2);  // the border, and the outside
    draw({{5, 5}, {9, 5}, {5, 9}});
    drawn = window->wait_for("a hole", [&](const json& s) { return area(s).rings.size() == 2; });
    CHECK(area(drawn).area() == doctest::Approx(188).epsilon(0.02));
    draw({{4, 4}, {12, 4}, {4, 12}});  // around the hole, which becomes an island
    drawn = window->wait_for("an island", [&](const json& s) { return area(s).rings.size() == 3; });
    draw({{0, 10}, {18, 10}, {9, 12}});  // across
    wait_until_said(*window, "cross");
    choose("study area: the hull");
    CHECK(wait_for_value(*window, "/study_area", "hull")["selected"].is_null());
    choose("study area: the whole");
    CHECK(wait_for_value(*window, "/study_area", json())["input_count"] == 400);
}
