// Links, the field that finds elements, and labels, in the real window.
#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "app/program.h"
#include "app/window_hands.h"

using namespace flipscope;

namespace {

std::string write_towns(const TemporaryFolder& folder) {
    return folder.file("towns.csv", "x,y,name\n0,0,Oslo\n4,0,Rome\n4,3,Bern\n0,3,Berlin\n1,1,Bergen\n3,1.1,Paris\n");
}

json inspected(WindowDriver& window, const char* kind, uint64_t id) {
    return window.wait_for(std::string(kind) + " " + std::to_string(id), [&](const json& s) {
        return !s["inspected"].is_null() && s["inspected"]["kind"] == kind && s["inspected"]["id"] == id;
    });
}

/// The ids that a property of the inspected element leads to.
std::vector<uint64_t> leads_to(const json& status, const char* property) {
    std::vector<uint64_t> ids;
    for (const json& section : status["inspected"]["report"]["sections"])
        for (const json& one : section.value("properties", json::array()))
            if (one["name"] == property)
                for (const json& link : one.value("links", json::array())) ids.push_back(link["id"].get<uint64_t>());
    return ids;
}

}  // namespace

TEST_CASE("window: what is typed into the field is found, seen and inspected, and what cannot be is said there") {
    const TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "build", "--points", "uniform:5000"});
    if (!window) return;
    to_end(*window);
    const double far = number(window->settle(), "camera", "scale");
    find_element(*window, "edge:417");
    json status = inspected(*window, "edge", 417);
    CHECK(status["find"]["open"] == false);
    CHECK(number(status, "camera", "scale") > 2 * far);  // as large as it takes
    const auto [x, y] =
        seen_at(status, {status["inspected"]["corners"][0][0], status["inspected"]["corners"][0][1], 0});
    CHECK(Rect(status["canvas"]).holds(x, y));
    find_element(*window, "triangle:88");
    inspected(*window, "triangle", 88);
    find_element(*window, "0.5, 0.5");
    status = window->wait_for("what lies there", [](const json& s) {
        return s["inspected"]["kind"] != "triangle" || s["inspected"]["id"] != 88;
    });
    CHECK(status["inspected"]["kind"] != "pixel");
    const json before = status["inspected"]["id"];
    find_element(*window, "edge:xyz");
    status = window->wait_for("why not", [](const json& s) { return s["find"]["note"] != ""; });
    CHECK(status["find"]["open"] == true);
    CHECK(has(status["find"]["note"].get<std::string>(), "no whole number"));
    status = press_key(*window, "Escape", "/find/open", false);
    CHECK(status["inspected"]["id"] == before);
    find_element(*window, "edge:99999999");
    status = wait_until_said(*window, "ids go from 0 to");
}

TEST_CASE("window: names of the input are found and stand in the picture") {
    const TemporaryFolder folder;
    const auto window = window_or_skip({"--lab", "build", write_towns(folder)});
    if (!window) return;
    to_end(*window);
    json status = find_element(*window, "berg");
    status = window->wait_for("Bergen", [](const json& s) { return !s["inspected"].is_null(); });
    CHECK(status["inspected"]["corners"][0][0] == 1);
    CHECK(status["inspected"]["properties"]["Point"] == "4");
    CHECK(boxes_of(status, "label/").empty());
    window->key("Escape");
    window->key("f");
    status = press_key(*window, "y", [](const json& s) { return boxes_of(s, "label/").size() >= 6; });
    std::string texts;
    const json labels = boxes_of(status, "label/");
    for (const auto& [text, box] : labels.items()) texts += text + ";";
    for (const char* name : {"Oslo", "Rome", "Bern;", "Berlin", "Bergen", "Paris"}) CHECK(has(texts, name));
    for (const auto& [text, box] : labels.items())
        for (const auto& [other, its_box] : labels.items()) CHECK((text == other || !Rect(box).meets(Rect(its_box))));
    press_key(*window, "y", [](const json& s) { return boxes_of(s, "label/").empty(); });
}

