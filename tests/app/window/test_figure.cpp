// The dialog of Ctrl+Shift+S in the real window.
#include <filesystem>

#include "app/folders.h"
#include "app/program.h"
#include "app/window_hands.h"

namespace flipscope {

namespace {

/// Opens the dialog and types the name of the file.
json name_figure(WindowDriver& window, const std::string& file) {
    press_key(window, "ctrl+shift+s", "/figure/open", true);
    type_over(window, file);
    return wait_for_value(window, "/figure/file", file);
}

/// Saves it, which closes the dialog.
json save_figure(WindowDriver& window, const json& before) {
    window.settle();
    return press_key(window, "Return", [&](const json& s) {
        return s["messages"] > before["messages"] && !s["figure"]["open"].get<bool>();
    });
}

}  // namespace

TEST_CASE(
    "window: Ctrl+Shift+S saves the figure that a run without a window makes, and no file that is there already") {
    TemporaryFolder folder;
    const std::string input = few_points(folder);
    const auto window = window_or_skip({"--lab", "build", input});
    if (!window) return;
    to_end(*window);
    const std::string saved = (folder / "window.svg").string();
    json before = name_figure(*window, saved);
    window->key("alt+w");  // all of it
    save_figure(*window, before);
    std::filesystem::create_directory(folder / "run");
    const Outcome run = run_program({"run", "build", "--input", input, "--device", "cpu", "--quiet", "--figure",
                                     (folder / "run" / "window.svg").string()});
    REQUIRE(run.status == 0);
    const std::string svg = read_file(folder / "window.svg");
    CHECK(svg.size() > 1000);
    CHECK(svg == read_file(folder / "run" / "window.svg"));
    // A refused name stays in the dialog; Escape closes it.
    before = name_figure(*window, saved);
    const json refused =
        press_key(*window, "Return", [&](const json& s) { return s["messages"] > before["messages"]; });
    CHECK(refused["message"].get<std::string>().find("there is such a file already") != std::string::npos);
    CHECK(refused["figure"]["open"] == true);
    press_key(*window, "Escape", "/figure/open", false);
    CHECK(read_file(folder / "window.svg") == svg);
    // A picture, a tile at a time.
    save_figure(*window, name_figure(*window, (folder / "window.png").string()));
    CHECK(read_file(folder / "window.png").starts_with("\x89PNG"));
}

TEST_CASE("window: a figure has the kept picture beside the live one, as --beside draws both") {
    const TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "flip", "--points", "uniform:120"});
    if (!window) return;
    const auto save = [&](const std::string& name, bool whole, const json& kept) {
        const std::string file = (folder / name).string();
        const json before = name_figure(*window, file);
        CHECK(before["figure"]["kept"] == kept);
        if (whole) window->key("alt+w");
        save_figure(*window, before);
        REQUIRE(std::filesystem::exists(file));
    };
    const auto run = [&](const std::string& name, std::vector<std::string> more) {
        const std::string file = (folder / name).string();
        more.insert(more.begin(), {"run", "flip", "--points", "uniform:120", "--device", "cpu", "--quiet", "--steps",
                                   "9", "--figure", file});
        const Outcome outcome = run_program(more);
        INFO(outcome.err);
        REQUIRE(outcome.status == 0);
        return read_file(file);
    };
    press_key(*window, "Right", "/position", 1);
    press_key(*window, "Right", "/position", 2);
    press_key(*window, "9", [](const json& s) { return !s["kept"].is_null(); });
    for (uint64_t at = 3; at <= 9; ++at) press_key(*window, "Right", "/position", at);
    // All of it, as the command line has it: drawings to the byte.
    save("both.svg", true, true);
    CHECK(read_file(folder / "both.svg") == run("run.svg", {"--beside", "2"}));
    // Without it, the live one alone: K says so.
    const std::string alone = (folder / "alone.svg").string();
    const json before = name_figure(*window, alone);
    press_key(*window, "alt+k", "/figure/kept", false);
    save_figure(*window, before);
    CHECK(read_file(alone) == run("run_alone.svg", {}));
    // The two pictures in the window: a drawing of two, closer by.
    json status = window->settle();
    CHECK(status["kept"]["caption"] == "Flip lab: uniform:120, pass 2: flip");
    const auto [x, y] = middle(status["kept"]);
    window->move(x, y);
    window->settle();
    window->click(4);  // the wheel, over the kept half
    const double scale = status["camera"]["scale"];
    status =
        window->wait_for("a closer look", [&](const json& s) { return s["camera"]["scale"].get<double>() > scale; });
    CHECK(linked(status));
    window->click();  // a click inspects the live picture alone
    wait_until_said(*window, "kept picture");
    CHECK(window->settle()["inspected"].is_null());
    save("closer.svg", true, true);  // W once more: no longer all of it
    const std::string closer = read_file(folder / "closer.svg");
    CHECK(closer != read_file(folder / "both.svg"));
    CHECK(has(closer, "uniform:120, pass 2: "));
    CHECK(has(closer, "uniform:120, pass 9: "));
    // Where the room went back to the live picture, the figure is of that one, too.
    press_key(*window, "9", "/kept", nullptr);
    save("none.svg", true, false);
    CHECK(read_file(folder / "none.svg") == read_file(alone));
}

}  // namespace flipscope
