// Loading a picture or tracks in the window: the points that are there stay, and a lab that can take it opens.
#include <doctest/doctest.h>

#include <cmath>

#include "app/program.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

const std::string kAssets = std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/";

}  // namespace

TEST_CASE("window: a picture joins the points and opens the lab for it, and tracks open another") {
    const auto window = window_or_skip({"--points", "uniform:100"});
    if (!window) return;
    CHECK(window->settle()["lab"] == "build");
    load_file(*window, kAssets + "logo.png");
    json status = window->wait_for("the picture", [](const json& s) { return s["lab"] == "voronoi"; });
    CHECK(status["input_count"] == 100);
    CHECK(status["input_frames"] == "logo.png, 256 × 256");
    load_file(*window, kAssets + "tracks.csv");
    status = window->wait_for("the tracks", [](const json& s) { return s["lab"] == "events"; });
    CHECK(status["input_frames"] == "tracks.csv, 20 frames");
    load_file(*window, kAssets + "missing.png");
    status = window->wait_for("the message", [](const json& s) {
        return s["message"].is_string() && s["message"].get<std::string>().find("no such file") != std::string::npos;
    });
    CHECK(status["input_frames"] == "tracks.csv, 20 frames");  // nothing is lost
    CHECK(window->quit() == 0);
}

TEST_CASE("window: ~ is the home folder in the field of files and in commands") {
    const TemporaryFolder folder;
    const Environment home("HOME", folder.path().string());
    write_file(folder / "picture.pgm", "P5 32 16 255\n" + std::string(512, 'x'));
    const auto window = window_or_skip({"--points", "uniform:100"});
    if (!window) return;
    load_file(*window, "~/picture.pgm");
    const json status = window->wait_for("the picture", [](const json& s) { return s["lab"] == "voronoi"; });
    CHECK(status["input_frames"] == "picture.pgm, 32 × 16");
    CHECK(!window->ask("screenshot ~/window.png").contains("error"));
    CHECK(std::filesystem::exists(folder / "window.png"));
    CHECK(window->quit() == 0);
}

TEST_CASE("window: the Events lab opens with nothing given") {
    const auto window = window_or_skip(
        {"--lab", "events", "--set", "width=96", "--set", "height=64", "--set", "count=20", "--set", "comparisons=2"});
    if (!window) return;
    json status = window->settle();
    CHECK(status["loaded"] == true);
    CHECK(status["input_count"] == 0);
    window->key("End");
    status = at_end(*window);
    CHECK(status["done"] == true);
    CHECK(window->quit() == 0);
}

TEST_CASE("window: tracks show the lattice that comes of width and height, which stay to be set") {
    const auto window = window_or_skip({"--tracks", kAssets + "tracks.csv"});
    if (!window) return;
    const json status = window->settle();
    REQUIRE(status["lab"] == "events");
    const json& width = status["decided"]["width"];
    CHECK(width["in_part"] == true);
    CHECK(width["why"].get<std::string>().find("tracks.csv") != std::string::npos);
    const double wide = status["bounds"][2].get<double>() - status["bounds"][0].get<double>();
    CHECK(width["value"] == std::to_string(std::lround(wide)));
    CHECK(status["parameters"]["width"] != width["value"]);
    CHECK(status["decided"]["count"]["in_part"] == false);
    CHECK(window->quit() == 0);
}

TEST_CASE("window: a mesh in a lab that takes points alone is loaded with a message about its triangles") {
    const TemporaryFolder folder;
    const std::string path = (folder / "m.off").string();
    write_file(path, "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    const std::string note = "m.off: the Build lab takes the points and leaves the triangles out";
    const auto told = [&](const json& status) { return status["message"] == note; };
    auto window = window_or_skip({"--points", "uniform:100"});
    if (!window) return;
    load_file(*window, path);
    CHECK(window->wait_for("the message", told)["input_count"] == 3);
    CHECK(window->quit() == 0);
    window = window_or_skip({path, "--lab", "build"});  // and so where the window starts with it
    CHECK(window->wait_for("the message", told)["input_count"] == 3);
    CHECK(window->quit() == 0);
}
