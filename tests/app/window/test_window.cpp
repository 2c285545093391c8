// The real window, driven by real keys and the mouse, and tested by the status that it prints and by its pixels.
#include "app/program.h"
#include "app/window_hands.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window: keys and the timeline go by pass, flip pass and round, with the same states each time") {
    const auto window = window_or_skip({"--points", "uniform:300"});
    if (!window) return;
    json status = window->settle();
    CHECK(status["loaded"] == true);
    CHECK(status["position"] == 0);
    const json start = status["state_hash"];
    CHECK(start.is_string());

    press_key(*window, "Right", "/position", 1);
    status = press_key(*window, "Right", "/position", 2);
    const json second = status["state_hash"];
    CHECK(second != start);
    status = press_key(*window, "Next", [](const json& s) { return s["position"] > 2 && s["round"] == 1; });
    const uint64_t round_end = status["position"];
    const json first_round = status["state_hash"];
    status = press_key(*window, "shift+Right", "/iteration", 1);
    CHECK(status["position"] > round_end);
    status = press_key(*window, "Prior", "/position", round_end);
    CHECK(status["state_hash"] == first_round);
    status = to_end(*window);
    const json end = status["state_hash"];
    const uint64_t last = status["position"];
    CHECK(status["known"] == last);

    // Dragged back to the end of the round.
    const auto [x0, y] = on_timeline(status, static_cast<double>(last));
    const auto [x1, y1] = on_timeline(status, static_cast<double>(round_end));
    drag(*window, {x0, y}, x1 - x0, y1 - y);
    status = wait_for_value(*window, "/position", round_end);
    CHECK(status["state_hash"] == first_round);
    CHECK(status["round"] == 1);
    CHECK(status["known"] == last);
    CHECK(press_key(*window, "Home", "/position", 0)["state_hash"] == start);
    CHECK(window->status()["known"] == last);  // what was known stays known
    press_key(*window, "r", "/known", 0);
    CHECK(to_end(*window)["state_hash"] == end);
}

TEST_CASE("window: the wheel zooms about the cursor, dragging moves the picture, F fits it; clicks, lists and Escape") {
    const auto window = window_or_skip({"--points", "uniform:200"});
    if (!window) return;
    const json fitted = to_end(*window);
    const auto [cx, cy] = middle(fitted["canvas"]);
    const double x = cx + 90, y = cy - 60;
    window->move(x, y);
    window->settle();
    const auto under = [&](const json& s) {
        return number(s, "camera", "x") + (x - cx) / number(s, "camera", "scale");
    };
    for (int i = 0; i < 3; ++i) window->click(4);
    json status = window->wait_for("zooming in", [&](const json& s) {
        return number(s, "camera", "scale") > 1.6 * number(fitted, "camera", "scale");
    });
    CHECK(under(status) == doctest::Approx(under(fitted)).epsilon(1e-3));
    window->press();
    window->move(x + 70, y + 40);
    window->release();
    window->wait_for("moving", [&](const json& s) { return number(s, "camera", "x") < number(status, "camera", "x"); });
    press_key(*window, "f", "/camera", fitted["camera"]);
    CHECK(window->status()["inspected"].is_null());  // a drag is no click

    click_box(*window, fitted["canvas"]);
    status = window->wait_for("an answer", [](const json& s) { return !s["inspected"].is_null(); });
    CHECK(status["inspected"]["properties"].size() > 1);
    CHECK(status["panels"]["inspector"] == true);
    CHECK(status["state_hash"] == fitted["state_hash"]);
    CHECK(status["list_open"] == false);
    // Escape closes a list that is open before anything else.
    const auto open_labs = [&] {
        click_box(*window, window->settle()["boxes"]["lab_list"]);
        wait_for_value(*window, "/list_open", true);
        window->settle();
    };
    open_labs();
    status = press_key(*window, "Escape", "/list_open", false);
    CHECK(!status["inspected"].is_null());
    CHECK(status["lab"] == "build");
    press_key(*window, "Escape", "/inspected", nullptr);
    // An open list takes the keys, and the run stays where it is.
    open_labs();
    for (const char* key : {"Left", "Home", "Down", "Down"}) window->key(key);
    CHECK(window->settle()["position"] == fitted["position"]);
    status = press_key(*window, "Return", [](const json& s) { return s["lab"] != "build"; });
    CHECK(status["list_open"] == false);
    press_key(*window, "Right", "/position", 1);
}

