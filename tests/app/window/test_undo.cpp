// Manual edits in the real window: undone, redone, confirmed before they are discarded; and saved.
#include <filesystem>

#include "app/window_hands.h"

using namespace flipscope;

namespace {

json with_edits(WindowDriver& window, uint64_t count) { return wait_for_value(window, "/edits", count); }

}  // namespace

TEST_CASE(
    "window: keys undo and redo drags, added and removed points, and edits are confirmed before they are discarded") {
    TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "build", few_points(folder)}, {1280, 800});
    if (!window) return;
    const json before = to_end(*window);
    const double scale = number(before, "camera", "scale");
    // The first tool looks: a drag that begins on a point moves the picture, and no data.
    drag(*window, seen_at(before, {2, 2.2, 0}), 60, 40);
    const json panned = window->settle();
    CHECK(panned["position"] == before["position"]);
    CHECK(panned["camera"] != before["camera"]);
    press_key(*window, "f", "/camera", before["camera"]);
    press_key(*window, "ctrl+l", "/locked", true);
    window->key("q");
    CHECK(window->settle()["tool"] == "look");
    window->key("ctrl+l");
    press_key(*window, "q", "/tool", "move");
    drag(*window, seen_at(before, {2, 2.2, 0}), 0.8 * scale, 0.7 * scale);
    const json dragged = with_edits(*window, 1);
    CHECK(dragged["position"].get<uint64_t>() == before["position"].get<uint64_t>() + 1);
    CHECK(dragged["pass"] == "edit");
    CHECK(dragged["done"] == true);
    // A point more, and one less.
    window->key("n");
    click(*window, seen_at(before, {2, 0.5, 0}));
    CHECK(with_edits(*window, 2)["points"] == 8);
    window->key("k");
    window->settle();
    window->click();
    CHECK(with_edits(*window, 3)["points"] == 7);
    for (const int left : {2, 1}) press_key(*window, "ctrl+z", "/edits", left);
    CHECK(window->settle()["state_hash"] == dragged["state_hash"]);
    json status = press_key(*window, "ctrl+z", "/edits", 0);
    CHECK(status["state_hash"] == before["state_hash"]);
    CHECK(says(status, "Ctrl+Shift+Z"));
    CHECK(press_key(*window, "ctrl+shift+z", "/edits", 1)["state_hash"] == dragged["state_hash"]);

    // Starting over keeps the point that was moved.
    status = press_key(*window, "r", [](const json& s) { return s["position"] == 0 && s["edits"] == 0; });
    CHECK(status["question"].is_null());
    status = to_end(*window);
    CHECK(status["points"] == 7);
    CHECK(status["with_ghosts"] == dragged["with_ghosts"]);
    // Ctrl+O: the name of a file can be typed at once, wherever the panel is.
    const std::string path = folder.file("three.xy", "0 0\n1 0\n0 1\n");
    press_key(*window, "Tab", "/panels/left", false);
    press_key(*window, "ctrl+o", "/panels/left", true);
    type_over(*window, path);
    wait_for_value(*window, "/file", path);
    const auto ask = [&] {
        return press_key(*window, "Return", [](const json& s) { return !s["question"].is_null(); });
    };
    CHECK(has(ask()["question"], "1 manual edit"));
    CHECK(window->screenshot(folder / "question.png").size() > 5000);
    window->key("Home");  // while it is asked, keys do nothing else
    status = press_key(*window, "Escape", "/question", nullptr);
    CHECK(status["input_count"] == 7);
    window->key("ctrl+o");
    window->settle();
    ask();
    status = press_key(*window, "Return", "/input_count", 3);
    CHECK(status["edits"] == 0);
    CHECK(status["question"].is_null());
}

TEST_CASE("window: Ctrl+S saves what the name's ending says, and no file that is there already") {
    TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "build", few_points(folder)});
    if (!window) return;
    const json before = to_end(*window);
    window->key("q");
    drag(*window, seen_at(before, {2, 2.2, 0}), 60, 40);
    with_edits(*window, 1);
    const auto save = [&](const std::string& name, bool refused) {
        const std::string file = (folder / name).string();
        const json now = window->settle();
        save_as(*window, file);
        window->wait_for("a word", [&](const json& s) { return s["messages"] > now["messages"]; });
        const json said = wait_for_value(*window, "/saving", refused);
        if (refused) {  // it stays in the dialog, to be corrected
            CHECK(said["save_as"] == file);
            press_key(*window, "Escape", "/saving", false);
        }
        return said["message"].get<std::string>();
    };
    save("edited.obj", false);
    const std::string mesh = read_file(folder / "edited.obj");
    CHECK(count_of(mesh, "\nf ") == before["triangles"].get<size_t>());
    save("edited.png", false);
    CHECK(std::filesystem::file_size(folder / "edited.png") > 1000);
    CHECK(has(save("edited.obj", true), "already"));
    CHECK(save("edited.npz", false).size() > 20);
    CHECK(has(save("degree.csv", false), (folder / "degree.csv").string() + ": it is not measured"));
    press_key(*window, "7", "/statistics", true);
    CHECK(has(save("degree.csv", false), "saved: "));
    CHECK(std::filesystem::file_size(folder / "degree.csv") > 10);
}
