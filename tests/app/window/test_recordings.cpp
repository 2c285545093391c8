// A recording in the window: it opens its lab, plays, is scrubbed back and forth, and can be left out again.
#include <doctest/doctest.h>

#include "app/drag_source.h"
#include "app/program.h"
#include "app/window_hands.h"
#include "app/window_tests.h"
#include "io/frame_files.h"
#include "io/npz_files.h"

using namespace flipscope;
using frame_files::npy;
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
    CHECK(status["headline"]["text"] == "one triangle around all points");
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

TEST_CASE("window: playing a recording stops at each step with a wrong sign, and goes on from there") {
    const TemporaryFolder folder;
    const std::string file = (folder / "signs.jsonl").string();
    write_file(file,
               "{\"points\": [[0, 0], [2, 0], [2, 2]], \"triangles\": []}\n"
               "{\"triangles\": [[0, 1, 2]], \"tests\": [{\"orient\": [0, 1, 2], \"sign\": -1}]}\n"
               "{\"caption\": \"end\"}\n");
    const auto window = window_or_skip({"--input", file});
    if (!window) return;
    CHECK(window->settle()["pauses"] == false);
    window->key("space");
    json status = window->wait_for("a stop", [](const json& s) { return s["position"] > 0 && s["playing"] == false; });
    CHECK(status["position"] == 2);
    window->key("space");
    status = at_end(*window);
    CHECK(status["position"] == 3);
    CHECK(status["check"]["passed"] == false);
    CHECK(window->quit() == 0);
}

TEST_CASE("window: a file that is watched is read again when it changes, and a run at its end goes to its end") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "p.xy";
    write_file(file, "0 0\n1 0\n0 1\n");
    const auto window = window_or_skip({file.string(), "--lab", "build"});
    if (!window) return;
    window->settle();
    window->key("End");
    json status = at_end(*window);
    CHECK(status["input_count"] == 3);
    const auto [x, y] = middle(status["boxes"]["watch"]);
    const auto write_later = [&](const std::string& text) {
        write_file(file, text);
        std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(2));
    };
    window->move(x, y);
    window->click();
    window->settle();
    write_later("0 0\n1 0\n0 1\n1 1\n");
    status = window->wait_for("four points", [](const json& s) { return s["input_count"] == 4 && s["done"] == true; });
    CHECK(status["triangles"] == 2);
    // What cannot be read is said, and what was there stays until there is something to read again.
    write_later("0 0\n1 0\nzero one\n");
    status = window->wait_for("the message", [](const json& s) { return was_said(s, "p.xy:3"); });
    CHECK(status["input_count"] == 4);
    write_later("0 0\n1 0\n0 1\n1 1\n3 3\n");
    window->wait_for("five points", [](const json& s) { return s["input_count"] == 5 && s["done"] == true; });
    CHECK(window->quit() == 0);
}

TEST_CASE("window: R keeps points added by hand while the file changes, and says that it was not read again") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "p.xy";
    write_file(file, "0 0\n1 0\n0 1\n1 1\n");
    const auto window = window_or_skip({file.string(), "--lab", "build"});
    if (!window) return;
    json status = window->settle();
    window->key("n");
    window->settle();
    const auto at = seen_at(status, {0.5, 0.3, 0});
    window->move(at.first, at.second);
    window->settle();
    window->click();
    window->wait_for("the edit", [](const json& s) { return s["edits"] == 1; });
    write_file(file, "0 0\n1 0\n0 1\n");
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(2));
    window->key("r");
    status = window->wait_for("the start", [](const json& s) { return s["input_count"] == 5 && s["position"] == 0; });
    CHECK(was_said(status, "has changed"));
    CHECK(window->quit() == 0);
}

TEST_CASE("window: a recording that is dropped on the window opens in the Recording lab: lines, an archive, a folder") {
    const std::string missing = missing_for_drops();
    if (!missing.empty()) return skip(missing);
    const auto window = window_or_skip({"--points", "uniform:100"});
    if (!window) return;
    CHECK(window->settle()["lab"] == "build");
    const TemporaryFolder folder;
    const auto opened = [&](const std::string& frames) {
        const json status = window->wait_for(frames, [&](const json& s) { return s["input_frames"] == frames; });
        CHECK(status["lab"] == "recording");
        CHECK(status["position"] == 0);
        window->key("End");
        return at_end(*window);
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
    write_file(folder / "lie.jsonl", "{\"points\": [[0, 0]], \"triangles\": [[0, 0, 9]]}\n");
    window->drop({(folder / "lie.jsonl").string()});
    const json status = window->wait_for("the message", [](const json& s) {
        return s["message"].is_string() &&
               has(s["message"].get<std::string>(), "lie.jsonl:1: /triangles/0: names point 9");
    });
    CHECK(status["input_frames"] == "steps, 3 steps");
    CHECK(window->quit() == 0);
}