TEST_CASE("window: links lead over the border of a torus, and back, and what they lead to is drawn there") {
    const auto window =
        window_or_skip({"--lab", "build", "--points", "uniform:60", "--set", "domain=torus"}, {1600, 1000});
    if (!window) return;
    to_end(*window);
    json status;
    uint64_t edge = 0;
    for (bool across = false; !across && edge < 180; edge += !across) {
        find_element(*window, "edge:" + std::to_string(edge));
        status = inspected(*window, "edge", edge);
        across = status["inspected"]["properties"].contains("Across the border");
    }
    REQUIRE(edge < 180);
    const std::vector<uint64_t> triangles = leads_to(status, "Triangles"), ends = leads_to(status, "Ends");
    REQUIRE(triangles.size() == 2);
    REQUIRE(ends.size() == 2);
    // Its triangles, its circles and its other diagonal are drawn once for each side of the border.
    std::map<std::string, int> drawn;
    for (const json& one : status["inspected"]["report"]["highlights"]) ++drawn[one["name"].get<std::string>()];
    for (const char* name : {"triangle ", "circumcircle of triangle "})
        CHECK(drawn[name + std::to_string(triangles[0])] >= 2);
    click_link(*window, std::to_string(triangles[0]));
    status = inspected(*window, "triangle", triangles[0]);
    const std::vector<uint64_t> edges = leads_to(status, "Edges");
    CHECK(std::count(edges.begin(), edges.end(), edge) == 1);
    click_link(*window, std::to_string(edge));
    inspected(*window, "edge", edge);
}

TEST_CASE("window: the history of an edge leads to the passes that flipped it, and the run stands where it stood") {
    const std::vector<std::string> swept{"--points", "uniform:60", "--set", "start=sweep"};
    // An edge that is flipped twice.
    std::vector<std::string> run{"run", "flip", "--device", "cpu", "--quiet", "--json", "-"};
    run.insert(run.end(), swept.begin(), swept.end());
    for (int edge = 0; edge < 150; ++edge) run.insert(run.end(), {"--history", "edge:" + std::to_string(edge)});
    const json histories = json::parse(run_program(run).out)["history"];
    const auto twice = std::find_if(histories.begin(), histories.end(), [](const json& one) {
        return std::count_if(one["changes"].begin(), one["changes"].end(),
                             [](const json& change) { return change["what"] == "flipped"; }) >= 2;
    });
    REQUIRE(twice != histories.end());
    const uint64_t edge = (*twice)["id"];
    std::vector<std::string> arguments{"--lab", "flip"};
    arguments.insert(arguments.end(), swept.begin(), swept.end());
    const auto window = window_or_skip(arguments, {1600, 1000});
    if (!window) return;
    const json end = to_end(*window);
    find_element(*window, "edge:" + std::to_string(edge));
    json status = inspected(*window, "edge", edge);
    status = scroll_to_link(*window, "History");
    click_box(*window, *link_named(status, "History"));
    status = window->wait_for("the history", [](const json& s) { return !link_named(s, "History"); });
    CHECK(status["position"] == end["position"]);
    CHECK(status["state_hash"] == end["state_hash"]);
    window->move(middle(status["inspector"]).first, middle(status["inspector"]).second);
    for (int i = 0; i < 40; ++i) window->click(5);
    status = window->settle();
    std::vector<std::string> passes;
    for (const json& property : status["inspected"]["history"])
        if (property["name"] == "Flipped in pass")
            for (const json& link : property["links"]) passes.push_back(link["name"]);
    REQUIRE(passes.size() >= 2);
    const json* last = nullptr;  // it stands below all others
    for (const auto& [name, link] : status["boxes"].items())
        if (name == "link/" + passes.back() || name.starts_with("link/" + passes.back() + "#")) last = &link;
    REQUIRE(last);
    click_box(*window, *last);
    at_position(*window, std::stoull(passes.back()));
}
