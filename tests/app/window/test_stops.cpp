// Breakpoints in the window: listed, hit while playing, switched off and removed.
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

void open_list(WindowDriver& window) {
    const auto [x, y] = middle(window.settle()["boxes"]["stops"]);
    window.move(x, y);
    for (int attempt = 0; attempt < 8 && !window.settle()["list_open"].get<bool>(); ++attempt) window.click();
    wait_for_value(window, "/list_open", true);
}

}  // namespace

TEST_CASE("window: a breakpoint is listed, changed, switched off and removed, and playing stops at it") {
    const auto window = window_or_skip({"--lab", "flip", "--points", "uniform:300"});
    if (!window) return;
    open_list(*window);
    enter_text(*window, "stop_field", "/stops/text", "pass=repair");
    json status = window->wait_for("the row", [](const json& s) { return s["boxes"].contains("stop/0/change"); });
    click_box(*window, status["boxes"]["stop/0/change"]);
    wait_for_value(*window, "/stops/text", "pass=repair");
    enter_text(*window, "stop_field", "/stops/text", "ilegal > 3");
    status = window->wait_for("why not", [](const json& s) { return s["stops"]["refusal"] != ""; });
    CHECK(has(status["stops"]["refusal"].get<std::string>(), "did you mean \"illegal\"?"));
    CHECK(status["stops"]["listed"][0]["text"] == "pass=repair");  // as it was
    enter_text(*window, "stop_field", "/stops/text", "pass=flip");
    status = wait_for_value(*window, "/stops/listed/0/text", "pass=flip");
    CHECK(status["stops"]["refusal"] == "");
    press_key(*window, "Escape", "/list_open", false);
    status = press_key(*window, "space", [](const json& s) { return s["position"] > 0 && s["playing"] == false; });
    CHECK(says(status, "the pass \"flip\" has run."));
    CHECK(status["position"] < 3);

    open_list(*window);
    status = window->wait_for("the row", [](const json& s) { return s["boxes"].contains("stop/0/on"); });
    click_box(*window, status["boxes"]["stop/0/on"]);
    wait_for_value(*window, "/stops/listed/0/on", false);
    click_box(*window, window->settle()["boxes"]["stop/0/remove"]);
    window->wait_for("none", [](const json& s) { return s["stops"]["listed"].empty(); });
}
