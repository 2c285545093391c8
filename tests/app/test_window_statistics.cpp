// Statistics in the window: measured when they are looked at, and colours by them.
#include <doctest/doctest.h>

#include <sstream>

#include "window_tests.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window: statistics are measured when they are looked at, and colour the picture") {
    const auto window = window_or_skip({"--points", "uniform:400", "--hide", "triangles"}, {1280, 800});
    if (!window) return;
    window->key("End");
    json status = at_end(*window);
    CHECK(status["statistics"] == false);
    window->key("7");
    status = window->wait_for("statistics", [](const json& s) { return s["statistics"] == true; });
    for (const char* expected : {"degree", "nearest", "cell-area"}) {
        window->key("8");
        status = window->wait_for("the colours", [&](const json& s) { return s["colour_by"] == expected; });
    }
    status = window->wait_for("cells", [](const json& s) { return s["idle"] == true && s["look"].contains("cells"); });
    CHECK(status["selected"].is_null());

    CHECK(status["distributions"].contains("degree"));
    window->key("8");
    window->wait_for("the next", [](const json& s) { return s["colour_by"] == "cell-perimeter"; });
    CHECK(window->quit() == 0);
}
