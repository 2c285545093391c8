// Breakpoints in the window: listed, hit while playing, switched off and removed.
#include <doctest/doctest.h>

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

void list(WindowDriver& window, const std::string& text) {
    open_list(window);
    click_box(window, window.settle()["boxes"]["stop_field"]);
    window.settle();
    window.type(text);
    window.settle();
    window.key("Return");
    window.settle();
}

/// Of the list of breakpoints, while it is open.
size_t rows(const json& status) {
    size_t count = 0;
    while (status["boxes"].contains("stop/" + std::to_string(count) + "/on")) ++count;
    return count;
}

/// The text field gets this text. The line has the keyboard again a frame or two after a refusal.
void retype(WindowDriver& window, const std::string& text) {
    json status;
    for (int attempt = 0; attempt < 8; ++attempt) {
        window.settle();
        window.key("ctrl+a");
        window.settle();
        window.key("BackSpace");
        status = window.settle();
        if (status["stops"]["text"] != "") continue;  // two keys can fall into one frame
        window.type(text);
        status = window.settle();
        if (status["stops"]["text"] == text) return;
    }
    REQUIRE(status["stops"]["text"] == text);
}

}  // namespace

TEST_CASE("window: a breakpoint is changed and removed in the list, and one that was removed no longer stops") {
    const auto window = window_or_skip({"--lab", "flip", "--points", "uniform:300"});
    if (!window) return;
    list(*window, "pass=repair");
    json status = window->wait_for("the row", [](const json& s) { return rows(s) == 1; });
    window->type("illegal > 5");  // the line is ready for another
    window->settle();
    status = press_key(*window, "Return", [](const json& s) { return rows(s) == 2; });
    click_box(*window, status["boxes"]["stop/0/change"]);
    wait_for_value(*window, "/stops/text", "pass=repair");
    retype(*window, "ilegal > 3");
    status = press_key(*window, "Return", [](const json& s) { return s["stops"]["refusal"] != ""; });
    CHECK(has(status["stops"]["refusal"].get<std::string>(), "did you mean \"illegal\"?"));
    CHECK(status["stops"]["listed"][0]["text"] == "pass=repair");  // as it was
    retype(*window, "pass=flip");
    status = press_key(*window, "Return", "/stops/listed/0/text", "pass=flip");
    CHECK(status["stops"]["listed"].size() == 2);
    CHECK(status["stops"]["refusal"] == "");
    click_box(*window, status["boxes"]["stop/1/remove"]);
    status = window->wait_for("one row", [](const json& s) { return rows(s) == 1; });
    CHECK(status["stops"]["listed"][0]["text"] == "pass=flip");
    press_key(*window, "Escape", "/list_open", false);
    status = press_key(*window, "space", [](const json& s) { return s["position"] > 0 && s["playing"] == false; });
    CHECK(says(status, "the pass \"flip\" has run."));
    const uint64_t at = status["position"];
    CHECK(at < 3);

    open_list(*window);
    status = window->wait_for("the row", [](const json& s) { return rows(s) == 1; });
    click_box(*window, status["boxes"]["stop/0/on"]);
    wait_for_value(*window, "/stops/listed/0/on", false);
    click_box(*window, window->settle()["boxes"]["stop/0/on"]);
    wait_for_value(*window, "/stops/listed/0/on", true);
    click_box(*window, window->settle()["boxes"]["stop/0/remove"]);
    window->wait_for("none", [](const json& s) { return s["stops"]["listed"].empty(); });
    press_key(*window, "Escape", "/list_open", false);
    press_key(*window, "Home", "/position", 0);
    status = press_key(*window, "space", "/done", true);
    CHECK(status["position"] > at);
    CHECK(!says(status, "Stopped"));
}
