// The field that finds elements in the real window.
#include <string>

#include "app/window_hands.h"

using namespace flipscope;

namespace {

json inspected(WindowDriver& window, const char* kind, uint64_t id) {
    return window.wait_for(std::string(kind) + " " + std::to_string(id), [&](const json& s) {
        return !s["inspected"].is_null() && s["inspected"]["kind"] == kind && s["inspected"]["id"] == id;
    });
}

}  // namespace

TEST_CASE("window: what is typed into the field is found, seen and inspected, and what cannot be is said there") {
    const auto window = window_or_skip({"--lab", "build", "--points", "uniform:5000"});
    if (!window) return;
    to_end(*window);
    const double far = number(window->settle(), "camera", "scale");
    find_element(*window, "edge:417");
    json status = inspected(*window, "edge", 417);
    CHECK(status["find"]["open"] == false);
    CHECK(number(status, "camera", "scale") > 2 * far);  // as large as it takes
    const auto [x, y] =
        seen_at(status, {status["inspected"]["corners"][0][0], status["inspected"]["corners"][0][1], 0});
    CHECK(Rect(status["canvas"]).holds(x, y));
    find_element(*window, "triangle:88");
    inspected(*window, "triangle", 88);
    find_element(*window, "0.5, 0.5");
    status = window->wait_for("what lies there", [](const json& s) {
        return s["inspected"]["kind"] != "triangle" || s["inspected"]["id"] != 88;
    });
    CHECK(status["inspected"]["kind"] != "pixel");
    const json before = status["inspected"]["id"];
    find_element(*window, "edge:xyz");
    status = window->wait_for("why not", [](const json& s) { return s["find"]["note"] != ""; });
    CHECK(status["find"]["open"] == true);
    CHECK(has(status["find"]["note"].get<std::string>(), "no whole number"));
    status = press_key(*window, "Escape", "/find/open", false);
    CHECK(status["inspected"]["id"] == before);
    find_element(*window, "edge:99999999");
    status = wait_until_said(*window, "ids go from 0 to");
}
