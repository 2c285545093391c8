// The search for the fewest points that fail, in the real window: begun at the list of failures, followed, its result
// opened and saved.
#include <filesystem>

#include "app/folders.h"
#include "app/scenario.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

std::vector<std::string> failing(const std::string& points, const std::string& scale = "1") {
    return {"--lab", "build", "--points", points, "--set", "predicate=float", "--presenter-scale", scale};
}

json failed_end(WindowDriver& window) {
    window.settle();
    window.key("End");
    json status = window.wait_for("the failed check", [](const json& s) { return s["headline"]["failed"] == true; });
    REQUIRE(status["check"]["passed"] == false);
    return status;
}

void press(WindowDriver& window, const std::string& button) {
    const json status = window.wait_for("the button " + button,
                                        [&](const json& s) { return s["shrinking"]["buttons"].contains(button); });
    const auto [x, y] = middle(status["shrinking"]["buttons"][button]);
    window.move(x, y);
    window.settle();
    window.click();
}

json ended(WindowDriver& window) {
    return window.wait_for(
        "its end", [](const json& s) { return s["shrinking"]["state"] == "ended"; }, 300);
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
    press(*window, "Shrink\u2026");
    status = window->wait_for(
        "fewer points", [](const json& s) { return s["shrinking"]["points"] > 0 && s["shrinking"]["points"] < 2000; });
    CHECK(status["shrinking"]["given"] == 2000);
    CHECK(status["shrinking"]["tests"] > 0);
    CHECK(status["points"] == 2000);  // what is shown is as it was
    window->key("Left");              // and can be stepped meanwhile
    status = window->wait_for("the pass before", [](const json& s) { return s["done"] == false; });
    CHECK(status["shrinking"]["state"] != "none");

    status = ended(*window);
    CHECK(status["shrinking"]["why"] == "");
    CHECK(status["shrinking"]["complete"] == true);
    const size_t left = status["shrinking"]["points"];
    CHECK(left > 2);
    CHECK(left < 13);
    CHECK(has(status["message"], "Shrunk: " + std::to_string(left) + " points that fail, of near-ring:2000"));
    press(*window, "Open");
    status = opened(*window, left);
    CHECK(status["check"]["passed"] == false);
    CHECK(status["parameters"]["predicate"] == "float");
    CHECK(status["shrinking"]["state"] == "ended");  // it can be opened again

    press(*window, "Save");
    status = window->wait_for("the file", [](const json& s) { return s["shrinking"]["file"] != ""; });
    const std::string file = status["shrinking"]["file"];
    const app::Scenario saved = app::read_scenario(file);
    CHECK(saved.lab == "build");
    CHECK(saved.places_given.size() == left);
    CHECK(saved.at == app::Scenario::kAtEnd);
    REQUIRE(saved.parameters.size() == 1);
    CHECK(saved.parameters[0].value == "float");
    std::filesystem::remove(file);

    press(*window, "Close");
    status = window->wait_for("none", [](const json& s) { return s["shrinking"]["state"] == "none"; });
    CHECK(status["points"] == left);
    CHECK(window->quit() == 0);
}

TEST_CASE("window: a key begins the search and opens what came of it, at presenter scale 2, too") {
    const auto window = window_or_skip(failing("near-ring:6000", "2"));
    if (!window) return;
    window->settle();
    window->key("z");  // nothing has failed yet
    json status = window->wait_for("a reason", [](const json& s) { return s["message"].is_string(); });
    CHECK(has(status["message"], "No check has failed here"));
    CHECK(status["shrinking"]["state"] == "none");
    failed_end(*window);
    window->key("z");
    status = ended(*window);
    const size_t left = status["shrinking"]["points"];
    REQUIRE(left > 0);
    CHECK(left < 6000);
    window->key("z");
    status = opened(*window, left);
    CHECK(status["check"]["passed"] == false);
    window->key("z");  // what is left of these
    window->wait_for("another search", [&](const json& s) { return s["shrinking"]["given"] == left; });
    CHECK(ended(*window)["shrinking"]["points"] <= left);
    CHECK(window->quit() == 0);
}
