// The search for the fewest points that fail, in the real window: begun at the list of failures, asked what to look
// for, followed, cancelled, its result opened and saved.
#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/folders.h"
#include "app/run/scenario.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

std::vector<std::string> failing(const std::string& points, const std::string& scale = "1") {
    return {"--lab", "build", "--points", points, "--set", "predicate=float-circumcentre", "--presenter-scale", scale};
}

json failed_end(WindowDriver& window) {
    window.settle();
    json status = press_key(window, "End", "/headline/failed", true);
    REQUIRE(status["check"]["passed"] == false);
    return status;
}

void press_button(WindowDriver& window, const std::string& button) {
    const json status = window.wait_for("the button " + button,
                                        [&](const json& s) { return s["boxes"].contains("shrinking/" + button); });
    click_box(window, status["boxes"]["shrinking/" + button]);
}

json asked(WindowDriver& window) { return wait_for_value(window, "/shrinking/asks", true); }

std::vector<std::string> offered(const json& status) { return status["shrinking"]["choices"]; }

std::string chosen(const json& status) {
    return status["shrinking"]["choices"].at(status["shrinking"]["choice"].get<size_t>());
}

/// Chooses it with the mouse and begins.
void shrink_to(WindowDriver& window, const std::string& fails) {
    window.key("z");
    const json status = asked(window);
    click_box(window, status["boxes"].at("shrinking/choice/" + fails));
    window.wait_for("the choice", [&](const json& s) { return chosen(s) == fails; });
    click_box(window, status["boxes"]["dialog/Shrink (Return)"]);
    wait_for_value(window, "/shrinking/fails", fails);
}

json ended(WindowDriver& window) {  // the frame after the end says so
    return window.wait_for(
        "its end", [](const json& s) { return s["shrinking"]["state"] == "ended" && s["message"].is_string(); }, 300);
}

json opened(WindowDriver& window, size_t points) {
    return window.wait_for("what is left", [&](const json& s) {
        return s["points"] == points && s["done"] == true && s["headline"]["failed"] == true;
    });
}

}  // namespace

TEST_CASE(
    "window: a failure is shrunk in the background to a few points, which are opened at their failure and saved") {
    const auto window = window_or_skip(failing("near-ring:2000"));
    if (!window) return;
    json status = failed_end(*window);
    CHECK(status["shrinking"]["state"] == "none");
    CHECK(status["points"] == 2000);
    press_button(*window, "Shrink\u2026");
    status = asked(*window);
    CHECK(chosen(status) == "check");
    CHECK(status["shrinking"]["state"] == "none");
    status = press_key(*window, "Return",
                       [](const json& s) { return s["shrinking"]["points"] > 0 && s["shrinking"]["points"] < 2000; });
    CHECK(status["shrinking"]["given"] == 2000);
    CHECK(status["shrinking"]["tests"] > 0);
    CHECK(status["points"] == 2000);  // what is shown is as it was
    window->key("Left");              // and can be stepped meanwhile
    status = wait_for_value(*window, "/done", false);
    CHECK(status["shrinking"]["state"] != "none");

    status = ended(*window);
    CHECK(status["shrinking"]["why"] == "");
    CHECK(status["shrinking"]["complete"] == true);
    const size_t left = status["shrinking"]["points"];
    CHECK(left > 2);
    CHECK(left < 13);
    CHECK(has(status["message"], "Shrunk: " + std::to_string(left) + " points that fail, of near-ring:2000"));
    press_button(*window, "Open");
    status = opened(*window, left);
    CHECK(status["check"]["passed"] == false);
    CHECK(status["parameters"]["predicate"] == "float-circumcentre");
    CHECK(status["shrinking"]["state"] == "ended");  // it can be opened again

    press_button(*window, "Save");
    status = window->wait_for("the file", [](const json& s) { return s["shrinking"]["file"] != ""; });
    const std::string file = status["shrinking"]["file"];
    const app::Scenario saved = app::read_scenario(file);
    CHECK(saved.lab == "build");
    CHECK(saved.places_given.size() == left);
    CHECK(saved.at == app::Scenario::kAtEnd);
    REQUIRE(saved.parameters.size() == 1);
    CHECK(saved.parameters[0].value == "float-circumcentre");
    std::filesystem::remove(file);

    press_button(*window, "Close");
    status = wait_for_value(*window, "/shrinking/state", "none");
    CHECK(status["points"] == left);
}

