// The Predicate microscope in the real window: the values under the cursor, and keys that move the patch by one number.
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "app/window_hands.h"
#include "compute/text.h"
#include "flipscope/predicates.h"
#include "geometry/places.h"

using namespace flipscope;

namespace {

/// What the example has at a pixel of its patch, moved by (step_x, step_y) pixels of 2^zoom_out ulps.
std::pair<std::string, std::string> expected_at(int x, int y, int step_x = 0, int step_y = 0, int zoom_out = 0) {
    const auto number = [&](int steps) {
        double v = 0.5;
        for (int64_t left = std::abs(int64_t(steps)) << zoom_out; left > 0; --left)
            v = std::nextafter(v, steps > 0 ? 1 : 0);
        return v;
    };
    const Point a{12, 12}, b{24, 24}, c{number(x + step_x), number(y + step_y)};
    return {"pixel " + std::to_string(x) + ", " + std::to_string(y) + ": c = (" + place_text(c) + ")",
            std::string("float ") + sign_name(orient2d_float(a, b, c)) + ", double " +
                sign_name(orient2d_double(a, b, c)) + ", exact " + sign_name(orient2d(a, b, c))};
}

/// The pixel that the readout names.
std::pair<int, int> pixel_of(const json& status) {
    int x = -1, y = -1;
    if (status["boxes"].contains("readout"))
        std::sscanf(status["boxes"]["readout"]["text"].get<std::string>().c_str(), "pixel %d, %d:", &x, &y);
    return {x, y};
}

}  // namespace

TEST_CASE(
    "window: the microscope tells the numbers and the signs under the cursor, in every view and after every step") {
    const auto window = window_or_skip({"--lab", "microscope"});
    if (!window) return;
    json status = to_end(*window);
    const json canvas = status["canvas"];
    const double left = canvas["x"], width = canvas["width"];
    const double middle = canvas["y"].get<double>() + canvas["height"].get<double>() / 2;
    for (const double across : {0.42, 1.5, 2.61}) {  // in each of the three views
        CAPTURE(across);
        window->move(left + width * across / 3, middle + 20);
        const auto last = pixel_of(status);
        status =
            window->wait_for("the pixel", [&](const json& s) { return pixel_of(s).first >= 0 && pixel_of(s) != last; });
        const auto [x, y] = pixel_of(status);
        const auto [numbers, signs] = expected_at(x, y);
        CHECK(status["boxes"]["readout"]["text"] == numbers + "\n" + signs);
    }
    const auto [x, y] = pixel_of(status);

    for (const auto& [key, name, value] : {std::tuple("alt+Right", "step_x", "1"),
                                           {"alt+Up", "step_y", "1"},
                                           {"alt+shift+Left", "step_x", "-15"},
                                           {"alt+minus", "zoom_out", "1"},
                                           {"alt+minus", "zoom_out", "2"},
                                           {"alt+plus", "zoom_out", "1"}})
        press_key(*window, key, std::string("/parameters/") + name, value);
    status = window->settle();
    CHECK(pixel_of(status) == std::pair{x, y});  // the camera stays
    const auto [numbers, signs] = expected_at(x, y, -15, 1, 1);
    CHECK(status["boxes"]["readout"]["text"] == numbers + "\n" + signs);
    status = press_key(*window, "ctrl+z", "/parameters/zoom_out", "2");
    CHECK(status["parameters"]["step_x"] == "-15");

    // Beside the picture there is nothing to read.
    window->move(left + 3, canvas["y"].get<double>() + canvas["height"].get<double>() - 3);
    window->wait_for("nothing to read", [](const json& s) { return !s["boxes"].contains("readout"); });
}
