// Failures in the real window: the red headline, the list, going to one by click and by key.
#include <cmath>

#include "app/folders.h"
#include "app/window_hands.h"

using namespace flipscope;
using nlohmann::json;

namespace {

/// All of the chosen failure is on the canvas, and not too small to be seen.
void check_in_sight(const json& status) {
    const Rect canvas(status["canvas"]);
    double low = INFINITY, high = -INFINITY;  // screen coordinates, either way
    for (const json& place : status["failures"]["places"]) {
        const auto [x, y] = seen_in_plane(status, place[0], place[1]);
        CHECK(canvas.holds(x, y));
        low = std::min({low, x, y});
        high = std::max({high, x, y});
    }
    if (status["failures"]["places"].size() > 1) CHECK(high - low > 20);
}

}  // namespace

TEST_CASE(
    "window: a naive run that ends wrong has a red headline, and its failures are listed, clicked and zoomed to") {
    const auto window = window_or_skip({"--lab", "build", "--points", "grid:900@scale=0.1", "--set",
                                        "predicate=float-circumcentre", "--presenter-scale", "2", "--light"});
    if (!window) return;
    json status = window->settle();
    CHECK(status["headline"]["failed"] == false);
    CHECK(status["failures"]["count"] == 0);
    status = to_end(*window);
    CHECK(status["headline"]["failed"] == true);
    status = press_key(*window, "Down", "/failures/chosen", 0);  // where the list has no room
    check_in_sight(status);
    window->key("Escape");
    status = press_key(*window, "ctrl+0",
                       [](const json& s) { return s["failures"]["chosen"].is_null() && s["scale"] == 1; });
    const size_t count = status["failures"]["count"];
    REQUIRE(count > 20);
    CHECK(status["failures"]["listed"] == count);
    REQUIRE(status["boxes"].contains("failure/2"));
    const std::string hash = status["state_hash"];

    const json& row = status["boxes"]["failure/2"];
    click(*window, {row["x"].get<double>() + 60, middle(row).second});
    status = wait_for_value(*window, "/failures/chosen", 2);
    check_in_sight(status);
    CHECK(status["position"] == status["known"]);  // nothing has moved on
    status = press_key(*window, "Down", "/failures/chosen", 3);
    check_in_sight(status);
    // One by one: two keys can fall into one frame.
    for (int to = 2; to >= 0; --to) status = press_key(*window, "Up", "/failures/chosen", to);
    window->key("Up");  // and no further
    CHECK(window->settle()["failures"]["chosen"] == 0);
    status = press_key(*window, "Escape", "/failures/chosen", nullptr);
    CHECK(status["headline"]["failed"] == true);
    CHECK(status["state_hash"] == hash);

    click_box(*window, status["boxes"]["failures/save"]);
    status =
        window->wait_for("the file", [](const json& s) { return !s["failures"]["file"].get<std::string>().empty(); });
    const std::string file = status["failures"]["file"], text = read_file(file);
    CHECK(size_t(std::count(text.begin(), text.end(), '\n')) == count + 1);
    std::filesystem::remove(file);
}
