// Steps that are shown on their way, in a real window.
#include "app/window_hands.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window: a flip is drawn on its way, forwards and back, unless motion is off or the run plays fast") {
    const auto window = window_or_skip({"--lab", "flip", "--mesh", "quad:60", "--motion"});
    if (!window) return;
    press_key(*window, "Right", "/position", 1);
    json status = window->settle();
    CHECK(status["motions"] == 0);  // the claims
    const uint64_t draws = status["scene_draws"];
    press_key(*window, "Right", "/position", 2);
    status = window->settle();
    CHECK(status["motions"] == 1);
    CHECK(status["scene_draws"].get<uint64_t>() > draws + 1);
    press_key(*window, "Left", "/position", 1);
    CHECK(window->settle()["motions"] == 2);
    press_key(*window, "Right", "/position", 2);  // at once, in the middle of it
    press_key(*window, "Left", "/position", 1);
    CHECK(window->settle()["motions"] == 4);
    for (int i = 0; i < 3; ++i) window->key("bracketright");  // more than 8 passes a second
    const json motions = window->settle()["motions"];
    window->key("space");
    status = window->wait_for("the end", [](const json& s) { return s["done"] == true; });
    CHECK(status["motions"] == motions);
}

TEST_CASE("window: without motion a step is drawn once") {
    const auto window = window_or_skip({"--lab", "flip", "--mesh", "quad:60"});
    if (!window) return;
    press_key(*window, "Right", "/position", 1);
    const uint64_t draws = window->settle()["scene_draws"];
    press_key(*window, "Right", "/position", 2);
    const json status = window->settle();
    CHECK(status["motions"] == 0);
    CHECK(status["scene_draws"].get<uint64_t>() <= draws + 1);
}
