// The dialog of Ctrl+Shift+S in the real window.
#include <filesystem>
#include <fstream>

#include "app/folders.h"
#include "app/program.h"
#include "app/window_tests.h"

namespace flipscope {

namespace {

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE(
    "window: Ctrl+Shift+S saves the figure that a run without a window makes, and no file that is there already") {
    TemporaryFolder folder;
    const std::string input = (folder / "points.xy").string();
    std::ofstream(input) << "0 0\n4 0\n4 3\n0 3\n1 1\n2 2.2\n3 1\n";
    const auto window = window_or_skip({"--lab", "build", input});
    if (!window) return;
    window->key("End");
    at_end(*window);
    const auto save = [&](const std::filesystem::path& file) {
        window->key("ctrl+shift+s");
        window->wait_for("the dialog", [](const json& s) { return s["figure"]["open"].get<bool>(); });
        window->settle();
        window->key("ctrl+a");
        window->settle();
        window->type(file.string());
        const json before =
            window->wait_for("the name", [&](const json& s) { return s["figure"]["file"] == file.string(); });
        return before;
    };
    json before = save(folder / "window.svg");
    window->key("alt+w");  // all of it
    window->settle();
    window->key("Return");
    window->wait_for("the figure", [&](const json& s) {
        return s["messages"] > before["messages"] && !s["figure"]["open"].get<bool>();
    });
    std::filesystem::create_directory(folder / "run");
    const Outcome run = run_program({"run", "build", "--input", input, "--device", "cpu", "--quiet", "--figure",
                                     (folder / "run" / "window.svg").string()});
    REQUIRE(run.status == 0);
    const std::string svg = bytes_of(folder / "window.svg");
    CHECK(svg.size() > 1000);
    CHECK(svg == bytes_of(folder / "run" / "window.svg"));
    // What is refused stays in the dialog; Escape closes it.
    before = save(folder / "window.svg");
    window->key("Return");
    const json refused = window->wait_for("a word", [&](const json& s) { return s["messages"] > before["messages"]; });
    CHECK(refused["message"].get<std::string>().find("there is such a file already") != std::string::npos);
    CHECK(refused["figure"]["open"] == true);
    window->key("Escape");
    window->wait_for("no dialog", [](const json& s) { return !s["figure"]["open"].get<bool>(); });
    CHECK(bytes_of(folder / "window.svg") == svg);
    // A picture, a tile at a time.
    before = save(folder / "window.png");
    window->key("Return");
    window->wait_for("the picture", [&](const json& s) {
        return s["messages"] > before["messages"] && !s["figure"]["open"].get<bool>();
    });
    CHECK(bytes_of(folder / "window.png").starts_with("\x89PNG"));
    CHECK(window->quit() == 0);
}

}  // namespace flipscope
