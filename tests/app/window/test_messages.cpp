// What the line at the bottom says, and for how long: no message outlives what it speaks of.
#include <doctest/doctest.h>

#include "app/program.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window: what was said of a file that cannot be read goes when another is loaded, and with the next step") {
    const TemporaryFolder folder;
    write_file(folder / "bad.xy", "0 0\n1 1\nfive six\n");
    write_file(folder / "good.xy", "0 0\n4 0\n4 3\n0 3\n1 1\n");
    const auto window = window_or_skip({"--points", "uniform:30"});
    if (!window) return;
    const std::string bad = (folder / "bad.xy").string(), good = (folder / "good.xy").string();
    load_file(*window, bad);
    wait_until_said(*window, "bad.xy:3");
    load_file(*window, good);
    json status = wait_for_value(*window, "/input_count", 5);
    CHECK_FALSE(says(status, "bad.xy"));
    load_file(*window, bad);
    status = wait_until_said(*window, "bad.xy:3");
    CHECK(status["input_count"] == 5);
    window->move(600, 300);
    window->click();                          // out of the field
    CHECK(says(window->settle(), "bad.xy"));  // it stays to be read
    window->key("Right");
    CHECK_FALSE(says(at_position(*window, 1), "bad.xy"));
    status = press_key(*window, "r", "/known", 0);
    CHECK_FALSE(says(status, "bad.xy"));
}
