// What the window promises of its layout, asked of the real one: at a presenter scale the picture keeps half of it, no
// sentence is cut, the inspector covers nothing that was clicked and lets clicks through, sliders show their numbers,
// passes have a key, what was chosen is marked, and no lab begins with an empty canvas.
#include <cmath>
#include <set>
#include <tuple>

#include "app/folders.h"
#include "app/images/images.h"
#include "app/window_hands.h"
#include "app/window_tests.h"
#include "lab/registry.h"

using namespace flipscope;
using nlohmann::json;

namespace {

/// The line about what comes next, or came last, is all there, within the transport.
/// And so is where the run is, if in fewer words.
void check_next_line(const json& status) {
    INFO(status["boxes"]["next"].dump());
    CHECK_FALSE(has(status["boxes"]["next"]["text"], "\u2026"));
    CHECK_FALSE(has(status["boxes"]["place"]["text"], "\u2026"));
    CHECK(Rect(status["bottom"]).holds(Rect(status["boxes"]["next"])));
}

/// What comes next, or came last, is never cut, and however long it is, the picture stays where it is.
void check_narrow(WindowDriver& window, int width, int height) {
    CAPTURE(width);
    window.resize(width, height);
    wait_for_value(window, "/window/0", width);
    json status = press_key(window, "Home", "/position", 0);
    const json canvas = status["canvas"];
    for (uint64_t i = 1; i <= (width == 1280 ? 8 : 4); ++i) {
        check_next_line(status);
        CHECK(status["canvas"] == canvas);
        CHECK(status["covered"].get<double>() + status["bottom"]["y"].get<double>() ==
              doctest::Approx(canvas["height"].get<double>()));
        if (status["done"] == true) break;
        window.key("Right");
        status = window.wait_until("the pass", [&](const json& s) { return s["position"] == i && s["busy"] == false; });
    }
}

/// No size freezes the window at the end of a run, with each panel open and with none.
void check_every_size(WindowDriver& window) {
    static size_t tried = 0;
    to_end(window);
    check_next_line(window.settle());
    window.move(300, 300);
    window.click();
    for (const char* key : {"", "1", "2", "1", "3", "4", "F1"}) {
        CAPTURE(key);
        if (tried % case_stride(2) == 0) check_size(window, 1280, 800);
        if (*key) window.key(key);
        for (const auto& [width, height] : {std::pair(1, 1), std::pair(100, 500), std::pair(3, 900), std::pair(600, 2),
                                            std::pair(4000, 30), std::pair(350, 350)})
            if (tried++ % case_stride(8) == 0) check_size(window, width, height, !*key);
    }
}

/// The handles of sliders never lie over their numbers.
void check_sliders(const json& status) {
    for (const auto& [name, slider] : boxes_of(status, "slider/")) {
        INFO(name);
        const Rect track(slider), number(status["boxes"]["slider number/" + name]);
        CHECK_FALSE(track.meets(number));
        CHECK(number.right > number.left);
        CHECK(track.right - track.left > 40);
        const double edge = number.top > status["bottom"]["y"].get<double>() ? status["bottom"]["width"].get<double>()
                                                                             : status["canvas"]["x"].get<double>();
        CHECK(number.right <= edge);
    }
}

json after_click(WindowDriver& window, std::pair<double, double> at) {
    click(window, at);
    return window.settle();
}

/// How many different shades the middle of the canvas has, and a good part around it.
size_t shades_of_canvas(WindowDriver& window, const json& status, const std::filesystem::path& file) {
    window.screenshot(file);
    const FieldStack seen = app::read_any_field(file);
    const Rect canvas(status["canvas"]);
    std::set<int> shades;
    const auto part = [](double low, double high, double at) { return static_cast<uint32_t>(low + at * (high - low)); };
    for (uint32_t y = part(canvas.top, canvas.bottom, 0.45); y < part(canvas.top, canvas.bottom, 0.65); ++y)
        for (uint32_t x = part(canvas.left, canvas.right, 0.3); x < part(canvas.left, canvas.right, 0.7); ++x)
            shades.insert(static_cast<int>(255 * seen.values[size_t(seen.height - 1 - y) * seen.width + x]));
    return shades.size();
}

/// The strip of steps has a key that names the colour of every pass.
void check_pass_key(const json& status, const std::string& id) {
    std::set<std::string> named, passes;
    for (const auto& [pass, key] : boxes_of(status, "pass/")) {
        named.insert(pass);
        CHECK(Rect(status["bottom"]).holds(Rect(key)));
        CHECK_FALSE(Rect(key).meets(Rect(status["boxes"]["timeline"])));
    }
    for (const PassInfo& pass : make_lab(id)->info().passes) passes.insert(pass.name);
    CHECK(named == passes);
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
        const std::string example = entry.info().example;
        if (entry.id != "recording")  // which has been given one
            CHECK(status["source"] == (example.empty() ? "nothing given" : example));
        const auto check = [&] {
            CHECK(status["picture_share"] >= 0.5);
            CHECK(status["panels"]["bottom"] == true);
            CHECK(status["panels"]["left"] == false);
            CHECK(status["panels"]["right"] == false);
            if (status["position"] > 0) CHECK(status["legend_height"] > 0);
            CHECK(boxes_of(status, "pass/").size() > 0);
            check_next_line(status);
        };
        check();
        for (uint64_t i = 1; i <= 4 / case_stride(2) && status["done"] == false; ++i) {
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
        if (entry.id == "race") CHECK(has(status["headline"]["text"], "right, hashed id: "));
        if (entry.id == "race-builds") CHECK(has(status["headline"]["text"], "and last: subdivision"));
        // A panel that is asked for comes; at scale 1 both are back by themselves.
        for (const bool shown : {true, false, true}) {  // each in a frame of its own: with Ctrl held it is another key
            status = press_key(*window, "1", "/panels/left", shown);
            if (shown) check_sliders(status);
        }
        status = press_key(*window, "ctrl+0", "/scale", 1);
        CHECK(status["panels"]["left"] == true);
        CHECK(status["panels"]["right"] == true);
        CHECK(status["compact"] == false);
        check_pass_key(status, entry.id);
        check_sliders(status);
        CHECK(status["boxes"].contains("slider/speed"));
        for (const auto& [width, height] : {std::pair(1280, 800), std::pair(700, 800), std::pair(520, 700)})
            if (tried++ % case_stride(3) == 0) check_narrow(*window, width, height);
        check_every_size(*window);
    }
}

TEST_CASE("window: the inspector never covers what was clicked, and clicks on it reach the picture below") {
    const auto window = window_or_skip({"--points", "uniform:60", "--presenter-scale", "2"});
    if (!window) return;
    window->settle();
    to_end(*window);
    for (const int scale : {2, 1}) {
        CAPTURE(scale);
        if (scale == 1) window->key("ctrl+0");
        json status = wait_for_value(*window, "/scale", scale);
        const Rect canvas(status["canvas"]);
        const double legend = status["legend_height"];
        const json bounds = status["bounds"];
        const auto ask = [&](double fx, double fy) {  // about a place of the mesh, as parts of its bounds
            status = press_key(*window, "Escape", "/inspected", nullptr);
            const double left = bounds[0], low = bounds[1], right = bounds[2], high = bounds[3];
            const auto at = seen_in_plane(status, left + fx * (right - left), low + fy * (high - low));
            status = after_click(*window, at);
            return at;
        };
        int asked = 0, places = 0;
        const double step = 0.22 * static_cast<double>(case_stride(2));
        for (double fx = 0.06; fx < 1; fx += step)
            for (double fy = 0.06; fy < 1; fy += step) {
                ++places;
                const auto [x, y] = ask(fx, fy);
                if (status["inspected"].is_null()) continue;
                ++asked;
                INFO(status["inspected"].dump());
                const Rect box(status["inspector"]);
                CHECK(canvas.holds(box));
                CHECK(box.top >= canvas.top + legend);
                CHECK_FALSE(box.holds(x, y));
                for (const json& corner : status["inspected"]["corners"]) {
                    const auto [px, py] = seen_in_plane(status, corner[0], corner[1]);
                    CHECK_FALSE(box.holds(px, py));
                }
            }
        CHECK(asked >= places * 3 / 5);
        const auto inside = [](const json& s) {
            const Rect box(s["inspector"]);
            return std::pair(box.left + 0.3 * (box.right - box.left), box.top + 0.7 * (box.bottom - box.top));
        };
        // A click within its box asks about what lies there, and it makes way for that.
        ask(0.5, 0.5);
        REQUIRE_FALSE(status["inspected"].is_null());
        const json before = status["inspected"];
        const auto [x, y] = inside(status);
        const json next = after_click(*window, {x, y});
        CHECK(next["inspected"] != before);
        if (!next["inspected"].is_null()) CHECK_FALSE(Rect(next["inspector"]).holds(x, y));
        // A drag that begins on it moves the picture.
        ask(0.5, 0.5);
        REQUIRE_FALSE(status["inspected"].is_null());
        const auto [from_x, from_y] = inside(status);
        const double camera_x = status["camera"]["x"];
        window->move(from_x, from_y);
        window->settle();
        window->press();
        window->move(from_x + 60, from_y + 30);
        window->settle();
        window->release();
        status = window->settle();
        CHECK(status["camera"]["x"].get<double>() < camera_x);
        CHECK_FALSE(status["inspected"].is_null());
        // With a panel opened by hand there is no room beside it: then it stands in the panel, and covers nothing.
        for (const char* key : {"1", "2"}) {
            if (scale == 1) break;
            status = press_key(*window, key, [&](const json& s) {
                return s["docks"] == true && s["panels"][*key == '1' ? "left" : "right"] == true;
            });
            const Rect box(status["inspector"]), narrow(status["canvas"]);
            CHECK_FALSE(box.meets(narrow));
            CHECK(box.right - box.left > 400);
            bool seen = false;
            for (const json& corner : status["inspected"]["corners"]) {
                const auto [px, py] = seen_in_plane(status, corner[0], corner[1]);
                seen |= narrow.holds(px, py);
            }
            CHECK(seen);
            status = press_key(*window, key, "/docks", false);
        }
        // Its own button closes it.
        REQUIRE(status["inspector"]["controls"].size() > 0);
        click_box(*window, status["inspector"]["controls"][0]);
        wait_for_value(*window, "/inspected", nullptr);
    }
}

TEST_CASE("window: the chosen event is marked in the picture, around its place, and not under the detail view") {
    const auto window = window_or_skip({"--lab", "events", "--set", "comparisons=6", "--presenter-scale", "2"});
    if (!window) return;
    window->settle();
    to_end(*window);
    for (const int scale : {2, 1}) {
        CAPTURE(scale);
        if (scale == 1) window->key("ctrl+0");
        json status = wait_for_value(*window, "/scale", scale);
        REQUIRE(status["detections"]["found"] > 0);
        CHECK_FALSE(status["boxes"].contains("event_mark"));
        for (int i = 0; i < 3; ++i) {
            status = press_key(*window, "Up", [](const json& s) { return !s["detections"]["chosen"].is_null(); });
            const json& mark = status["boxes"]["event_mark"];
            INFO(mark.dump());
            CHECK(mark["width"].get<double>() >= 26 * scale - 0.5);
            const auto [x, y] = middle(mark);
            CHECK(Rect(status["canvas"]).holds(x, y));
            CHECK_FALSE(Rect(status["detail_view"]).holds(x, y));
        }
        // It stays in sight when a panel takes a part of the canvas.
        for (const char* key : {"1", "2"}) {
            const double width = status["canvas"]["width"];
            status = press_key(*window, key, [&](const json& s) {
                return s["canvas"]["width"] != width && s["boxes"].contains("event_mark");
            });
            const Rect canvas(status["canvas"]);
            const auto [x, y] = middle(status["boxes"]["event_mark"]);
            CHECK(canvas.holds(x, y));
            CHECK(y > canvas.top + status["legend_height"].get<double>());
            CHECK_FALSE(Rect(status["detail_view"]).holds(x, y));
            if (scale == 2) CHECK_FALSE(Rect(status["detail_view"]).meets(canvas));
            status = press_key(*window, key, "/canvas/width", width);
        }
        status = press_key(*window, "Escape", "/detections/chosen", nullptr);
        CHECK_FALSE(status["boxes"].contains("event_mark"));
    }
}

TEST_CASE("window: labs that start with an image or a field show it at once") {
    const std::string assets = FLIPSCOPE_SOURCE_DIR "/assets/";
    const TemporaryFolder folder;
    const auto check = [&](WindowDriver& window) {
        const auto toggle = [&](bool shown) {
            window.key("i");
            return press_key(window, "d", [=](const json& s) {
                return s["look"]["field"] == shown && s["look"]["points"] == shown;
            });
        };
        json status = window.settle();
        CHECK(status["position"] == 0);
        CHECK(status["look"]["field"] == true);
        CHECK(shades_of_canvas(window, status, folder / "shown.png") > 20);
        status = toggle(false);  // neither the numbers nor where points will be: the canvas is empty
        CHECK(shades_of_canvas(window, status, folder / "hidden.png") < 12);
        toggle(true);
    };
    const auto voronoi = window_or_skip({"--lab", "voronoi", assets + "logo.png"});
    if (!voronoi) return;
    check(*voronoi);
    CHECK(voronoi->quit() == 0);
    const auto events = window_or_skip({"--lab", "events"});
    check(*events);
    load_file(*events, assets + "foam.npy");
    events->wait_for("the film", [](const json& s) { return has(s["input_frames"].dump(), "foam"); });
    events->move(700, 300);
    events->click();  // out of the field of files
    events->key("Escape");
    check(*events);
}
