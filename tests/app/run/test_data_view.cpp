// How data is shown, as text: on the command line and in scenarios.
#include "app/run/data_view.h"

#include "app/folders.h"
#include "app/run/python_script.h"
#include "app/run/scenario.h"
#include "app/run/selection_query.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

std::string why_not(const char* key, const char* text) {
    return error_of([&] { DataView().set(key, text); }, "");
}

}  // namespace

TEST_CASE("data views: every option reads back as it was written") {
    DataView data;
    for (const auto& [key, text] : {std::pair{"colour-map", "cividis,reverse"},
                                    {"colour-range", "0.1:1e+20"},
                                    {"colour-scale", "log"},
                                    {"colour-steps", "7"},
                                    {"size-by", "dbh"},
                                    {"select", "species=oak"},
                                    {"scatter", "dbh,degree"},
                                    {"log-axes", "y"},
                                    {"curve", "degrees"}})
        data.set(key, text);
    CHECK(data.style.map == ColourScale::Map::kCividis);
    CHECK(data.style.reversed);
    CHECK(data.log.y);
    CHECK(!data.log.x);
    DataView again;
    for (const auto& [key, text] : data.texts()) again.set(key, text);
    CHECK(again == data);
    CHECK(DataView().texts().empty());
    DataView reversed;
    reversed.set("colour-map", "reverse");
    CHECK(reversed.style.map == ColourScale::Map::kOfKind);
    CHECK(map_text(reversed.style) == "reverse");
}

TEST_CASE("data views: wrong texts are refused with what is expected") {
    CHECK(has(why_not("colour-map", "jet"), "expected one of standard, viridis"));
    CHECK(has(why_not("colour-range", "3:1"), "the first number below the second"));
    CHECK(has(why_not("colour-range", "3"), "LOW:HIGH"));
    CHECK(has(why_not("colour-steps", "65"), "from 1 to 64"));
    CHECK(has(why_not("colour-scale", "sqrt"), "linear or log"));
    CHECK(has(why_not("scatter", "a"), "X,Y"));
    CHECK(has(why_not("log-axes", "z"), "x, y or x,y"));
    DataView data;
    data.set("colour-range", "-1:5");
    CHECK(has(error_of([&] { data.set("colour-scale", "log"); }, ""), "begins above 0"));
    Geometry input;
    input.attributes = std::make_shared<const std::vector<Attribute>>(
        std::vector<Attribute>{{"species", {0}, "", {"oak"}}, {"dbh", {1}, "cm", {}}});
    CHECK(scatter_named("dbh,degree", &input, "--scatter ").second == Explored(ElementQuantity::kDegree));
    CHECK(has(error_of([&] { scatter_named("dbh,species", &input, "--scatter "); }, ""), "has text"));
    CHECK(has(error_of([&] { scatter_named("dbh,edge-length", &input, "--scatter "); }, ""), "different elements"));
    CHECK(has(error_of([&] { scatter_named("dbh,age", &input, "--scatter "); }, ""), "no such quantity"));
}

TEST_CASE("data views: a selection is written as it is read") {
    const Geometry input = [] {
        Geometry made;
        made.attributes = std::make_shared<const std::vector<Attribute>>(std::vector<Attribute>{
            {"species", {0}, "", {"oak", "oak, red", "the \"tall\" one"}}, {"dbh", {1}, "cm", {}}});
        return made;
    }();
    for (const char* text :
         {"dbh:0.5..7", "dbh=3", "species=oak,\"oak, red\",\"the \"\"tall\"\" one\"", "degree:5..7"}) {
        ExplorationChoice choice;
        apply_selection(parse_selection(text, ""), {}, &input, "", choice);
        CHECK(selection_text(choice) == text);
    }
    CHECK(selection_text({.ids = {3, 4, 5, 9}, .id_kind = ElementKind::kEdge}) == "edge:3..5,9");
    CHECK(selection_text({.region = {{0, 0}, {1, 0}, {0, 1}}}).empty());
}

TEST_CASE("scenarios: what was explored is written into a file and read again") {
    const TemporaryFolder folder;
    Scenario scenario;
    scenario.lab = "build";
    scenario.input = folder / "trees.csv";
    scenario.colour_by = Explored("dbh");
    scenario.display.show("edges", false);
    scenario.display.show("data", true);
    scenario.at = Scenario::kAtEnd;
    scenario.title = "Trees";
    scenario.data.set("colour-map", "magma");
    scenario.data.set("colour-range", "1:50");
    scenario.data.set("colour-steps", "5");
    scenario.data.set("size-by", "dbh");
    scenario.data.set("select", "dbh:10..20");
    write_file(folder / "scenario.json", scenario_file(scenario, folder / ""));
    CHECK(has(read_file(folder / "scenario.json"), "\"trees.csv\""));  // beside the scenario
    const Scenario again = read_scenario(folder / "scenario.json");
    CHECK(again.data == scenario.data);
    CHECK(again.display == scenario.display);
    CHECK(again.colour_by == scenario.colour_by);
    CHECK(again.at == scenario.at);
    write_file(folder / "wrong.json", R"({"points": "uniform:9", "colour_map": "jet"})");
    CHECK(has(error_of([&] { read_scenario(folder / "wrong.json"); }, ""), "wrong.json: /colour_map: expected one of"));
}

TEST_CASE("Python scripts: the quantity beta and surfaces are refused") {
    Scenario scenario;
    Input input;
    Geometry points;
    points.points = {{0, 0}, {1, 0}, {0, 1}};
    input.geometry = std::make_shared<const Geometry>(points);
    input.text = "three points";
    scenario.colour_by = ElementQuantity::kBeta;
    CHECK(has(error_of([&] { python_script(scenario, input, nullptr); }, ""), "does not measure beta"));
    points.heights = {0, 0, 1};
    input.geometry = std::make_shared<const Geometry>(points);
    CHECK(has(error_of([&] { python_script(scenario, input, nullptr); }, ""), "surface"));
}
