// The Predicate race in the real window: it plays until the two sides part, lists the edges that differ, and a click on
// one leads to it.
#include <string>

#include "app/folders.h"
#include "app/program.h"
#include "app/window_hands.h"

using namespace flipscope;

TEST_CASE("window: the Predicate race stops where the two sides part, and each differing edge is a click away") {
    const std::vector<std::string> asked{"--points", "grid:144@scale=0.1", "--set", "against=float-circumcentre"};
    std::vector<std::string> run{"run", "race-predicates", "--device", "cpu", "--quiet", "--json", "-"};
    run.insert(run.end(), asked.begin(), asked.end());
    const Outcome outcome = run_program(run);
    const json told = json::parse(outcome.out);
    const auto parted_in = told["results"]["parted in pass"].get<uint64_t>();
    std::vector<std::string> arguments{"--lab", "race-predicates"};
    arguments.insert(arguments.end(), asked.begin(), asked.end());
    const auto window = window_or_skip(arguments);
    if (!window) return;
    json status = window->settle();
    CHECK(status["beside"] == true);
    if (status["pauses"] == false) window->key("e");
    status = wait_for_value(*window, "/pauses", true);
    for (int faster = 0; faster < 20; ++faster) window->key("bracketright");
    status = press_key(*window, "space", [](const json& s) { return s["detections"]["found"] > 0; });
    CHECK(status["done"] == false);
    CHECK(status["position"] == parted_in);
    const size_t differ = status["detections"]["known"];

    click_box(*window, status["boxes"]["detection/" + std::to_string(row_in_sight(status, "detection"))]);
    status = window->wait_for("the diagram", [](const json& s) { return s["detections"]["diagrams"] > 0; });
    CHECK(status["detections"]["chosen"].get<size_t>() < differ);
    CHECK(status["detail_view"]["width"] > 0);
    press_key(*window, "Escape", "/detections/chosen", nullptr);

    // On to the end: the right side is not Delaunay, and the check says so.
    press_key(*window, "e", "/pauses", false);
    status = to_end(*window);
    CHECK(status["numbers"]["parted in pass"] == parted_in);
    CHECK(status["numbers"]["edges that differed then"] == differ);
    status = press_key(*window, "v", [](const json& s) { return !s["check"].is_null(); });
    CHECK(status["check"]["passed"] == false);
}
