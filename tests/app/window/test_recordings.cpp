// A recording in the window: it opens its lab, plays, is scrubbed back and forth, and can be removed again.
#include <doctest/doctest.h>

#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window: a recording opens the Recording lab and is gone through step by step") {
    const auto window = window_or_skip({"--points", "uniform:100"});
    if (!window) return;
    CHECK(window->settle()["lab"] == "build");
    load_file(*window, std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/bowyer-watson.jsonl");
    json status = wait_for_value(*window, "/lab", "recording");
    CHECK(status["input_frames"] == "bowyer-watson.jsonl, 19 steps");
    CHECK(status["position"] == 0);
    status = press_key(*window, "Right", "/position", 1);
    CHECK(status["headline"]["text"] == "one triangle around all points");
    const std::string first = status["state_hash"];
    status = to_end(*window);
    CHECK(status["position"] == 19);
    const auto [x, y] = on_timeline(status, 8);
    window->move(x, y);
    window->click();
    status = at_position(*window, 8);
    press_key(*window, "Home", "/position", 0);
    CHECK(press_key(*window, "Right", "/position", 1)["state_hash"] == first);
}
