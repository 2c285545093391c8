// Preferences: the files, and one window that is opened twice.
#include "app/session/preferences.h"

#include "app/program.h"
#include "app/window_hands.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("preferences: read as written; a broken file is put aside, a newer one stays and is not written to") {
    TemporaryFolder folder;
    const Preferences usual;
    Preferences kept;
    kept.width = 1000;
    kept.height = 700;
    kept.place = {-20, 33};
    kept.maximised = kept.light = kept.axes = true;
    kept.scale = 1.0 / 3 + 1;
    kept.left = kept.legend = kept.minimap = kept.scale_bar = false;
    kept.lab = "flip";
    CHECK(parse_preferences(preferences_text(kept), "x") == kept);
    CHECK(parse_preferences(preferences_text(usual), "x") == usual);
    CHECK(parse_preferences("{\"version\": 1, \"of a friend\": [1]}", "x") == usual);

    std::vector<std::string> said;
    PreferencesFile file(folder / "deep/in");
    const auto path = folder / "deep/in/preferences.json";
    CHECK(file.read(said) == usual);
    file.write(kept);
    CHECK(file.read(said) == kept);
    CHECK(said.empty());
    for (const char* broken :
         {"", "[1]", "{\"version\": 1", "{\"version\": \"1\"}", "{\"version\": 1, \"scale\": 900}",
          "{\"version\": 1, \"window\": {\"width\": 1e300}}", "{\"version\": 1, \"panels\": {\"left\": 1}}",
          "{\"version\": 1, \"window\": {\"place\": [1]}}", "{\"version\": 1, \"theme\": 3}"}) {
        CAPTURE(broken);
        write_file(path, broken);
        CHECK(file.read(said) == usual);
        REQUIRE(said.size() == 1);
        CHECK(has(said[0], path.string() + ": "));
        CHECK(has(said[0], "is now " + path.string() + ".broken"));
        CHECK(read_file(path.string() + ".broken") == broken);
        said.clear();
        file.write(kept);
        CHECK(file.read(said) == kept);
    }
    const std::string newer = "{\"version\": 2, \"theme\": \"sepia\"}";
    write_file(path, newer);
    CHECK(file.read(said) == usual);
    REQUIRE(said.size() == 1);
    CHECK(has(said[0], "was written by a newer version"));
    file.write(kept);
    CHECK(read_file(path) == newer);

    // Settings from the command line are not saved; what was changed in it is.
    Preferences begun = kept, now;
    begun.light = false;
    begun.scale = 2;
    now = begun;
    now.left = true;
    now.lab = "race";
    Preferences expected = kept;
    expected.left = true;
    expected.lab = "race";
    CHECK(changed_preferences(kept, begun, now) == expected);
}

TEST_CASE("recent files: the last ten, each once; a broken list is put aside, an unwritable folder is an error") {
    TemporaryFolder folder;
    const RecentFiles recent(folder / "state");
    std::vector<std::string> said;
    CHECK(recent.read(said).empty());
    for (int i = 0; i < 12; ++i) recent.add("/a/" + std::to_string(i), said);
    recent.add("/a/b/../5", said);
    recent.add("/a/\xff", said);
    const std::vector<std::string> expected{"/a/5", "/a/11", "/a/10", "/a/9", "/a/8",
                                            "/a/7", "/a/6",  "/a/4",  "/a/3", "/a/2"};
    CHECK(recent.read(said) == expected);
    CHECK(said.empty());
    write_file(recent.path(), "{\"version\": 1, \"files\": [7]}");
    recent.add("/a/new", said);
    CHECK(said.size() == 1);
    CHECK(recent.read(said) == std::vector<std::string>{"/a/new"});
    write_file(folder / "file", "");
    CHECK_THROWS_AS(RecentFiles(folder / "file").add("/a", said), Error);
}

