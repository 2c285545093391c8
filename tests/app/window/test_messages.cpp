// What the line at the bottom says, and for how long: no message outlives what it speaks of.
#include <doctest/doctest.h>

#include "app/program.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

std::string said(const json& status) {
    return status["message"].is_string() ? status["message"].get<std::string>() : std::string();
}

json wait_until_said(WindowDriver& window, const std::string& part) {
    return window.wait_for("\"" + part + "\"", [&](const json& s) { return has(said(s), part); });
}

}  // namespace

TEST_CASE("window: what was said of a file that cannot be read goes when another is loaded, and with the next step") {
    const TemporaryFolder folder;
    write_file(folder / "bad.xy", "0 0\n1 1\nfive six\n");
    write_file(folder / "good.xy", "0 0\n4 0\n4 3\n0 3\n1 1\n");
    const auto window = window_or_skip({"--points", "uniform:30"});
    if (!window) return;
    const std::string bad = (folder / "bad.xy").string(), good = (folder / "good.xy").string();
    load_file(*window, bad);
    wait_until_said(*window, "bad.xy:3");
    load_file(*window, good);
    json status = window->wait_for("the good file", [](const json& s) { return s["input_count"] == 5; });
    CHECK_FALSE(has(said(status), "bad.xy"));
    load_file(*window, bad);
    status = wait_until_said(*window, "bad.xy:3");
    CHECK(status["input_count"] == 5);
    window->move(600, 300);
    window->click();                               // out of the field
    CHECK(has(said(window->settle()), "bad.xy"));  // it stays to be read
    window->key("Right");
    CHECK_FALSE(has(said(at_position(*window, 1)), "bad.xy"));
    window->key("r");
    status = window->wait_for("a fresh start", [](const json& s) { return s["known"] == 0; });
    CHECK_FALSE(has(said(status), "bad.xy"));
    CHECK(window->quit() == 0);
}

TEST_CASE("window: an answer holds at its state and at no other, and is not taken up again") {
    const auto window = window_or_skip({"--points", "uniform:300"});
    if (!window) return;
    window->settle();
    for (uint64_t i = 1; i <= 31; ++i) {
        window->key("Right");
        REQUIRE(at_position(*window, i)["known"] == i);
    }
    window->key("v");
    const std::string answer = said(
        window->wait_for("the check", [](const json& s) { return s["message"].is_string() && s["busy"] == false; }));
    REQUIRE_FALSE(answer.empty());
    window->key("Right");
    CHECK(said(at_position(*window, 32)) != answer);
    window->key("Home");
    const json start = at_position(*window, 0);
    CHECK(start["known"] == 32);
    CHECK(said(start) != answer);
    CHECK(window->quit() == 0);
}

TEST_CASE("window: what a step said goes when the timeline goes back before it, and comes again with it") {
    const auto window = window_or_skip(
        {"--lab", "events", "--set", "width=96", "--set", "height=64", "--set", "count=20", "--set", "comparisons=2"});
    if (!window) return;
    window->settle();
    window->key("Right");
    CHECK(has(said(at_position(*window, 1)), "Source:"));
    window->key("Right");
    CHECK(has(said(at_position(*window, 2)), "Source:"));
    window->key("Home");
    CHECK_FALSE(has(said(at_position(*window, 0)), "Source:"));
    window->key("Right");
    CHECK(has(said(at_position(*window, 1)), "Source:"));
    CHECK(window->quit() == 0);
}