TEST_CASE(
    "window: what the fewest points are to show is chosen by keys at scale 2, too, and Escape leaves all as it is") {
    const auto window = window_or_skip(failing("near-ring:600", "2"));
    if (!window) return;
    CHECK(says(press_and_read(*window, "z"), "No check has failed here"));
    json status = failed_end(*window);
    const uint64_t end = status["position"];
    window->key("z");
    status = asked(*window);
    CHECK(offered(status) == std::vector<std::string>{"check", "cycles", "differs", "illegal-edge", "unused-point"});
    CHECK(chosen(status) == "check");
    window->key("Left");  // is not for the timeline now
    status = press_key(*window, "Down", [](const json& s) { return chosen(s) == "cycles"; });
    CHECK(status["position"] == end);
    press_key(*window, "Up", [](const json& s) { return chosen(s) == "check"; });
    press_key(*window, "Up", [](const json& s) { return chosen(s) == "unused-point"; });
    status = press_key(*window, "Escape", "/shrinking/asks", false);
    CHECK(status["shrinking"]["state"] == "none");
    CHECK(status["position"] == end);

    window->key("z");
    asked(*window);
    window->key("Return");
    const size_t left = ended(*window)["shrinking"]["points"];
    CHECK(left < 13);
    window->key("z");
    CHECK(opened(*window, left)["check"]["passed"] == false);
    window->key("z");  // what is left of these
    asked(*window);
    press_key(*window, "Return", "/shrinking/given", left);
    CHECK(ended(*window)["shrinking"]["points"] <= left);
}

TEST_CASE("window: the fewest points that show a chosen failure are opened and saved where they show it") {
    for (const std::string fails : {"unused-point", "cycles"}) {
        CAPTURE(fails);
        const auto window = window_or_skip(failing("near-ring:600"));
        if (!window) return;
        failed_end(*window);
        shrink_to(*window, fails);
        json status = ended(*window);
        REQUIRE(status["shrinking"]["why"] == "");
        const size_t left = status["shrinking"]["points"];
        CHECK(left >= 5);
        CHECK(left < 30);
        press_button(*window, "Open");
        status = opened(*window, left);
        if (fails == "unused-point") {
            CHECK(status["failures"]["code"] == fails);  // the first of this kind is chosen
            CHECK(has(status["headline"]["text"], "not inserted"));
        } else {
            CHECK(status["failures"]["chosen"].is_null());
            CHECK(has(status["boxes"]["next"]["text"], "The flips cycle"));
        }
        press_button(*window, "Save");
        status = window->wait_for("the file", [](const json& s) { return s["shrinking"]["file"] != ""; });
        const std::filesystem::path file = status["shrinking"]["file"].get<std::string>();
        const app::Scenario saved = app::read_scenario(file);
        CHECK(saved.at == app::Scenario::kAtEnd);
        CHECK(saved.places_given.size() == left);
        CHECK(has(saved.title, fails == "cycles" ? "whose flips cycle" : "with unused-point"));
        if (fails == "cycles") {
            load_file(*window, file.string());
            status = wait_for_value(*window, "/title", saved.title);
            CHECK(has(opened(*window, left)["boxes"]["next"]["text"], "The flips cycle"));
        }
        std::filesystem::remove(file);
    }
}

TEST_CASE("window: a search that is cancelled leaves the best so far, which is opened; closing the window ends one") {
    const auto window = window_or_skip(failing("near-ring:50000"));
    if (!window) return;
    failed_end(*window);
    shrink_to(*window, "unused-point");
    window->wait_until("some points",
                       [](const json& s) { return s["shrinking"]["points"] > 0 && s["shrinking"]["points"] < 50000; });
    json status = window->status();
    REQUIRE(status["shrinking"]["state"] == "runs");
    window->key("Escape");
    status = ended(*window);
    CHECK(status["shrinking"]["complete"] == false);
    CHECK(has(status["message"], "Shrinking ended early: "));
    const size_t left = status["shrinking"]["points"];
    CHECK(left > 4);
    CHECK(left < 50000);
    press_button(*window, "Open");
    status = opened(*window, left);
    CHECK(status["failures"]["code"] == "unused-point");
    CHECK(window->quit() == 0);

    const auto other = window_or_skip(failing("near-ring:50000"));
    failed_end(*other);
    shrink_to(*other, "differs");  // which takes about a minute
    REQUIRE(other->status()["shrinking"]["state"] == "runs");
    const auto begin = std::chrono::steady_clock::now();
    CHECK(other->quit() == 0);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}
