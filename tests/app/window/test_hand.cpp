// Surfaces, angle colours and manual edits in the real window.
#include <algorithm>
#include <array>

#include "app/program.h"
#include "app/window_hands.h"

using namespace flipscope;

namespace {

std::string write_tent(const TemporaryFolder& folder) {
    return folder.file("tent.obj",
                       "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 1 0.5\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n");
}

}  // namespace

TEST_CASE("window: a point that is dragged takes the triangulation along, and every move can be gone back on") {
    TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "flip", few_points(folder)});
    if (!window) return;
    const json before = to_end(*window);
    const double scale = number(before, "camera", "scale");
    // The first tool looks: a drag that begins on a point moves the picture, and no data.
    drag(*window, seen_at(before, {2, 2.2, 0}), 60, 40);
    json panned = window->settle();
    CHECK(panned["tool"] == "look");
    CHECK(panned["position"] == before["position"]);
    CHECK(panned["camera"] != before["camera"]);
    press_key(*window, "f", "/camera", before["camera"]);
    press_key(*window, "ctrl+l", "/locked", true);
    window->key("q");
    CHECK(window->settle()["tool"] == "look");
    window->key("ctrl+l");
    CHECK(press_key(*window, "q", "/tool", "move")["locked"] == false);
    drag(*window, seen_at(before, {2, 2.2, 0}), 0.8 * scale, 0.7 * scale);
    json status = window->settle();
    CHECK(status["position"].get<uint64_t>() > before["position"].get<uint64_t>());
    CHECK(status["known"] == status["position"]);
    CHECK(status["done"] == true);  // Delaunay again
    CHECK(status["camera"] == before["camera"]);
    CHECK(status["state_hash"] != before["state_hash"]);
    const json after = click_at(*window, seen_at(before, {2.8, 1.5, 0}), "vertex");
    CHECK(after["inspected"]["corners"][0][0].get<double>() == doctest::Approx(2.8).epsilon(0.01));
    CHECK(after["inspected"]["corners"][0][1].get<double>() == doctest::Approx(1.5).epsilon(0.01));
    status = press_and_read(*window, "v");
    CHECK(status["message"].get<std::string>().starts_with("Delaunay"));
    // What is asked about is shown where it is, then and now.
    for (uint64_t i = status["position"]; i > before["position"].get<uint64_t>(); --i)
        status = press_key(*window, "Left", "/position", i - 1);
    CHECK(status["state_hash"] == before["state_hash"]);
    CHECK(status["inspected"]["corners"][0][1].get<double>() == doctest::Approx(2.2));
    CHECK(to_end(*window)["state_hash"] == after["state_hash"]);
    CHECK(window->status()["known"] == after["known"]);
}

TEST_CASE("window: X flips the edge that was asked about, and what cannot be is said and changes nothing") {
    TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "flip", few_points(folder)});
    if (!window) return;
    json before = to_end(*window);
    press_and_read(*window, "x");  // nothing is chosen yet
    // Nor are there tools of other labs, and Delete removes nothing.
    for (const char* key : {"n", "k", "b", "u", "Delete"}) {
        CAPTURE(key);
        const json said = press_and_read(*window, key);
        CHECK(said["tool"] == "look");
        CHECK(says(said, "Flip lab"));
        CHECK(said["position"] == before["position"]);
        CHECK(said["state_hash"] == before["state_hash"]);
    }
    // The edge from (1, 1) to (2, 2.2) has a convex quadrilateral around it, with (3, 1.1) and the corner (0, 3).
    json status = click_at(*window, seen_at(before, {1.5, 1.6, 0}), "edge");
    before = status;
    status = press_key(*window, "x", [&](const json& s) { return s["position"] != before["position"]; });
    CHECK(status["inspected"]["kind"] == "edge");
    CHECK(status["inspected"]["id"] == before["inspected"]["id"]);
    CHECK(status["inspected"]["corners"] != before["inspected"]["corners"]);  // turned, and still marked
    CHECK(status["done"] == false);  // what the lab would do next is there to be seen
    CHECK(to_end(*window)["with_ghosts"] == before["with_ghosts"]);
    // On the outline there is nothing to flip to.
    before = click_at(*window, seen_at(before, {2.2, 0, 0}), "edge");
    status = press_and_read(*window, "x");
    CHECK(says(status, "outline"));
    for (const char* same : {"position", "known", "state_hash", "loaded"}) {
        CAPTURE(same);
        CHECK(status[same] == before[same]);
    }
    CHECK(press_key(*window, "Left", "/position", before["position"].get<uint64_t>() - 1)["message"].is_null());
}

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
    status = press_key(*window, "t", "/camera/right", first["camera"]["right"]);
    // Not the pixels: where edges overlap they blend in the order that the threads listed them in.
    CHECK(status["camera"] == first["camera"]);
    status = press_key(*window, "t", "/camera/up", json({0.0, 0.0, 1.0}));
    CHECK(status["camera"]["right"] == json({1.0, 0.0, 0.0}));
    press_key(*window, "a", "/look/angles", true);
    press_key(*window, "w", "/look/edges", false);
    CHECK(window->screenshot(folder / "d.png").size() > 5000);
}

TEST_CASE("window: a vertex of a surface moves in the plane of the picture, and what hides others is picked") {
    TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "flip", write_tent(folder)});
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

TEST_CASE("window: in a race each half answers for itself") {
    TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "race", "--points", "uniform:40"});
    if (!window) return;
    const json status = window->settle();
    CHECK(status["beside"] == true);
    const auto [cx, cy] = middle(status["canvas"]);
    for (const int part : {0, 1}) {
        click(*window, {cx + (part ? 0.25 : -0.25) * number(status, "canvas", "width"), cy});
        const json found = window->wait_for(
            "an answer", [&](const json& s) { return !s["inspected"].is_null() && s["inspected"]["part"] == part; });
        CHECK(found["inspected"]["properties"].size() > 1);
    }
    // Zooming about a place of the right half keeps it there.
    window->move(cx + 0.3 * number(status, "canvas", "width"), cy + 20);
    for (int i = 0; i < 3; ++i) window->click(4);
    const json zoomed = window->wait_for("zooming", [&](const json& s) {
        return number(s, "camera", "scale") > 1.6 * number(status, "camera", "scale");
    });
    const double off = 0.05 * number(status, "canvas", "width");
    CHECK(number(zoomed, "camera", "x") + off / number(zoomed, "camera", "scale") ==
          doctest::Approx(number(status, "camera", "x") + off / number(status, "camera", "scale")).epsilon(0.01));
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
