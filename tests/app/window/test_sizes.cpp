// Screens whose scale is not 1, and displays without OpenGL 4.5.
#include <filesystem>
#include <tuple>

#include "app/display_resources.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window: where the screen's scale is 3, the window grows with it and shows as much") {
    if (const std::string missing = WindowDriver::missing() + missing_for_resources(); !missing.empty())
        return skip(missing);
    const TemporaryFolder home;
    const Environment config("XDG_CONFIG_HOME", home.path().string());
    json at_one;
    for (const int scale : {1, 3}) {
        CAPTURE(scale);
        WindowDriver window({"--device", "cpu", "--points", "uniform:200"}, kRemembered, {3840, 2160},
                            "Xft.dpi:\t" + std::to_string(96 * scale) + "\n");
        const json status = window.settle();
        CHECK(status["window"][0] == 1280 * scale);
        CHECK(status["window"][1] == std::min(800 * scale, 2160));
        if (scale == 1) at_one = status;
        CHECK(status["panels"] == at_one["panels"]);
        CHECK(boxes_of(status, "pass/").size() == boxes_of(at_one, "pass/").size());
        CHECK(boxes_of(status, "pass/").size() > 5);
        CHECK(window.quit() == 0);
        std::filesystem::remove_all(home.path() / "flipscope");
    }
    // A smaller screen has all that it has room for.
    WindowDriver window({"--device", "cpu", "--points", "uniform:200"}, kRemembered, {1920, 1080}, "Xft.dpi:\t192\n");
    const json status = window.settle();
    CHECK(status["window"] == json({1920, 1080}));
    CHECK(window.quit() == 0);
}

TEST_CASE(
    "window: where OpenGL 4.5 is kept away, the sentence names the variable, the version and what works without") {
    if (const std::string missing = WindowDriver::missing(); !missing.empty()) return skip(missing);
    for (const auto& [name, value, version] :
         {std::tuple("LIBGL_ALWAYS_INDIRECT", "1", ""), {"MESA_GL_VERSION_OVERRIDE", "3.3", "OpenGL 3.3"}}) {
        CAPTURE(name);
        const Environment variable(name, value);
        std::string said;
        try {
            const WindowDriver window({"--device", "cpu", "--points", "uniform:200"});
            skip("this display's OpenGL does not go by " + std::string(name));
            continue;
        } catch (const std::exception& error) {
            said = error.what();
        }
        INFO(said);
        CHECK(has(said, std::string("unset ") + name));
        CHECK(has(said, version));
        CHECK(has(said, "flipscope run … --picture out.png"));
    }
}
