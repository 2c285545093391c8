// The mouse in a real window: pixels of places, clicks on them, drags.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "app/window_tests.h"

namespace flipscope {

/// Where a place is shown, in the window; of two scenes side by side on the side `part`.
inline std::pair<double, double> seen_at(const json& status, const std::array<double, 3>& place, int part = -1) {
    const json &camera = status["camera"], &canvas = status["canvas"];
    const auto along = [&](const char* axis) {
        return place[0] * camera[axis][0].get<double>() + place[1] * camera[axis][1].get<double>() +
               place[2] * camera[axis][2].get<double>();
    };
    const double scale = camera["scale"], width = canvas["width"];
    const double middle = part < 0 ? 0.5 : part == 0 ? 0.25 : 0.75;
    return {canvas["x"].get<double>() + middle * width + (along("right") - camera["x"].get<double>()) * scale,
            canvas["y"].get<double>() + 0.5 * canvas["height"].get<double>() -
                (along("up") - camera["y"].get<double>()) * scale};
}
/// The same of a place in the plane.
inline std::pair<double, double> seen_in_plane(const json& status, double x, double y) {
    return seen_at(status, std::array{x, y, 0.0});
}

inline json click_at(WindowDriver& window, std::pair<double, double> at, const char* kind) {
    click(window, at);
    return window.wait_for(std::string("an answer: ") + kind,
                           [&](const json& s) { return !s["inspected"].is_null() && s["inspected"]["kind"] == kind; });
}

inline void drag(WindowDriver& window, std::pair<double, double> from, double dx, double dy) {
    window.move(from.first, from.second);
    window.settle();
    window.press();
    window.settle();  // the question what lies there is answered
    for (int i = 1; i <= 5; ++i) {
        window.move(from.first + dx * i / 5, from.second + dy * i / 5);
        window.status();
    }
    window.settle();
    window.release();
    window.settle();
}

/// Opens the field, types, presses Return.
inline json find_element(WindowDriver& window, const std::string& text) {
    window.move(700, 300);
    for (int attempt = 0; attempt < 3; ++attempt) {  // a key can fall between two slow frames
        window.key("ctrl+f");
        if (window.settle()["find"]["open"] == true) break;
    }
    wait_for_value(window, "/find/open", true);
    window.settle();
    window.key("ctrl+a");
    window.settle();
    window.type(text);
    wait_for_value(window, "/find/text", text);
    window.key("Return");
    return window.settle();
}

/// A rectangle with three points in it; one circle for none of the triangles.
inline std::string few_points(const TemporaryFolder& folder) {
    return folder.file("few.xy", "0 0\n4 0\n4 3\n0 3\n1 1\n3 1.1\n2 2.2\n");
}

/// Of the links that the inspector shows; nullptr: none has this name.
inline const json* link_named(const json& status, const std::string& name) {
    const auto found = status["boxes"].find("link/" + name);
    return found == status["boxes"].end() ? nullptr : &*found;
}

/// Turns the wheel over the inspector until this link is seen, which may stand below a long answer.
inline json scroll_to_link(WindowDriver& window, const std::string& name) {
    json status = window.settle();
    const auto is_seen = [&] {
        const json* link = link_named(status, name);
        return link && Rect(status["inspector"]).holds(Rect(*link));
    };
    for (int turn = 0; turn < 40 && !is_seen(); ++turn) {
        const auto [x, y] = middle(status["inspector"]);
        window.move(x, y);
        window.click(5);
        status = window.settle();
    }
    REQUIRE_MESSAGE(link_named(status, name), name);
    return status;
}

/// Whether the kept picture is seen through the camera of the live one.
inline bool linked(const json& status) {
    const json &camera = status["camera"], &kept = status["kept"]["camera"];
    return camera["x"] == kept["x"] && camera["y"] == kept["y"] && camera["scale"] == kept["scale"];
}

}  // namespace flipscope
