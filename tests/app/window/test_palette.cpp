// The table of actions, and the palette that finds them by a few letters.
#include <set>

#include "app/window/actions.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

/// The row of the palette with this text; null: none has it.
json row_of(const json& status, const std::string& help) {
    for (const json& row : status["palette"]["rows"])
        if (row["help"] == help) return row;
    return {};
}

/// Opens the palette and types; the rows are those that match.
json search(WindowDriver& window, const std::string& typed) {
    window.type(":" + typed);
    return wait_for_value(window, "/palette/typed", typed);
}

}  // namespace

TEST_CASE("actions: every one has a unique name and a description; a key has one meaning in a group") {
    std::set<std::string> ids;
    std::set<std::pair<std::string, std::string>> keys;
    for (const app::Action& action : app::actions()) {
        INFO(action.id << ": " << action.help);
        CHECK(action.help.empty() == (!action.run && !action.row.empty()));
        for (const std::string& key : action.keys) CHECK(keys.insert({action.group, key}).second);
        CHECK(action.keys.size() <= 2);
        if (!action.run) continue;
        CHECK(ids.insert(action.id).second);
        CHECK(&app::action(action.id) == &action);
    }
    CHECK(ids.size() > 60);
    CHECK(app::tip_of(app::action("end")) == "Run to the end (End)");
}

TEST_CASE("actions: the list of keys has all of them, neighbours in one row") {
    size_t keys = 0, listed = 0;
    for (const app::Action& action : app::actions()) keys += action.keys.size();
    for (const app::KeyRow& row : app::key_rows()) {
        for (const app::Action* action : row.actions) listed += action->keys.size();
        if (row.help == "a round forward, back") CHECK(row.keys() == "Page \u2193  \u2191  Ctrl+\u2192  \u2190");
    }
    CHECK(listed == keys);
}

TEST_CASE("window: the palette finds actions, labs, colours and layers by a few letters, and runs them") {
    const auto window = window_or_skip({"--points", "uniform:60", "--presenter-scale", "2"});
    if (!window) return;
    json status = to_end(*window);
    CHECK(search(*window, "to start")["palette"]["rows"][0]["help"] == "back to the start");
    status = press_key(*window, "Return", "/position", 0);
    CHECK(status["palette"]["open"] == false);
    to_end(*window);

    CHECK(search(*window, "minimum angles")["palette"]["rows"][0]["help"] == "colour by minimum angles");
    press_key(*window, "Return", "/colour_by", "min-angle");

    CHECK(has(search(*window, "hide points")["palette"]["rows"][0]["help"], "hide Points"));
    press_key(*window, "Escape", "/palette/open", false);
    CHECK(window->status()["look"]["points"] == true);

    // As docs/class.md types them.
    for (const auto& [typed, first] : {std::pair{"vor", "show Voronoi diagram"},
                                       {"circles", "show Circumcircles"},
                                       {"centres", "show Circumcentres"},
                                       {"hull", "show Convex hull"},
                                       {"span", "show Euclidean minimum spanning tree"},
                                       {"nearest", "show Nearest-neighbour graph"}}) {
        CHECK(search(*window, typed)["palette"]["rows"][0]["help"] == first);
        press_key(*window, "Escape", "/palette/open", false);
    }
    CHECK(search(*window, "gabriel")["palette"]["rows"][0]["help"] == "show Gabriel graph");
    window->key("Return");
    window->settle();
    CHECK(search(*window, "gabriel")["palette"]["rows"][0]["help"] == "hide Gabriel graph");
    press_key(*window, "Escape", "/palette/open", false);

    // Letters that are keys elsewhere are only typed here; the arrows choose.
    status = search(*window, "lab: ");
    CHECK(row_of(status, "lab: Build lab")["refusal"] == "This lab is open.");
    const std::string third = status["palette"]["rows"][2]["help"];
    window->key("Down");
    window->key("Down");
    status = press_key(*window, "Return", [](const json& s) { return s["lab"] != "build"; });
    CHECK(status["palette"]["open"] == false);
    CHECK(status["light"] == false);
    CHECK(row_of(search(*window, "lab: "), third)["refusal"] == "This lab is open.");
    press_key(*window, "Escape", "/palette/open", false);

    // An unavailable action gives the same reason as its key, and does nothing.
    press_key(*window, "ctrl+p", "/palette/open", true);
    window->type("pass back");
    status = wait_for_value(*window, "/palette/typed", "pass back");
    const std::string why = row_of(status, "a pass back")["refusal"];
    CHECK(has(why, "The run begins here"));
    CHECK(status["refusals"]["pass-back"] == why);
    window->key("Return");
    CHECK(window->settle()["palette"]["open"] == true);
    for (int i = 0; i < 9; ++i) window->key("BackSpace");
    status = wait_for_value(*window, "/palette/typed", "");
    CHECK(status["palette"]["rows"].size() > 90);
    press_key(*window, "ctrl+p", "/palette/open", false);
    window->key("Left");
    wait_until_said(*window, why);
}

TEST_CASE("window: on an empty canvas the palette makes points, and an order starts over on them") {
    const auto window = window_or_skip({"--lab", "serial", "--window", "0,0,20,10"});
    if (!window) return;
    CHECK(search(*window, "points: grid")["palette"]["rows"][0]["help"] == "points: grid");
    press_key(*window, "Return", [](const json& s) { return s["input"] == "grid:100"; });
    CHECK(to_end(*window)["numbers"]["ghost edges"] == 36);
    CHECK(search(*window, "order: x")["palette"]["rows"][0]["help"] == "order: x");
    CHECK(press_key(*window, "Return", "/parameters/order", "x")["position"] == 0);
    CHECK(row_of(search(*window, "order: x"), "order: x")["refusal"] == "This value is in use.");
    press_key(*window, "Escape", "/palette/open", false);
    CHECK(to_end(*window)["numbers"]["ghost edges"] == 36);
}
