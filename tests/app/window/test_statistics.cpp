// Statistics in the window: measured when they are shown, and colours by them.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/window_hands.h"

using namespace flipscope;
using nlohmann::json;

namespace {

/// Sixty points that are no two alike, in a file with a header; `columns`: more of it, and `rows(i)` of a line.
template <class Rows>
std::string point_file(const TemporaryFolder& folder, const std::string& name, const std::string& columns,
                       const Rows& rows) {
    std::string text = "x,y" + columns + "\n";
    for (int i = 0; i < 60; ++i)
        text += std::to_string(i * 37 % 60) + "," + std::to_string(i * 23 % 61) + rows(i) + "\n";
    return folder.file(name, text);
}

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

/// Selects by the field of Ctrl+F what must be so many elements.
json select_elements(WindowDriver& window, const std::string& what, size_t count) {
    find_element(window, "select " + what);
    return wait_for_value(window, "/selected", count);
}

/// Whether the scene has cells, which vertices are coloured by.
bool coloured(const json& status) {
    const json& layers = status["layers"];
    return std::find(layers.begin(), layers.end(), "cells") != layers.end();
}

void click_keep(WindowDriver& window) {
    for (int attempt = 0; attempt < 4; ++attempt) {
        const json status = window.settle();
        if (!status["boxes"].contains("keep_button")) return;  // it has been clicked
        click_box(window, status["boxes"]["keep_button"]);
    }
}

}  // namespace

TEST_CASE("window: what is selected by a column becomes the input with its columns and names, and stays coloured") {
    const TemporaryFolder folder;
    const std::string file = point_file(folder, "towns.csv", ",mass,name", [](int i) {
        return "," + std::to_string(100 + i) + ",town" + std::to_string(i);
    });
    const auto window = window_or_skip({"--lab", "build", file}, {1280, 800});
    if (!window) return;
    to_end(*window);
    window->key("7");
    colour_by(*window, "mass");
    json status = window->wait_for("cells", coloured);
    CHECK(status["boxes"].contains("distribution/mass"));

    // By the field of Ctrl+F.
    status = select_elements(*window, "vertex:3,10..12", 4);
    CHECK(status["find"]["open"] == false);
    select_elements(*window, "mass:120..139", 20);

    click_keep(*window);
    status = wait_for_value(*window, "/input_count", 20);
    CHECK(status["colour_by"] == "mass");
    CHECK(status["selected"].is_null());
    CHECK(!was_said(status, "no column"));
    to_end(*window);
    status = window->wait_for("cells", coloured);
    CHECK(status["boxes"].contains("distribution/mass"));
    select_elements(*window, "mass:125..131.5", 7);
    const std::string table = (folder / "selection.csv").string();
    save_as(*window, table);
    window->wait_for("a word", [](const json& s) { return was_said(s, "saved: "); });
    CHECK(read_file(table).starts_with("x,y,mass,name\n25,26,125,town25\n2,49,126,town26\n"));
    status = press_key(*window, "ctrl+z", "/input_count", 60);
    CHECK(status["lab"] == "build");
}

TEST_CASE("window: a click on a category in the legend or the table selects it, and with Ctrl another one too") {
    const TemporaryFolder folder;
    const std::string file = point_file(folder, "trees.csv", ",species", [](int i) {
        static constexpr const char* kSpecies[] = {",oak", ",beech", ",pine"};
        return std::string(kSpecies[i % 3]);
    });
    const auto window = window_or_skip({"--lab", "build", file}, {1280, 800});
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
    to_end(*window);
    window->wait_for("their category", [](const json& s) { return boxes_of(s, "category/").size() == 1; });
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
