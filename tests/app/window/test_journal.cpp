// Edits that survive a killed program: the journal as a text, and in the real window.
#include "app/session/journal.h"

#include <fstream>

#include "app/window_hands.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("journal: what is read is what was written, and a journal that was cut or changed is refused") {
    EditedRun run;
    run.scenario.lab = "build";
    run.scenario.places_given = {{0, 0}, {0.1, 1e-17}, {1.0 / 3, 2}};
    run.scenario.parameters = {{"predicate", "exact"}};
    run.source = "pasted points";
    run.input = std::make_shared<const Geometry>(Geometry{"pasted points", run.scenario.places_given});
    Edit move{Edit::Kind::kMoveVertex, 2, 1, {0.7, 1.0 / 7, 0}};
    move.path = {{1, 2, 3}};
    Edit adjust;
    adjust.kind = Edit::Kind::kAdjust;
    adjust.values = {{"dt", "0.5"}};
    run.edits = {{3, move}, {5, adjust}};
    run.position = 6;
    const std::string text = journal_text(run);
    const EditedRun read = parse_journal(text, "/a/x.journal");
    CHECK(read.scenario.lab == "build");
    CHECK(read.scenario.places_given == run.scenario.places_given);
    REQUIRE(read.scenario.parameters.size() == 1);
    CHECK(read.scenario.parameters[0].value == "exact");
    CHECK(read.position == 6);
    REQUIRE(read.edits.size() == 2);
    CHECK(read.edits[0].at == 3);
    CHECK(read.edits[0].edit.place == move.place);
    CHECK(read.edits[0].edit.path == move.path);
    CHECK(read.edits[1].edit.kind == Edit::Kind::kAdjust);
    CHECK(read.edits[1].edit.values == adjust.values);
    CHECK(journal_text({read.scenario, true, run.source, run.input, read.edits, 6}) == text);
    for (size_t cut = 0; cut < text.size(); cut += 7) CHECK_THROWS_AS(parse_journal(text.substr(0, cut), "x"), Error);
    for (size_t at = 0; at < text.size(); at += 5) {
        std::string damaged = text;
        damaged[at] ^= 1;
        CHECK_THROWS_AS(parse_journal(damaged, "x"), Error);
    }
}

TEST_CASE(
    "window: edits are offered after SIGKILL and restored; pasting; a folder that cannot be written, a damaged "
    "journal") {
    TemporaryFolder folder;
    const Environment state("XDG_STATE_HOME", folder.path().string());
    const std::string few = few_points(folder);
    json killed;
    {
        const auto window = window_or_skip({"--lab", "build", few});
        if (!window) return;
        CHECK(window->status()["leftover"] == "");
        const json before = press_key(*window, "End", "/done", true);
        const double scale = number(before, "camera", "scale");
        window->key("q");
        drag(*window, seen_at(before, {2, 2.2, 0}), 0.8 * scale, 0.7 * scale);
        window->key("n");
        click(*window, seen_at(before, {2, 0.5, 0}));
        killed = wait_for_value(*window, "/edits_kept", 2);
        window->kill_at_once();
    }
    {
        std::ofstream(folder / "a file") << "in the folder's place";
        const Environment elsewhere("XDG_STATE_HOME", (folder / "a file").string());
        const auto window = window_or_skip({"--lab", "build", few}, {800, 600});
        if (!window) return;
        const json before = window->status();
        CHECK(before["leftover"] == "");
        window->key("n");
        click(*window, seen_at(before, {2, 0.5, 0}));
        wait_until_said(*window, "Edits cannot be recovered");
        CHECK(window->status()["edits"] == 1);
    }
    {
        const auto window = window_or_skip({"--lab", "flip", "--points", "uniform:10"});
        if (!window) return;
        const std::string offer = window->status()["leftover"];
        CHECK(has(offer, "your 2 edits of "));
        CHECK(has(offer, "were saved"));
        CHECK(window->screenshot(folder / "offer.png").size() > 5000);
        const json restored = press_key(*window, "Return", "/edits_kept", 2);
        for (const char* same : {"lab", "source", "position", "known", "points", "edits", "state_hash", "parameters"})
            CHECK(restored[same] == killed[same]);
        wait_for_value(*window, "/leftover", "");
        // Pasted: what was copied from a selection becomes the input.
        find_element(*window, "select point:0..3");
        const json selected = wait_for_value(*window, "/selected", 4);
        window->key("ctrl+c");
        wait_until_said(*window, "clipboard");
        press_key(*window, "ctrl+v", [](const json& s) { return !s["question"].is_null(); });
        const json pasted =
            press_key(*window, "Return", [](const json& s) { return has(s["source"].get<std::string>(), "pasted"); });
        CHECK(pasted["lab"] == "build");
        CHECK(pasted["input_count"] == selected["selected"]);
        CHECK(pasted["edits"] == 0);
    }
    CHECK(std::filesystem::is_empty(folder / "flipscope"));
    std::ofstream(folder / "flipscope/edits-1-2.journal") << "flipscope journal 1 90 00\n{";
    Journal journal(folder / "flipscope");
    const std::vector<std::string> said = journal.take_up();
    REQUIRE(said.size() == 1);
    CHECK(has(said[0], "ends after 1 of 90 bytes"));
    CHECK(std::filesystem::exists(folder / "flipscope/edits-1-2.journal.broken"));
    CHECK(journal.offer().empty());
}
