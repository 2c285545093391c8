// A recording in the window: it opens its lab, plays, is scrubbed back and forth, and can be left out again.
#include <doctest/doctest.h>

#include "program.h"
#include "window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

const std::string kSample = std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/bowyer-watson.jsonl";

}  // namespace

TEST_CASE("window: a recording opens the Recording lab and is gone through step by step") {
    const auto window = window_or_skip({"--points", "uniform:100"});
    if (!window) return;
    CHECK(window->settle()["lab"] == "build");
    load_file(*window, kSample);
    json status = window->wait_for("the recording", [](const json& s) { return s["lab"] == "recording"; });
    CHECK(status["input_frames"] == "bowyer-watson.jsonl, 19 steps");
    CHECK(status["position"] == 0);
    window->key("Right");
    status = at_position(*window, 1);
    const std::string first = status["state_hash"];
    window->key("End");
    status = at_end(*window);
    CHECK(status["position"] == 19);
    const auto [x, y] = on_timeline(status, 8);
    window->move(x, y);
    window->click();
    status = at_position(*window, 8);
    window->key("Home");
    at_position(*window, 0);
    window->key("Right");
    CHECK(at_position(*window, 1)["state_hash"] == first);
    // A folder of steps takes its place; what is no recording leaves it as it is.
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "steps");
    write_file(folder / "steps" / "1.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    load_file(*window, (folder / "steps").string());
    status = window->wait_for("the folder", [](const json& s) { return s["input_frames"] == "steps, 1 step"; });
    write_file(folder / "lie.jsonl", "{\"points\": [[0, 0]], \"triangles\": [[0, 0, 9]]}\n");
    load_file(*window, (folder / "lie.jsonl").string());
    status = window->wait_for("the message", [](const json& s) {
        return s["message"].is_string() &&
               has(s["message"].get<std::string>(), "lie.jsonl:1: /triangles/0: names point 9");
    });
    CHECK(status["input_frames"] == "steps, 1 step");
    CHECK(window->quit() == 0);
}
