// Detections in the real window: the list, going to a detection by click and by key, the detail view, pausing at
// detections.
#include <filesystem>
#include <set>

#include "app/window_hands.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

/// Rounds on until something was found.
json first_detections(WindowDriver& window) {
    json status = window.settle();
    for (int i = 0; i < 20 && status["detections"]["found"] == 0; ++i) {
        const uint64_t before = status["position"];
        status = press_key(window, "Next", [&](const json& s) { return s["position"] > before; });
    }
    REQUIRE(status["detections"]["found"] > 0);
    return status;
}

}  // namespace

TEST_CASE("window: detections are listed, clicked, stepped through and saved, and playing stops at them if enabled") {
    const auto window = window_or_skip({"--lab", "events"});
    if (!window) return;
    json status = window->settle();
    const json found = first_detections(*window);
    status = press_key(*window, "Next", [&](const json& s) { return s["position"] > found["position"]; });
    const size_t known = status["detections"]["known"];
    CHECK(status["detections"]["found"] == known);
    CHECK(status["detections"]["chosen"].is_null());
    CHECK(status["detail_view"]["width"] == 0);

    // The newest are in sight; one of the first of those is clicked.
    const size_t row = row_in_sight(status, "detection");
    click_box(*window, status["boxes"]["detection/" + std::to_string(row)]);
    status = window->wait_for("the detail view", [](const json& s) { return s["detections"]["diagrams"] > 0; });
    const size_t chosen = status["detections"]["chosen"];
    CHECK(chosen == row);
    CHECK(status["detections"]["found"] > chosen);
    CHECK(status["detections"]["known"] == known);  // later detections stay known
    CHECK(status["detail_view"]["width"] > 0);
    const auto [x, y] = middle(status["boxes"].at("event_mark"));
    CHECK(Rect(status["canvas"]).holds(x, y));
    CHECK_FALSE(Rect(status["detail_view"]).holds(x, y));

    // Up and down go through them; to the first one, which lies earlier.
    press_key(*window, "Up", [&](const json& s) { return chosen == 0 || s["detections"]["chosen"] == chosen - 1; });
    status = press_key(*window, "Down", [&](const json& s) {
        return s["detections"]["chosen"] >= chosen && s["detections"]["diagrams"] > 0;
    });
    CHECK(status["position"] <= status["known"]);
    status = press_key(*window, "Escape", "/detections/chosen", nullptr);
    CHECK(status["detail_view"]["width"] == 0);

    const size_t listed = status["detections"]["found"];
    click_box(*window, status["boxes"]["detections/save"]);
    status = window->wait_for("the file", [](const json& s) { return s["detections"]["file"] != ""; });
    CHECK(says(status, std::to_string(listed) + " event"));
    std::filesystem::remove(status["detections"]["file"].get<std::string>());

    // Back at the start there is no detection yet, and all later ones are still listed.
    status = press_key(*window, "Home", "/position", 0);
    CHECK(status["detections"]["found"] == 0);
    CHECK(status["detections"]["known"] == known);
    status = press_key(*window, "r", "/known", 0);
    CHECK(status["detections"]["known"] == 0);

    CHECK(status["pauses"] == false);
    click_box(*window, status["boxes"].at("pause_toggle"));
    wait_for_value(*window, "/pauses", true);
    for (int i = 0; i < 12; ++i) window->key("bracketright");  // faster
    status = press_key(*window, "space", [](const json& s) { return s["position"] > 0 && s["playing"] == false; });
    CHECK(status["detections"]["found"] > 0);
    CHECK(status["done"] == false);
    const uint64_t first = status["position"];
    // And on to the next one.
    press_key(*window, "space", [&](const json& s) { return s["position"] > first && s["playing"] == false; });
    press_key(*window, "e", "/pauses", false);
}

TEST_CASE("window: curves that were kept stay beside those of the next moments and runs, each with its name") {
    const auto window = window_or_skip({"--lab", "events", "--set", "source=channel", "--set", "width=128", "--set",
                                        "height=96", "--set", "count=40", "--set", "comparisons=4"});
    if (!window) return;
    window->settle();
    window->key("Next");  // the first frame has nothing that flows yet
    const uint64_t first = window->settle()["position"];
    press_key(*window, "Next", [&](const json& s) { return s["position"] > first && s["curves"].size() == 1; });
    json status = press_key(*window, "g", [](const json& s) { return s["curves"].size() == 2; });
    CHECK(status["curves"][0]["kept"] == false);
    CHECK(status["curves"][1]["kept"] == true);
    status = to_end(*window);
    REQUIRE(status["curves"].size() == 2);
    std::set<std::string> labels;
    for (const json& curve : status["curves"]) {
        CHECK(curve["points"] > 20);
        labels.insert(curve["label"]);
    }
    CHECK(labels.size() == 2);
    press_key(*window, "g", [](const json& s) { return s["curves"].size() == 3; });
    status = press_key(*window, "r", "/position", 0);
    CHECK(status["curves"].size() == 2);  // those of before
    for (const json& curve : status["curves"]) CHECK(curve["kept"] == true);
}
