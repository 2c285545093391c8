// Breakpoints in the window: listed, hit while playing, switched off and removed; and the search for the pass after
// which the check fails.
#include <doctest/doctest.h>

#include "app/program.h"
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

/// What stands in the line becomes this text. The line has the keyboard again a frame or two after a refusal.
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

/// A recording of 24 steps whose triangles lie on each other from the 15th on.
std::string recording_that_breaks(const TemporaryFolder& folder) {
    std::string lines = "{\"points\": [[0, 0], [2, 0], [2.5, 2], [0, 1]]}\n";
    for (int i = 1; i < 24; ++i)
        lines += i < 14 ? "{\"triangles\": [[0, 1, 2], [0, 2, 3]]}\n" : "{\"triangles\": [[0, 1, 2], [0, 1, 3]]}\n";
    return folder.file("breaks.jsonl", lines);
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

TEST_CASE("window: the first pass after which the check fails is found by a click") {
    const TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "recording", "--input", recording_that_breaks(folder)});
    if (!window) return;
    window->settle();
    to_end(*window);
    open_list(*window);
    click_box(*window, window->settle()["boxes"]["stop/search/"]);
    const json status = at_position(*window, 15);
    CHECK(says(status, "After pass 15, and not before it, the check fails"));
    CHECK(status["list_open"] == false);
    press_key(*window, "Left", "/position", 14);  // the keyboard is the timeline's again
}

TEST_CASE(
    "window: of a construction the first pass that makes an illegal edge is found, not the first with points left") {
    const auto window =
        window_or_skip({"--lab", "build", "--points", "near-ring:200", "--set", "predicate=float-circumcentre"});
    if (!window) return;
    window->settle();
    press_key(*window, "End", "/headline/failed", true);
    open_list(*window);
    json status = window->settle();
    REQUIRE(status["boxes"].contains("stop/search/illegal-edge"));
    click_box(*window, status["boxes"]["stop/search/illegal-edge"]);
    status = wait_until_said(*window, "the check finds illegal-edge: ");
    CHECK(status["list_open"] == false);
    const uint64_t at = status["position"];
    CHECK(at > 2);  // where points wait
    status = window->wait_for("the verdict", [](const json& s) { return s["failures"]["chosen"].is_number(); });
    CHECK(status["failures"]["code"] == "illegal-edge");  // it is to be seen, and what was found is still to be read
    CHECK(says(status, "the check finds illegal-edge: "));
    CHECK(status["position"] == at);
}
