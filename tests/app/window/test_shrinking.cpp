// The search for the fewest failing points, in the real window: started from the list of failures, its dialog, its
// progress, cancelled, its result opened and saved.
#include <filesystem>

#include "app/folders.h"
#include "app/run/scenario.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

void press_button(WindowDriver& window, const std::string& button) {
    const json status = window.wait_for("the button " + button,
                                        [&](const json& s) { return s["boxes"].contains("shrinking/" + button); });
    click_box(window, status["boxes"]["shrinking/" + button]);
}

std::string chosen(const json& status) {
    return status["shrinking"]["choices"].at(status["shrinking"]["choice"].get<size_t>());
}

}  // namespace

TEST_CASE(
    "window: a failure is shrunk in the background to a few points, which are opened at their failure and saved") {
    const auto window =
        window_or_skip({"--lab", "build", "--points", "near-ring:2000", "--set", "predicate=float-circumcentre"});
    if (!window) return;
    window->settle();
    json status = press_key(*window, "End", "/headline/failed", true);
    CHECK(status["shrinking"]["state"] == "none");
    CHECK(status["points"] == 2000);
    press_button(*window, "Shrink\u2026");
    status = wait_for_value(*window, "/shrinking/asks", true);
    CHECK(chosen(status) == "check");
    CHECK(status["shrinking"]["state"] == "none");
    press_key(*window, "Down", [](const json& s) { return chosen(s) != "check"; });
    press_key(*window, "Up", [](const json& s) { return chosen(s) == "check"; });
    status = press_key(*window, "Return",
                       [](const json& s) { return s["shrinking"]["points"] > 0 && s["shrinking"]["points"] < 2000; });
    CHECK(status["shrinking"]["given"] == 2000);
    CHECK(status["shrinking"]["tests"] > 0);
    CHECK(status["points"] == 2000);  // what is shown is as it was
    window->key("Left");              // and can be stepped meanwhile
    status = wait_for_value(*window, "/done", false);
    CHECK(status["shrinking"]["state"] != "none");

    status = window->wait_for(  // the frame after the end says so
        "its end", [](const json& s) { return s["shrinking"]["state"] == "ended" && s["message"].is_string(); }, 300);
    CHECK(status["shrinking"]["why"] == "");
    CHECK(status["shrinking"]["complete"] == true);
    const size_t left = status["shrinking"]["points"];
    CHECK(left > 2);
    CHECK(left < 13);
    CHECK(has(status["message"], "Shrunk: " + std::to_string(left) + " points that fail, of near-ring:2000"));
    press_button(*window, "Open");
    status = window->wait_for("what is left", [&](const json& s) {
        return s["points"] == left && s["done"] == true && s["headline"]["failed"] == true;
    });
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
    std::filesystem::remove(file);

    press_button(*window, "Close");
    status = wait_for_value(*window, "/shrinking/state", "none");
    CHECK(status["points"] == left);
}