TEST_CASE("window: a predicate of points that are typed or clicked is evaluated where elements are found") {
    TemporaryFolder folder;
    const auto window = window_or_skip({folder.file("p.xy", "0 0\n4 0\n4 4\n0 4\n1 2\n3 1\n"), "--lab", "build"});
    if (!window) return;
    json status = to_end(*window);
    press_key(*window, "ctrl+f", "/find/open", true);
    window->settle();
    window->type("incircle 0 1 2 3");
    window->settle();
    status =
        press_key(*window, "Return", [](const json& s) { return !s["find"]["answer"].get<std::string>().empty(); });
    CHECK(has(status["find"]["answer"].get<std::string>(), "point 3: 0, 4"));
    CHECK(has(status["find"]["answer"].get<std::string>(), "Exact"));
    // Three more points are clicked, and a fourth: the answer is another one.
    for (const auto& [x, y] : {std::pair{0., 0.}, {4., 0.}, {3., 1.}, {1., 2.}}) {
        const json now = window->settle();
        click(*window, seen_at(now, {x, y, 0}));
        window->wait_for("another text", [&](const json& s) { return s["find"]["text"] != now["find"]["text"]; });
    }
    status =
        window->wait_for("the answer", [](const json& s) { return !s["find"]["answer"].get<std::string>().empty(); });
    CHECK(status["find"]["text"] == "incircle 0 1 5 4");
    press_key(*window, "Escape", "/find/open", false);
}

TEST_CASE("window: options of a generator that are refused leave the points as they are, and others drop the title") {
    const TemporaryFolder folder;
    const std::string points = "thomas:60@mean=5";
    const auto window =
        window_or_skip({folder.file("titled.json", R"({"title": "Sixty", "points": ")" + points + R"("})")});
    if (!window) return;
    const json before = window->settle();
    CHECK(before["title"] == "Sixty");
    enter_text(*window, "options_field", "/generator_options", "mean=0");
    const json refused = wait_until_said(*window, "from 1 to 1e+06, found 0");
    CHECK(refused["title"] == "Sixty");
    CHECK(refused["source"] == before["source"]);
    enter_text(*window, "options_field", "/generator_options", "mean=5");
    const json status = wait_for_value(*window, "/title", "");
    CHECK(status["source"] == points);
}

TEST_CASE("window: the first start shows a few points; help, panels, themes and larger text have keys") {
    TemporaryFolder folder;
    const auto window = window_or_skip({});
    if (!window) return;
    json status = window->settle();
    CHECK(status["position"] == 0);
    CHECK(status["playing"] == false);
    CHECK(has(status.dump(), "uniform:60"));
    to_end(*window);
    window->key("2");  // its timings count the very questions of this test
    wait_for_value(*window, "/panels/right", false);
    const std::string dark = window->screenshot(folder / "a.png");
    press_key(*window, "question", "/panels/help", true);
    press_key(*window, "Escape", "/panels/help", false);
    CHECK(window->screenshot(folder / "b.png") == dark);  // nothing moves by itself
    const double width = number(window->status(), "canvas", "width");
    press_key(*window, "1", "/panels/left", false);
    CHECK(number(window->status(), "canvas", "width") > width);
    press_key(*window, "Tab",
              [](const json& s) { return !s["panels"]["right"].get<bool>() && !s["panels"]["bottom"].get<bool>(); });
    press_key(*window, "Tab", [](const json& s) {
        return s["panels"]["left"].get<bool>() && s["panels"]["right"].get<bool>() && s["panels"]["bottom"].get<bool>();
    });
    press_key(*window, "l", "/light", true);
    CHECK(window->screenshot(folder / "c.png") != dark);

    for (int i = 0; i < 6; ++i) {
        const double before = window->settle()["scale"];
        press_key(*window, "ctrl+equal", [&](const json& s) { return s["scale"] > before; });
    }
    CHECK(window->settle()["scale"] > 1.9);
    press_key(*window, "1", "/panels/left", true);
    window->key("2");  // there is room for one of them only
    status = wait_for_value(*window, "/panels/right", true);
    CHECK(status["panels"]["left"] == false);
    press_key(*window, "ctrl+0", "/scale", 1);
}

TEST_CASE("window: without a display the program says so and what else to do") {
    const Environment no_display("DISPLAY", ""), no_wayland("WAYLAND_DISPLAY", "");
    const Outcome outcome = run_program({"--points", "uniform:10", "--device", "cpu"});
    CHECK(outcome.status != 0);
    CHECK(outcome.err.find("--picture") != std::string::npos);
}
