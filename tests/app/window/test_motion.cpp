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

TEST_CASE("window: a picture that is saved during a motion shows the state at its end") {
    const auto window = window_or_skip({"--lab", "flip", "--mesh", "quad:60", "--motion", "--show", "paraboloid"});
    if (!window) return;
    press_key(*window, "Right", "/position", 1);
    window->settle();
    window->key("Right");  // for 0.6 s, beside the paraboloid
    std::string name, names[2], pictures[2];
    for (const int i : {0, 1}) {
        window->key("p");
        const json status = window->wait_for("a picture", [&](const json& s) { return s["picture"] != name; });
        CHECK(status["position"] == 2);
        name = names[i] = status["picture"];
        pictures[i] = read_file(name);
    }
    for (const std::string& file : names) std::filesystem::remove(file);
    CHECK(pictures[0] == pictures[1]);
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
