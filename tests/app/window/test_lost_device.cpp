// A device that is lost during a run, in the real window and without one: what the host has of the run goes on on CPU
// threads, with the same result.
#include "app/commands/options.h"
#include "app/program.h"
#include "app/window_hands.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("lost device: a run without a window ends with a sentence and what to do") {
    const Environment lost("FLIPSCOPE_LOSE_DEVICE", "30");
    const Outcome outcome = run_program({"run", "build", "--points", "uniform:300", "--device", "cpu"});
    CHECK(outcome.status == kFailed);
    CHECK(has(outcome.err, "flipscope: the device is lost: "));
    CHECK(has(outcome.err, "with --device cpu, has the same result"));
}

TEST_CASE("window: where the device is lost the run goes on on CPU threads, with its edits and its timeline") {
    json sound;
    const auto run_to_end = [](WindowDriver& window) {  // once more where the device was lost on the way
        json status;
        for (int i = 0; i < 3 && !(status.is_object() && status["done"] == true); ++i) {
            window.key("End");
            status = window.settle();
        }
        CHECK(status["done"] == true);
        return status;
    };
    const auto edit_and_run = [&](WindowDriver& window) {
        const json before = run_to_end(window);
        const auto [x, y] = seen_at(before, {0.5, 0.5, 0});
        json edited;
        for (int i = 0; i < 2 && !(edited.is_object() && edited["edits"] == 1); ++i) {
            if (edited.is_object()) CHECK(has(edited["message"].dump(), "The edit was not made. "));
            window.key("n");
            window.move(x, y);
            window.settle();
            window.click();
            edited = window.settle();
        }
        REQUIRE(edited["edits"] == 1);
        run_to_end(window);
        window.key("7");  // statistics, which are kernels, too
        return window.wait_for("its hash", [](const json& s) { return s["state_hash"].is_string(); });
    };
    {
        const auto window = window_or_skip({"--lab", "build", "--points", "uniform:200"});
        if (!window) return;
        sound = edit_and_run(*window);
        CHECK(sound["message"].dump().find("device is lost") == std::string::npos);
    }
    // While it is opened; while it runs on; after the edit, whatever is asked then.
    for (const char* launches : {"1", "9", "60", "300", "900"}) {
        INFO("lost at launch " << std::string(launches));
        const Environment lost("FLIPSCOPE_LOSE_DEVICE", launches);
        const auto window = window_or_skip({"--lab", "build", "--points", "uniform:200"});
        if (!window) return;
        window->settle();
        json after = edit_and_run(*window);
        for (int i = 0; i < 200 && !has(after["all_messages"].dump(), "device is lost"); ++i) {
            window->key("v");  // checks are kernels
            after = window->settle();
        }
        CHECK(has(after["all_messages"].dump(), "The device is lost ("));
        CHECK(has(after["all_messages"].dump(), "Labs run on CPU"));
        after = window->wait_for("its hash", [](const json& s) { return s["state_hash"].is_string(); });
        CHECK(after["state_hash"] == sound["state_hash"]);
        CHECK(after["edits"] == 1);
        CHECK(after["position"] == sound["position"]);
        window->key("ctrl+z");
        window->wait_for("no edit", [](const json& s) { return s["edits"] == 0; });
        CHECK(window->quit() == 0);
    }
}
