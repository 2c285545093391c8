// What is wrong, in the real window: the red headline, the list of failures, going to one by click and by key, and a
// mesh that no lab can start from.
#include <cmath>

#include "app/folders.h"
#include "app/window_hands.h"

using namespace flipscope;
using nlohmann::json;

namespace {

const std::vector<std::string> kNaive{
    "--lab", "build", "--points", "grid:900@scale=0.1", "--set", "predicate=float-circumcentre"};

constexpr const char* kBroken =
    "OFF\n9 4 0\n0 0 0\n4 0 0\n2 3 0\n0 2 0\n2 -1 0\n4 2 0\n9 9 0\n0 0 0\n-4 0 0\n3 0 1 2\n3 3 4 5\n3 0 2 8\n3 0 4 8\n";

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

void click_row(WindowDriver& window, const json& status, int row) {
    const json& box = status["boxes"]["failure/" + std::to_string(row)];
    click(window, {box["x"].get<double>() + 60, middle(box).second});
}

}  // namespace

TEST_CASE(
    "window: a naive run that ends wrong has a red headline, and its failures are listed, clicked and zoomed to") {
    std::vector<std::string> arguments = kNaive;
    arguments.insert(arguments.end(), {"--presenter-scale", "2", "--light"});
    const auto window = window_or_skip(arguments);
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
    CHECK(status["check"]["passed"] == false);
    CHECK(status["headline"]["failed"] == true);
    CHECK(has(status["headline"]["text"], "Finished, but the check failed: not Delaunay: "));
    const size_t count = status["failures"]["count"];
    REQUIRE(count > 20);
    CHECK(status["failures"]["listed"] == count);
    CHECK(has(status["headline"]["text"], "illegal edges"));
    CHECK(status["failures"]["chosen"].is_null());
    REQUIRE(status["boxes"].contains("failure/2"));
    const std::string hash = status["state_hash"];

    click_row(*window, status, 2);
    status = window->wait_for("a choice", [](const json& s) { return !s["failures"]["chosen"].is_null(); });
    CHECK(status["failures"]["chosen"] == 2);
    check_in_sight(status);
    CHECK(status["position"] == status["known"]);  // nothing has moved on
    status = press_key(*window, "Down", "/failures/chosen", 3);
    check_in_sight(status);
    // One by one: two keys can fall into one frame.
    for (int to = 2; to >= 0; --to) status = press_key(*window, "Up", "/failures/chosen", to);
    window->key("Up");  // and no further
    CHECK(window->settle()["failures"]["chosen"] == 0);
    check_in_sight(window->settle());
    status = press_key(*window, "Escape", "/failures/chosen", nullptr);
    CHECK(status["headline"]["failed"] == true);
    CHECK(status["state_hash"] == hash);

    // A step before, nothing has failed; at the end it is checked again, and the run is what it was.
    status = press_key(*window, "Left", "/done", false);
    CHECK(status["headline"]["failed"] == false);
    CHECK(status["failures"]["count"] == 0);
    status = press_key(*window, "Right", "/headline/failed", true);
    CHECK(status["failures"]["count"] == count);
    CHECK(status["state_hash"] == hash);

    click_box(*window, status["boxes"]["failures/save"]);
    status =
        window->wait_for("the file", [](const json& s) { return !s["failures"]["file"].get<std::string>().empty(); });
    const std::string file = status["failures"]["file"], text = read_file(file);
    CHECK(size_t(std::count(text.begin(), text.end(), '\n')) == count + 1);
    std::filesystem::remove(file);
}

TEST_CASE("window: a mesh that no lab can start from is shown with what is wrong; the lab says why it cannot start") {
    const TemporaryFolder folder;
    const std::string broken = folder.file("broken.off", kBroken);
    const std::string good = folder.file("good.off", "OFF\n4 2 0\n0 0 0\n4 0 0\n4 4 0\n0 4 0\n3 0 1 2\n3 0 2 3\n");
    const auto window = window_or_skip({broken});
    if (!window) return;
    json status = window->settle();
    CHECK(status["lab"] == "flip");
    CHECK(status["loaded"] == true);
    CHECK(status["points"] == 9);
    CHECK(status["with_ghosts"]["triangles"] == 4);
    CHECK(has(status["refusal"], "broken.off is not a valid triangulation: triangle"));
    CHECK(status["message"] == status["refusal"]);
    CHECK(status["headline"]["failed"] == true);
    CHECK(has(status["headline"]["text"], "broken.off is no valid triangulation: "));
    const size_t count = status["failures"]["count"];
    CHECK(count > 4);

    // What would step it is off, and says why.
    for (const char* action : {"start", "round-back", "pass-back", "play", "pass-forward", "round-forward", "end"}) {
        INFO(action);
        CHECK(status["refusals"][action] == status["refusal"]);
    }

    // It is said anew; that what failed is listed says nothing, since it was listed before.
    const size_t said = status["messages"];
    status =
        press_key(*window, "r", [&](const json& s) { return s["messages"] > said && s["failures"]["count"] == count; });
    CHECK(status["headline"]["failed"] == true);

    status = press_key(*window, "Down", "/failures/chosen", 0);
    check_in_sight(status);
    click_row(*window, status, 1);
    status = wait_for_value(*window, "/failures/chosen", 1);
    const json close = status["camera"];
    // All of it; then a triangle is clicked.
    status = press_key(*window, "f", [&](const json& s) { return s["camera"] != close; });
    click(*window, seen_in_plane(status, -1.5, 0.7));
    status = window->wait_for("an answer", [](const json& s) { return !s["inspected"].is_null(); });
    CHECK(status["inspected"]["kind"] == "triangle");
    CHECK(status["inspected"]["id"] == 2);
    status = press_key(*window, "Escape", "/inspected", nullptr);
    // What can be started takes its place, in the same lab; and the broken one takes the place of that.
    load_file(*window, good);
    status = wait_for_value(*window, "/input", "good.off");
    CHECK(status["refusal"] == "");
    CHECK_FALSE(status["refusals"].contains("play"));
    CHECK(status["headline"]["failed"] == false);
    CHECK(status["failures"]["count"] == 0);
    CHECK(to_end(*window)["triangles"] == 2);
    load_file(*window, broken);
    status = wait_for_value(*window, "/input", "broken.off");
    CHECK(status["failures"]["count"] == count);

    // Far from the origin the list has both coordinates whole.
    load_file(*window, folder.file("far.off",
                                   "OFF\n4 2 0\n1000000.125 -2000000.5 0\n1000000.5 -2000000.5 0\n"
                                   "1000000.5 -2000000.25 0\n1000000.125 -2000000.25 0\n3 0 1 2\n3 0 3 2\n"));
    status = wait_for_value(*window, "/input", "far.off");
    REQUIRE(status["failures"]["count"] > 0);
    CHECK(has(status["boxes"]["failure/0"]["text"], "1000000."));
    CHECK(has(status["boxes"]["failure/0"]["text"], "-2000000."));
    CHECK(boxes_of(status, "cut/").empty());
}
