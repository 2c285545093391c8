// The Judge lab and the way into the Predicate microscope, in the real window.
#include <cmath>
#include <sstream>
#include <string>

#include "app/folders.h"
#include "app/window_hands.h"

using namespace flipscope;

TEST_CASE("window: triangles beside their points open in the Judge lab, and each defect is in sight") {
    const TemporaryFolder folder;
    const auto pair = [&](const std::string& name, const std::string& points, const std::string& triangles) {
        return std::pair(folder.file(name + ".xy", points), folder.file(name + ".tri", triangles));
    };
    const auto kite = pair("kite", "0 0\n4 -1\n8 0\n4 1\n", "0 1 2\n0 2 3\n");
    const auto window = window_or_skip({"--input", kite.first, "--triangles", kite.second});
    if (!window) return;
    json status = window->settle();
    CHECK(status["lab"] == "judge");
    CHECK(status["beside"] == true);
    status = to_end(*window);
    CHECK(status["check"]["passed"] == false);
    CHECK(has(status["headline"]["text"], "not Delaunay: 1 defect"));
    CHECK(status["numbers"]["Delaunay"] == "no");
    CHECK(status["numbers"]["missed edges"] == 1);
    REQUIRE(status["failures"]["count"] == 1);
    CHECK(status["detections"]["known"] == 2);
    const auto judged = [&](const std::pair<std::string, std::string>& files) {
        load_file(*window, files.first + " " + files.second);
        wait_for_value(*window, "/position", 0);
        window->move(700, 300);
        window->click();  // out of the field
        window->key("Escape");
        window->settle();
        return to_end(*window);
    };

    // The inverted triangle is nearly as wide as the picture: choosing it never shows it smaller.
    const double before = judged(pair("flat", "0 0\n10 0\n10 3\n5 0.1\n0 3\n", "0 2 1\n0 2 4\n"))["camera"]["scale"];
    press_key(*window, "Down", "/failures/chosen", 0);
    CHECK(window->settle()["camera"]["scale"].get<double>() >= before);

    // What is too thin to be seen is stretched across, more with Alt and the wheel.
    std::ostringstream points;
    points.precision(17);
    for (const double x : {1., 3., 5., 7., 9.})
        points << x << ' ' << std::nextafter(0.3 * x, x == 3 ? 10 : x == 7 ? -10 : 0.3 * x) << '\n';
    points << "4 9\n";
    CHECK(judged(pair("thin", points.str(), "0 2 4\n0 4 5\n"))["across"].is_null());
    press_key(*window, "Down", "/failures/chosen", 0);  // the inverted triangle
    status = window->settle();
    REQUIRE_FALSE(status["across"].is_null());
    CHECK(number(status["boxes"], "across", "width") > 150);
    const double scale = status["camera"]["scale"];
    const auto [x, y] = middle(status["canvas"]);
    window->move(x, y);
    window->settle();
    window->hold_key("alt");
    window->click(4);
    window->let_go_of_key("alt");
    status = window->wait_for("more of it", [](const json& s) { return s["across"].get<double>() > 1.1; });
    CHECK(status["camera"]["scale"] == scale);
    press_key(*window, "Escape", "/across", nullptr);
}

TEST_CASE("window: an edge leads under the microscope with its four points") {
    const auto window = window_or_skip({"--lab", "build", "--points", "uniform:40"});
    if (!window) return;
    to_end(*window);
    json status = find_element(*window, "edge:30");
    REQUIRE_FALSE(status["inspected"].is_null());
    status = scroll_to_link(*window, "under the microscope");
    click_box(*window, *link_named(status, "under the microscope"));
    status = wait_for_value(*window, "/lab", "microscope");
    CHECK(status["parameters"]["sign_of"] == "in-circle");
    CHECK(status["parameters"]["a"] != status["parameters"]["b"]);
    CHECK(status["input"] == "uniform:40");
    // At its end, and wholly in view.
    status = wait_for_value(*window, "/done", true);
    const json &camera = status["camera"], &bounds = status["bounds"], &canvas = status["canvas"];
    const double scale = camera["scale"];
    CHECK(camera["x"].get<double>() == doctest::Approx((bounds[0].get<double>() + bounds[2].get<double>()) / 2));
    CHECK((bounds[2].get<double>() - bounds[0].get<double>()) * scale > 50);
    CHECK((bounds[3].get<double>() - bounds[1].get<double>()) * scale <= canvas["height"].get<double>());
}

TEST_CASE("window: a scenario that names a failure opens with the first one of this kind chosen") {
    const TemporaryFolder folder;
    // A bay beside an illegal edge: the missing area is listed first.
    const std::string file = folder.file("saved.json",
                                         R"({"lab": "judge", "at": "end", "failure": "illegal-edge",
        "points": [[0, 0], [4, -1], [8, 0], [4, 1], [4, 9]], "triangles": [[0, 1, 2], [0, 2, 3]]})");
    const auto chosen = [](const json& s) { return !s["failures"]["chosen"].is_null(); };
    const auto check = [&](const json& status) {
        REQUIRE(status["failures"]["count"] > 1);
        CHECK(status["failures"]["chosen"] > 0);
        CHECK(status["failures"]["code"] == "illegal-edge");
    };
    const auto given = window_or_skip({file});
    if (!given) return;
    check(given->wait_for("the failure", chosen));
    load_file(*given, folder.file("few.xy", "0 0\n1 0\n0 1\n"));
    wait_for_value(*given, "/input_count", 3);
    load_file(*given, file);
    check(given->wait_for("the failure", chosen));
}
