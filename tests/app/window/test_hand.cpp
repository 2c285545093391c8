// Surfaces, and pictures of manual edits, in the real window.
#include "app/window_hands.h"

using namespace flipscope;

TEST_CASE("window: a surface is turned by dragging, moved with Shift, seen from each side by T, and fitted by F") {
    TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "flip", "--mesh", "torus-knot:600"});
    if (!window) return;
    window->key("2");  // its timings count the very questions of this test
    const json first = wait_for_value(*window, "/panels/right", false);
    CHECK(first["in_space"] == true);
    const auto [cx, cy] = middle(first["canvas"]);
    const std::string shown = window->screenshot(folder / "a.png");
    // Where the surface is not: no vertex to take hold of.
    drag(*window, {cx - 250, cy + 220}, 120, 0);
    json status = window->settle();
    CHECK(status["camera"]["right"] != first["camera"]["right"]);
    CHECK(status["camera"]["right"][2] == 0);
    CHECK(number(status, "camera", "scale") == number(first, "camera", "scale"));
    CHECK(status["position"] == first["position"]);
    CHECK(status["inspected"].is_null());
    CHECK(window->screenshot(folder / "b.png") != shown);
    press_key(*window, "t", "/camera", first["camera"]);
    status = press_key(*window, "t", "/camera/up", json({0.0, 0.0, 1.0}));
    CHECK(status["camera"]["right"] == json({1.0, 0.0, 0.0}));
}

TEST_CASE("window: a vertex of a surface moves in the plane of the picture, and what hides others is picked") {
    TemporaryFolder folder;
    const auto window = window_or_skip(
        {"--lab", "flip",
         folder.file("tent.obj",
                     "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 1 0.5\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n")});
    if (!window) return;
    json before = to_end(*window);
    before = press_key(*window, "t", "/camera/right", json({1.0, 0.0, 0.0}));
    const double scale = number(before, "camera", "scale");
    json status = click_at(*window, seen_at(before, {1, 1, 0.5}), "vertex");
    CHECK(status["inspected"]["corners"][0] == json({1.0, 1.0, 0.5}));
    window->key("q");
    drag(*window, seen_at(before, {1, 1, 0.5}), 0.25 * scale, -0.5 * scale);
    status = window->wait_for("the move", [&](const json& s) { return s["position"] > before["position"]; });
    const json& corner = status["inspected"]["corners"][0];
    CHECK(corner[0].get<double>() == doctest::Approx(1.25).epsilon(0.02));
    CHECK(corner[1] == 1.0);  // neither nearer nor farther
    CHECK(corner[2].get<double>() == doctest::Approx(1.0).epsilon(0.02));
    // From the front the back corners of the tent lie behind the front ones.
    const json front_corner = click_at(*window, seen_at(before, {0, 0, 0}), "vertex");
    CHECK(front_corner["inspected"]["corners"][0] == json({0.0, 0.0, 0.0}));
}

TEST_CASE("window: clicks on a blank canvas of the Serial lab insert points, and their steps can be taken again") {
    TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "serial", "--points", "uniform:0"});
    if (!window) return;
    json status = window->settle();
    window->key("n");
    window->settle();
    status = window->settle();
    const json camera = status["camera"];
    uint64_t clicks = 0;
    for (const auto& [x, y] : {std::pair{0.2, 0.2}, {0.8, 0.25}, {0.5, 0.8}, {0.5, 0.4}, {0.9, 0.9}}) {
        click(*window, seen_in_plane(status, x, y));
        status = window->wait_for("the point", [n = ++clicks](const json& s) { return s["edits"] == n; });
    }
    status = window->wait_for("its insertion", [](const json& s) { return s["done"] == true; });
    const uint64_t end = status["position"];
    CHECK(end > 8);
    CHECK(status["camera"] == camera);  // though the legend has grown
    window->screenshot(folder / "end.png");
    status = press_key(*window, "ctrl+Left", [&](const json& s) { return s["position"] < end; });
    const uint64_t before = status["position"];
    CHECK(status["edits"] == 5);
    press_key(*window, "Right", "/position", before + 1);
    status = press_key(*window, "Right", "/position", before + 2);
    CHECK(status["done"] == false);
    press_key(*window, "End", "/position", end);
    status = press_key(*window, "ctrl+z", "/edits", 4);
    CHECK(status["position"] == before);
    status = press_key(*window, "r", "/edits", 0);  // these points are the input now
    CHECK(status["position"] == 0);
}

TEST_CASE("window: with the layer of circumcircles, that of the triangle under the cursor is marked") {
    TemporaryFolder folder;
    const std::string points = folder.file("three.xy", "0 0\n4 0\n1 3\n");
    const auto window = window_or_skip({"--lab", "strips", points, "--show", "circumcircles"});
    if (!window) return;
    const json status = to_end(*window);
    const auto move_to = [&, seen = window->settle()](double x, double y, int hovered) {
        const auto at = seen_in_plane(seen, x, y);
        window->move(at.first, at.second);
        wait_for_value(*window, "/hovered", hovered);
    };
    move_to(1.5, 1, 1);
    move_to(3.5, 2.5, 0);
}

TEST_CASE("window: F shows points that were put outside of what there was at first, and the picture stays until then") {
    TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "flip", few_points(folder)});
    if (!window) return;
    json status = to_end(*window);
    const Rect canvas(status["canvas"]);
    const auto [cx, cy] = middle(status["canvas"]);
    window->move(cx, cy);
    for (int i = 0; i < 8; ++i) window->click(5);  // further away
    status = window->wait_for("it is smaller", [before = number(status, "camera", "scale")](const json& s) {
        return number(s, "camera", "scale") < 0.5 * before;
    });
    const double scale = number(status, "camera", "scale");
    window->key("q");
    drag(*window, seen_at(status, {2, 2.2, 0}), 3 * scale, -2 * scale);  // to (5, 0.2), right of all others
    const json after = window->settle();
    CHECK(after["camera"] == status["camera"]);
    CHECK(after["bounds"] == status["bounds"]);
    status = press_key(*window, "f", [&](const json& s) { return s["camera"] != after["camera"]; });
    const auto [x, y] = seen_at(status, {5, 0.2, 0});
    CHECK(x > canvas.left + 0.7 * (canvas.right - canvas.left));
    CHECK(canvas.holds(x, y));
    CHECK(seen_at(status, {0, 0, 0}).first > canvas.left);
    CHECK(number(status, "camera", "scale") > 1.2 * scale);
}