TEST_CASE("window: size, theme, text, panels, overlays and lab are there again, and the file among the recent ones") {
    TemporaryFolder folder;
    const Environment config("XDG_CONFIG_HOME", (folder / "config").string());
    const Environment state("XDG_STATE_HOME", (folder / "state").string());
    const std::string few = folder.file("few.xy", "0 0\n4 0\n4 3\n0 3\n1 1\n"), gone = (folder / "gone.xy").string();
    std::vector<std::string> said;
    RecentFiles(folder / "state/flipscope").add(gone, said);
    if (const std::string missing = WindowDriver::missing(); !missing.empty()) return skip(missing);
    double scale = 0;
    {
        WindowDriver window({"--device", "cpu", "--lab", "flip", few, "--dark"}, kRemembered);
        window.resize(1000, 720);
        json first = window.wait_for("the size", [](const json& now) { return now["canvas"]["width"] == 1000; });
        CHECK(first["panels"]["left"] == false);  // a first window has a picture and its transport
        CHECK(first["panels"]["right"] == false);
        press_key(window, "1", "/panels/left", true);
        for (const char* key : {"l", "4", "ctrl+shift+b", "ctrl+plus"}) {
            window.key(key);
            window.settle();
        }
        const json status = window.settle();
        CHECK(status["light"] == true);
        scale = status["scale"].get<double>();
        CHECK(window.quit() == 0);
    }
    const std::string text = read_file(folder / "config/flipscope/preferences.json");
    CHECK_MESSAGE(has(text, "\"width\": 1000"), text);
    CHECK_MESSAGE(has(text, "\"left\": true"), text);
    CHECK_MESSAGE(has(text, "\"right\": false"), text);
    {
        WindowDriver window({"--device", "cpu"}, kRemembered);
        json status = window.settle();
        CHECK(status["lab"] == "flip");
        CHECK(status["light"] == true);
        CHECK(status["scale"] == scale);
        CHECK(status["look"]["axes"] == true);
        CHECK(status["panels"]["legend"] == false);
        status = press_key(window, "ctrl+shift+o", [](const json& now) { return now["palette"]["rows"].size() == 2; });
        CHECK(status["palette"]["rows"][0]["help"] == "recent: " + few);
        CHECK(status["palette"]["rows"][1]["help"] == "recent: " + gone);
        CHECK(has(status["palette"]["rows"][1]["refusal"], "is not there any more"));
        window.key("Down");
        window.key("Return");  // which is gone: the list stays
        CHECK(window.settle()["palette"]["open"] == true);
        window.key("Up");
        press_key(window, "Return", "/source", few);
        CHECK(window.quit() == 0);
    }
    const Outcome list = run_program({"list", "recent"});
    CHECK(list.out == "  " + few + "\n  " + gone + " (not there any more)\n");
}

TEST_CASE("window: the very first one explains itself until the run goes on; with an option it opens what that says") {
    TemporaryFolder folder;
    const Environment config("XDG_CONFIG_HOME", (folder / "config").string());
    const Environment state("XDG_STATE_HOME", (folder / "state").string());
    if (const std::string missing = WindowDriver::missing(); !missing.empty()) return skip(missing);
    {
        WindowDriver window({"--device", "cpu", "--presenter-scale", "1.5"}, kRemembered);
        json status = window.wait_for("the scenario", [](const json& now) { return now["position"] > 0; });
        CHECK(status["scale"] == 1.5);
        CHECK(status["done"] == false);
        const std::string title = status["title"];
        CHECK(status["headline"]["text"] == title);
        CHECK(has(status["boxes"]["next"]["text"], "Space"));
        const json& legend = status["boxes"]["legend"]["text"];
        CHECK_MESSAGE(has(legend, "illegal"), legend.dump());  // as the headline says
        const uint64_t position = status["position"];
        status = press_key(window, "Right", "/position", position + 1);
        CHECK(status["headline"]["text"] != title);
        CHECK(has(status["boxes"]["next"]["text"], "Next"));
        CHECK(window.quit() == 0);
    }
    CHECK(has(run_program({"list", "recent"}).out, "demo.json"));  // to see it again
    WindowDriver window({"--device", "cpu"}, kRemembered);         // the second one
    CHECK(window.settle()["title"] == "");
    CHECK(window.quit() == 0);
    std::filesystem::remove_all(folder / "config");
    WindowDriver other({"--device", "cpu", "--lab", "serial"}, kRemembered);
    CHECK(other.settle()["lab"] == "serial");
    CHECK(other.quit() == 0);
}
