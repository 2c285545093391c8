// The paraboloid in the window: its key, turning it, and clicks on it.
#include "app/window_hands.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window: H lifts the points beside the plane, a drag turns them, and a click inspects the plane's element") {
    const auto window = window_or_skip({"--lab", "flip", "--mesh", "quad:60"});
    if (!window) return;
    json status = to_end(*window);
    CHECK(status["beside"] == false);
    status = press_key(*window, "h", "/beside", true);
    const json camera = status["camera"];
    CHECK_FALSE(status["look"].contains("upper-hull"));
    press_key(*window, "ctrl+h", "/look/upper-hull", true);
    const json& canvas = status["canvas"];
    const std::pair<double, double> middle{canvas["x"].get<double>() + 0.75 * canvas["width"].get<double>(),
                                           canvas["y"].get<double>() + 0.5 * canvas["height"].get<double>()};
    drag(*window, middle, 60, 40);
    status = window->settle();
    CHECK(status["camera"]["apart"] != camera["apart"]);
    CHECK(status["camera"]["x"] == camera["x"]);  // the plane stays
    CHECK(status["camera"]["scale"] == camera["scale"]);
    click(*window, middle);
    status = window->wait_for("an element", [](const json& s) { return !s["inspected"].is_null(); });
    CHECK(status["inspected"]["part"] == 0);
    status = press_key(*window, "Home", "/position", 0);  // going back lifts that state
    CHECK(status["beside"] == true);
    // The kept picture has its own, which turns as well.
    status = press_key(*window, "9", [](const json& s) { return !s["kept"].is_null(); });
    status = window->settle();
    const json& kept = status["kept"];
    const json apart = status["camera"]["apart"];
    drag(*window,
         {kept["x"].get<double>() + 0.75 * kept["width"].get<double>(),
          kept["y"].get<double>() + 0.5 * kept["height"].get<double>()},
         40, 20);
    status = window->settle();
    CHECK(status["camera"]["apart"] != apart);
    CHECK(status["kept"]["camera"]["scale"] == status["camera"]["scale"]);
    press_key(*window, "h", "/beside", false);
}
