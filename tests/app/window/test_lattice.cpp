// Lattices in the real window: painting, and adding by a double click.
#include <cstdio>

#include "app/window_hands.h"

using namespace flipscope;

namespace {

TestedWindow voronoi_or_skip() {
    auto window = window_or_skip(
        {"--lab", "voronoi", "--points", "grid:16", "--set", "width=64", "--set", "height=48", "--set", "fit=on"});
    if (!window) return nullptr;
    window->key("2");  // its timings count the very questions of these tests
    to_end(*window);
    return window;
}

json with_tool(WindowDriver& window, const char* key, const std::string& tool) {
    return press_key(window, key, "/tool", tool);
}

}  // namespace

TEST_CASE("window: obstacles are painted and wiped off with a brush, and every stroke can be gone back on") {
    const auto window = voronoi_or_skip();
    if (!window) return;
    const json before = with_tool(*window, "b", "paint");
    const auto from = seen_in_plane(before, 12, 30), to = seen_in_plane(before, 40, 30);
    drag(*window, from, to.first - from.first, 0);
    const json painted = window->settle();
    CHECK(painted["position"].get<uint64_t>() == before["position"].get<uint64_t>() + 1);
    CHECK(painted["state_hash"] != before["state_hash"]);
    CHECK(painted["camera"] == before["camera"]);  // the picture has stayed
    with_tool(*window, "u", "wipe");
    for (int i = 0; i < 6; ++i) window->key("bracketright");  // a larger brush, and not a faster pace
    const json larger = window->wait_for(
        "a larger brush", [&](const json& s) { return s["brush"].get<double>() > 3 * painted["brush"].get<double>(); });
    CHECK(larger["speed"] == painted["speed"]);
    const auto begin = seen_in_plane(before, 26, 30);
    drag(*window, begin, seen_in_plane(before, 30, 30).first - begin.first, 0);
    const json wiped = window->settle();
    CHECK(wiped["position"].get<uint64_t>() == painted["position"].get<uint64_t>() + 1);
    CHECK(wiped["state_hash"] != painted["state_hash"]);
    for (uint64_t i = wiped["position"]; i > before["position"].get<uint64_t>(); --i)
        press_key(*window, "Left", "/position", i - 1);
    CHECK(window->settle()["state_hash"] == before["state_hash"]);
    CHECK(press_key(*window, "Escape", "/tool", "look")["position"] == before["position"]);
}

TEST_CASE("window: points are added by a double click, and removed by Delete") {
    const auto window = voronoi_or_skip();
    if (!window) return;
    json status = with_tool(*window, "q", "move");
    const auto points = [&](const json& s) { return s["numbers"]["sites"].get<double>(); };
    const auto wait_for_sites = [&](double wanted) {
        return window->wait_for(std::to_string(wanted) + " sites", [&](const json& s) { return points(s) == wanted; });
    };
    const double first = points(status);
    const auto [x, y] = seen_in_plane(status, 2, 2);
    window->move(x, y);
    window->settle();
    // Where frames take long, two clicks can be too far apart to be one double click: so often that they are not.
    for (int attempt = 0; attempt < 50 && points(status = window->settle()) == first; ++attempt) {
        window->wait_for("clicks before these to be over", [&](const json& s) {
            return s["seconds"].get<double>() > status["seconds"].get<double>() + 0.6;
        });
        window->click();
        window->click();
    }
    wait_for_sites(first + 1);
    window->settle();
    window->click();
    window->wait_for("an answer",
                     [](const json& s) { return !s["inspected"].is_null() && s["inspected"]["kind"] == "vertex"; });
    window->key("Delete");
    wait_for_sites(first);
    CHECK(window->settle()["inspected"].is_null());  // not the point that has the number now
}

TEST_CASE("window: the place under the cursor of a lattice is in the unit of its pixels") {
    const std::string film = FLIPSCOPE_SOURCE_DIR "/assets/foam.npy";
    const auto window = window_or_skip({"--lab", "events", "--field", film, "--set", "pixel_size=0.5"});
    if (!window) return;
    const auto [x, y] = seen_in_plane(to_end(*window), 24, 12);
    window->move(x, y);
    const json status = window->wait_for("the place", [](const json& s) { return s["boxes"].contains("readout"); });
    double across = 0, up = 0;
    std::sscanf(status["boxes"]["readout"]["text"].get<std::string>().c_str(), "%lf, %lf", &across, &up);
    CHECK(across == doctest::Approx(12).epsilon(0.05));
    CHECK(up == doctest::Approx(6).epsilon(0.05));
}
