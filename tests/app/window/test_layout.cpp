// The layout of the real window: at a presenter scale the picture keeps half of it, no size freezes it, and the
// inspector covers nothing that was clicked and lets clicks through.
#include "app/window_hands.h"
#include "lab/registry.h"

using namespace flipscope;
using nlohmann::json;

namespace {

constexpr std::pair<int, int> kOddSizes[] = {{1, 1}, {100, 500}, {3, 900}, {600, 2}, {4000, 30}, {350, 350}};

/// The line about the next or the last pass is complete, within the transport.
/// And so is where the run is, if in fewer words.
void check_next_line(const json& status) {
    INFO(status["boxes"]["next"].dump());
    CHECK_FALSE(has(status["boxes"]["next"]["text"], "\u2026"));
    CHECK_FALSE(has(status["boxes"]["place"]["text"], "\u2026"));
    CHECK(Rect(status["bottom"]).holds(Rect(status["boxes"]["next"])));
}

json after_click(WindowDriver& window, std::pair<double, double> at) {
    click(window, at);
    return window.settle();
}

}  // namespace

TEST_CASE(
    "window: every lab opens and runs at presenter scale 2, where its picture keeps half of the window, and at 1") {
    size_t tried = 0;
    for (const auto& entry : registry()) {
        INFO(entry.id);
        std::vector<std::string> arguments = opening(entry.id);
        arguments.insert(arguments.end(), {"--presenter-scale", "2"});
        const auto window = window_or_skip(arguments);
        if (!window) return;
        json status = window->settle();
        CHECK(status["loaded"] == true);
        CHECK(status["lab"] == entry.id);
        const auto check = [&] {
            CHECK(status["picture_share"] >= 0.5);
            CHECK(status["panels"]["left"] == false);
            CHECK(status["panels"]["right"] == false);
            check_next_line(status);
        };
        check();
        for (uint64_t i = 1; i <= 2 && status["done"] == false; ++i) {
            const double legend = status["legend_height"];
            status = press_key(*window, "Right", "/position", i);
            check();
            CHECK(status["legend_height"].get<double>() >= legend);  // or the picture would move with every pass
        }
        // With a sentence at the end that is longer than those of passes, the words come first.
        to_end(*window);
        status = window->settle();
        check_next_line(status);
        CHECK(status["position"] == status["known"]);
        CHECK(status["picture_share"] > 0.45);
        // At scale 1 both panels are back by themselves.
        status = press_key(*window, "ctrl+0", "/scale", 1);
        CHECK(status["panels"]["left"] == true);
        CHECK(status["panels"]["right"] == true);
        // No size freezes the window at the end of a run, with each panel open and with none.
        window->move(300, 300);
        window->click();
        for (const char* key : {"", "1", "2", "1", "3", "4", "F1"}) {
            CAPTURE(key);
            check_size(*window, 1280, 800);
            if (*key) window->key(key);
            const auto& [width, height] = kOddSizes[tried++ % std::size(kOddSizes)];
            check_size(*window, width, height, !*key);
        }
    }
}

TEST_CASE("window: tools, buttons, timeline and key begin at one margin, and nothing at the edges overlaps") {
    for (const double scale : {1.0, 2.0}) {
        const auto window = window_or_skip({"--points", "uniform:60", "--presenter-scale", std::to_string(scale)});
        if (!window) return;
        json status = window->settle();
        if (status["panels"]["left"] == true) status = press_key(*window, "1", "/panels/left", false);
        if (status["panels"]["right"] == true) status = press_key(*window, "2", "/panels/right", false);
        const json& boxes = status["boxes"];
        for (const char* name : {"button/lock", "button/start", "button/left-panel", "timeline", "pass/order"}) {
            CAPTURE(name);
            CHECK(boxes[name]["x"].get<double>() == doctest::Approx(12 * scale));
        }
        const auto end = [&](const char* box, const char* from, const char* size) {
            return boxes[box][from].get<double>() + boxes[box][size].get<double>();
        };
        for (const char* name : {"button/right-panel", "timeline", "place"}) {
            CAPTURE(name);
            CHECK(end(name, "x", "width") == doctest::Approx(1280 - 12 * scale).epsilon(0.002));
        }
        CHECK(boxes["button/left-panel"]["y"].get<double>() > end("button/lock", "y", "height"));
    }
}

TEST_CASE("window: the inspector never covers what was clicked, and clicks on it reach the picture below") {
    const auto window = window_or_skip({"--points", "uniform:60", "--presenter-scale", "2"});
    if (!window) return;
    window->settle();
    json status = to_end(*window);
    const auto ask = [&](double fx, double fy) {  // about a place of the mesh, as parts of its bounds
        status = press_key(*window, "Escape", "/inspected", nullptr);
        const json& bounds = status["bounds"];
        const double left = bounds[0], low = bounds[1], right = bounds[2], high = bounds[3];
        const auto at = seen_in_plane(status, left + fx * (right - left), low + fy * (high - low));
        status = after_click(*window, at);
        REQUIRE_FALSE(status["inspected"].is_null());
        return at;
    };
    for (const double along : {0.3, 0.7}) {
        const auto [x, y] = ask(along, along);
        INFO(status["inspected"].dump());
        const Rect box(status["inspector"]);
        CHECK(Rect(status["canvas"]).holds(box));
        CHECK_FALSE(box.holds(x, y));
        for (const json& corner : status["inspected"]["corners"]) {
            const auto [px, py] = seen_in_plane(status, corner[0], corner[1]);
            CHECK_FALSE(box.holds(px, py));
        }
    }
    const auto inside = [](const json& s) {
        const Rect box(s["inspector"]);
        return std::pair(box.left + 0.3 * (box.right - box.left), box.top + 0.7 * (box.bottom - box.top));
    };
    // A click within its box inspects the element there, and the box moves aside.
    ask(0.5, 0.5);
    const json before = status["inspected"];
    const auto [x, y] = inside(status);
    const json next = after_click(*window, {x, y});
    CHECK(next["inspected"] != before);
    if (!next["inspected"].is_null()) CHECK_FALSE(Rect(next["inspector"]).holds(x, y));
    // A drag that begins on it moves the picture.
    ask(0.5, 0.5);
    const double camera_x = status["camera"]["x"];
    drag(*window, inside(status), 60, 30);
    status = window->settle();
    CHECK(status["camera"]["x"].get<double>() < camera_x);
    CHECK_FALSE(status["inspected"].is_null());
    // With a panel opened by hand there is no room beside it: then it stands in the panel, and covers nothing.
    status = press_key(*window, "1", [](const json& s) { return s["docks"] == true && s["panels"]["left"] == true; });
    CHECK_FALSE(Rect(status["inspector"]).meets(Rect(status["canvas"])));
    status = press_key(*window, "1", "/docks", false);
    // Its own button closes it.
    REQUIRE(status["inspector"]["controls"].size() > 0);
    click_box(*window, status["inspector"]["controls"][0]);
    wait_for_value(*window, "/inspected", nullptr);
}
