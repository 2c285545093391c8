// Events that must not end the real window, and its exit after others: bad commands, Ctrl-C, a lost display.
#include <signal.h>

#include "app/base/endings.h"
#include "app/window/control.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window control: a response is one line of JSON, for all bytes of a request and after every error") {
    const json refused = json::parse(app::json_line("error", "unknown command \"\377\033[2J\n\""));
    CHECK(has(refused["error"], "unknown command"));
    CHECK(app::json_line("error", "a\nb").find('\n') == std::string::npos);
    CHECK(app::answered_or_refused([] { return std::string("fine"); }) == "fine");
    CHECK(json::parse(app::answered_or_refused([]() -> std::string { throw std::bad_alloc(); })).contains("error"));
    const auto invalid = [] { return json{{"text", "\377"}}.dump(); };  // throws a type error
    CHECK(json::parse(app::answered_or_refused(invalid)).contains("error"));
}

TEST_CASE("window: bad commands are answered with an error, and the window stays") {
    const auto window = window_or_skip({"--points", "uniform:30"});
    if (!window) return;
    const TemporaryFolder folder;
    for (const std::string& line :
         {std::string("\377"), std::string("\303\050"), std::string("stat\0us", 7), std::string("screenshot "),
          "screenshot " + folder.path().string(), "screenshot " + (folder / "no/such/folder.png").string(),
          std::string("screenshot \377/\377"), std::string("{\"a\": 1}"), std::string(100'000, 'x'),
          std::string("\033[2J")}) {
        const json answer = window->ask(line);
        CHECK(answer.contains("error"));
    }
    CHECK(window->status()["lab"] == "build");
}

TEST_CASE("window: a lost display is said, and is a failure of the machine") {
    const auto window = window_or_skip({"--points", "uniform:30"});
    if (!window) return;
    window->settle();
    std::string said;
    CHECK(window->lose_display(said) == app::kFailed);
    CHECK(has(said, "flipscope: the display is lost"));
}

TEST_CASE("window: Ctrl-C closes it, also while a long run goes on") {
    for (const bool busy : {false, true}) {
        const auto window = window_or_skip({"--points", "uniform:200000"});
        if (!window) return;
        window->settle();
        if (busy) window->key("End");
        CHECK(window->interrupt() == app::kInterrupted);
    }
}
