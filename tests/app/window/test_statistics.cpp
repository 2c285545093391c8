// Statistics in the window: measured when they are looked at, and colours by them.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "app/images/images.h"
#include "app/window_hands.h"
#include "app/window_tests.h"

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

/// The middle of the picture, without what stands beside and over it.
std::vector<float> middle_of_canvas(WindowDriver& window, const std::filesystem::path& file) {
    const json status = window.settle();
    window.screenshot(file);
    const FieldStack seen = app::read_any_field(file);
    const json& canvas = status["canvas"];
    const auto part = [&](const char* from, const char* size, double at) {
        return static_cast<uint32_t>(canvas[from].get<double>() + at * canvas[size].get<double>());
    };
    std::vector<float> values;
    for (uint32_t y = part("y", "height", 0.4); y < part("y", "height", 0.6); ++y)
        for (uint32_t x = part("x", "width", 0.4); x < part("x", "width", 0.6); ++x)
            values.push_back(seen.values[size_t(seen.height - 1 - y) * seen.width + x]);
    return values;
}

void click_keep(WindowDriver& window) {
    for (int attempt = 0; attempt < 4; ++attempt) {
        const json status = window.settle();
        if (!status["boxes"].contains("keep_button")) return;  // it has been clicked
        click_box(window, status["boxes"]["keep_button"]);
    }
}

}  // namespace

TEST_CASE("window: statistics are measured when they are looked at, and colour the picture") {
    const auto window = window_or_skip({"--points", "uniform:400", "--hide", "triangles"}, {1280, 800});
    if (!window) return;
    json status = to_end(*window);
    CHECK(status["statistics"] == false);
    status = press_key(*window, "7", "/statistics", true);
    for (const char* expected : {"degree", "nearest", "cell-area"}) press_key(*window, "8", "/colour_by", expected);
    status = window->wait_for("cells", [](const json& s) { return s["idle"] == true && coloured(s); });
    CHECK(status["selected"].is_null());

    CHECK(status["boxes"].contains("distribution/degree"));
    press_key(*window, "a", "/look/angles", true);
    status = press_key(*window, "8", "/colour_by", "cell-perimeter");  // what it says is what is seen
    CHECK(status["look"]["angles"] == false);
}

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

    // Ids of the mesh, of points, and values, by the field of Ctrl+F.
    status = select_elements(*window, "vertex:3,10..12", 4);
    CHECK(status["find"]["open"] == false);
    find_element(*window, "select triangle:0..19");  // those at infinity are never selected
    window->wait_for("triangles", [](const json& s) { return s["selected"] > 9 && s["selected"] <= 20; });
    select_elements(*window, "point:59,0..5", 7);
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
    window->key("Escape");
    status = find_element(*window, "name:town25");
    status = window->wait_for("town25", [](const json& s) { return !s["inspected"].is_null(); });
    CHECK(status["inspected"]["corners"][0][0] == 25 * 37 % 60);
    CHECK(status["inspected"]["corners"][0][1] == 25 * 23 % 61);
    CHECK(status["inspected"]["properties"]["Point"] == "5");
}

TEST_CASE("window: cells of a lattice are coloured and selected by a column, and their sites become the input") {
    const TemporaryFolder folder;
    const std::string file =
        point_file(folder, "towns.csv", ",mass", [](int i) { return "," + std::to_string(100 + i); });
    const auto window = window_or_skip({"--lab", "voronoi", file}, {1280, 800});
    if (!window) return;
    to_end(*window);
    window->key("7");
    const auto plain = middle_of_canvas(*window, folder / "plain.png");
    colour_by(*window, "mass");
    json status = window->wait_for(
        "statistics", [](const json& s) { return s["idle"] == true && s["boxes"].contains("distribution/mass"); });
    CHECK(middle_of_canvas(*window, folder / "coloured.png") != plain);
    select_elements(*window, "point:59,0..5", 7);
    select_elements(*window, "mass:120..139", 20);
    click_keep(*window);
    status = wait_for_value(*window, "/input_count", 20);
    CHECK(status["lab"] == "voronoi");
    CHECK(status["colour_by"] == "mass");
    CHECK(status["selected"].is_null());
    to_end(*window);
    select_elements(*window, "mass:125..131.5", 7);
    status = press_key(*window, "ctrl+z", "/input_count", 60);
    CHECK(status["lab"] == "voronoi");
}

TEST_CASE("window: a surface is coloured by quantities, and triangles that are selected there become the input") {
    const auto window = window_or_skip({"--lab", "flip", "--mesh", "sphere:400"}, {1280, 800});
    if (!window) return;
    to_end(*window);
    window->key("7");
    const TemporaryFolder folder;
    std::vector<std::vector<float>> pictures{middle_of_canvas(*window, folder / "plain.png")};
    for (const char* quantity : {"degree", "edge-length", "min-angle"}) {
        colour_by(*window, quantity);
        pictures.push_back(middle_of_canvas(*window, folder / "coloured.png"));
        CHECK(pictures.back() != pictures[pictures.size() - 2]);
    }
    json status = select_elements(*window, "triangle:0..79", 80);
    const json all = status["input_count"];
    click_keep(*window);
    window->wait_for("what was kept", [](const json& s) { return s["input_count"] < 100; });
    status = press_key(*window, "End", "/triangles", 80);
    CHECK(status["in_space"] == true);
    CHECK(status["lab"] == "flip");
    CHECK(status["colour_by"] == "min-angle");
    // A point alone is no surface: nothing changes.
    select_elements(*window, "vertex:3", 1);
    click_box(*window, window->settle()["boxes"]["keep_button"]);
    status = window->wait_for("why not", [](const json& s) { return was_said(s, "A surface needs triangles"); });
    CHECK(status["triangles"] == 80);
    CHECK(status["selected"] == 1);
    // What was left out comes back.
    press_key(*window, "ctrl+z", [&](const json& s) { return s["input_count"] == all && s["lab"] == "flip"; });
}

TEST_CASE("window: the table of two moments' distributions cuts neither names nor numbers, however large the text") {
    const auto window = window_or_skip({"--lab", "flip", "--points", "uniform:100", "--presenter-scale", "2"});
    if (!window) return;
    window->settle();
    press_key(*window, "Right", "/position", 1);
    press_key(*window, "7", "/statistics", true);
    press_key(*window, "9", [](const json& s) { return !s["kept"].is_null(); });
    to_end(*window);
    for (const int scale : {2, 1}) {
        CAPTURE(scale);
        if (scale == 1) window->key("ctrl+0");
        const json status = window->wait_for(
            "the table", [&](const json& s) { return s["scale"] == scale && boxes_of(s, "row/").size() >= 11; });
        CHECK(boxes_of(status, "cut/").empty());
        for (const auto& [side, caption] : boxes_of(status, "caption/"))
            CHECK(has(caption["text"].get<std::string>(), "Flip lab: ") == (scale == 1));
        // What both are of covers none of them.
        CHECK(seen_in_plane(status, 0, 1).second >= status["legend_height"].get<double>());
        // The dialog of figures, which has a row more then, is whole.
        press_key(*window, "ctrl+shift+s", "/figure/open", true);
        const json boxes = boxes_of(window->settle(), "dialog/");
        CHECK(boxes["PNG"]["y"].get<double>() > 28 * scale);  // its title above
        CHECK(boxes["Save (Return)"]["y"].get<double>() + boxes["Save (Return)"]["height"].get<double>() < 800);
        press_key(*window, "Escape", "/figure/open", false);
    }
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
