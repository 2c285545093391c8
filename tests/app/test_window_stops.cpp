// Breakpoints in the window: listed, hit while playing, switched off and removed; and the search for the pass after
// which the check fails.
#include <doctest/doctest.h>

#include "program.h"
#include "window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

void open_list(WindowDriver& window) {
    const auto [x, y] = middle(window.settle()["stops"]["button"]);
    window.move(x, y);
    for (int attempt = 0; attempt < 8 && !window.settle()["list_open"].get<bool>(); ++attempt) window.click();
    window.wait_for("the list", [](const json& s) { return s["list_open"].get<bool>(); });
}

void list(WindowDriver& window, const std::string& text) {
    open_list(window);
    const auto [x, y] = middle(window.settle()["stops"]["field"]);
    window.move(x, y);
    window.click();
    window.settle();
    window.type(text);
    window.settle();
    window.key("Return");
    window.settle();
}

bool says(const json& status, const char* part) {
    return status["message"].is_string() && has(status["message"].get<std::string>(), part);
}

}  // namespace

TEST_CASE("window: playing stops at a listed breakpoint and says why") {
    const auto window = window_or_skip({"--lab", "flip", "--points", "uniform:300"});
    if (!window) return;
    list(*window, "ilegal > 3");
    json status = window->settle();
    CHECK(has(status["stops"]["refusal"].get<std::string>(), "did you mean \"illegal\"?"));
    CHECK(status["stops"]["listed"].empty());
    window->key("Escape");
    window->wait_for("the list closed", [](const json& s) { return !s["list_open"].get<bool>(); });
    const auto fresh = window_or_skip({"--lab", "flip", "--points", "uniform:300"});
    list(*fresh, "pass=repair");
    status = fresh->wait_for("the breakpoint", [](const json& s) { return s["stops"]["listed"].size() == 1; });
    CHECK(status["stops"]["listed"][0]["text"] == "pass=repair");
    CHECK(status["stops"]["listed"][0]["on"] == true);
    fresh->key("Escape");
    fresh->wait_for("the list closed", [](const json& s) { return !s["list_open"].get<bool>(); });
    fresh->key("space");
    status = fresh->wait_for("the stop", [](const json& s) { return s["position"] == 3 && s["playing"] == false; });
    CHECK(says(status, "Stopped after pass 3: the pass \"repair\" has run."));
    fresh->key("End");
    status = at_end(*fresh);
    CHECK(status["position"].get<int>() > 3);
    CHECK(fresh->quit() == 0);
    CHECK(window->quit() == 0);
}
