// A recording in the window: it opens its lab, plays, is scrubbed back and forth, and can be left out again.
#include <doctest/doctest.h>

#include "app/drag_source.h"
#include "app/program.h"
#include "app/window_hands.h"
#include "app/window_tests.h"
#include "io/input_files.h"
#include "io/npz_files.h"

using namespace flipscope;
using input_files::npy;
using nlohmann::json;

namespace {

const std::string kSample = std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/bowyer-watson.jsonl";

}  // namespace

TEST_CASE("window: a recording opens the Recording lab and is gone through step by step") {
    const auto window = window_or_skip({"--points", "uniform:100"});
    if (!window) return;
    CHECK(window->settle()["lab"] == "build");
    load_file(*window, kSample);
    json status = wait_for_value(*window, "/lab", "recording");
    CHECK(status["input_frames"] == "bowyer-watson.jsonl, 19 steps");
    CHECK(status["position"] == 0);
    status = press_key(*window, "Right", "/position", 1);
    CHECK(status["headline"]["text"] == "one triangle around all points");
    const std::string first = status["state_hash"];
    status = to_end(*window);
    CHECK(status["position"] == 19);
    const auto [x, y] = on_timeline(status, 8);
    window->move(x, y);
    window->click();
    status = at_position(*window, 8);
    press_key(*window, "Home", "/position", 0);
    CHECK(press_key(*window, "Right", "/position", 1)["state_hash"] == first);
}

TEST_CASE("window: a recording that is dropped on the window opens in the Recording lab: lines, an archive, a folder") {
    const std::string missing = missing_for_drops();
    if (!missing.empty()) return skip(missing);
    const auto window = window_or_skip({"--points", "uniform:100"});
    if (!window) return;
    CHECK(window->settle()["lab"] == "build");
    const TemporaryFolder folder;
    const auto opened = [&](const std::string& frames) {
        const json status = wait_for_value(*window, "/input_frames", frames);
        CHECK(status["lab"] == "recording");
        CHECK(status["position"] == 0);
        return to_end(*window);
    };
    std::filesystem::copy_file(kSample, folder / "named with 100 % care.jsonl");
    window->drop({(folder / "named with 100 % care.jsonl").string()});
    CHECK(opened("named with 100 % care.jsonl, 19 steps")["position"] == 19);

    const std::string points = npy<double>("<f8", "(3, 2)", {0, 0, 1, 0, 0, 1});
    const std::string triangle = npy<int64_t>("<i8", "(1, 3)", {0, 1, 2});
    write_file(
        folder / "two.npz",
        npz_files::npz({{"points.npy", points}, {"triangles_0.npy", triangle}, {"triangles_1.npy", triangle, true}}));
    window->drop({(folder / "two.npz").string()});
    CHECK(opened("two.npz, 2 steps")["triangles"] == 1);

    std::filesystem::create_directory(folder / "steps");
    for (const char* name : {"1.off", "2.off", "3.off"})
        write_file(folder / "steps" / name, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    window->drop({(folder / "steps").string()});
    CHECK(opened("steps, 3 steps")["position"] == 3);

    // What cannot be read leaves all as it is and says why.
    window->drop({folder.file("lie.jsonl", "{\"points\": [[0, 0]], \"triangles\": [[0, 0, 9]]}\n")});
    const json status = wait_until_said(*window, "lie.jsonl:1: /triangles/0: names point 9");
    CHECK(status["input_frames"] == "steps, 3 steps");
}
