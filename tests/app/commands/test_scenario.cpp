// Scenario files from a user's view: run by the real program, refused with the file and the key that is wrong.
#include <nlohmann/json.hpp>

#include "app/judging/saved_failure.h"
#include "app/program.h"
#include "app/run/run.h"
#include "app/run/scenario.h"
#include "geometry/generators.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;
using ParsedJson = nlohmann::json;

TEST_CASE("scenario: a file is run, and the command line overrides it") {
    const TemporaryFolder folder;
    write_file(folder / "points.xy", "0 0\n4 0\n0 4\n1 1\n");
    write_file(folder / "file.json", R"({"lab": "build", "input": "points.xy", "parameters": {"flips": false}})");
    write_file(folder / "made.json", R"({"points": "ring:50", "seed": 3, "play": true, "presenter_scale": 1.5})");
    const auto run = [&](const std::string& name, const std::vector<std::string>& more) {
        return json_of_run(joined({(folder / name).string()}, more));
    };
    const ParsedJson from_file = run("file.json", {});
    CHECK(from_file["points"] == 4);
    CHECK(from_file["parameters"]["flips"] == false);
    const ParsedJson over = run("file.json", {"--set", "flips=on"});
    CHECK(over["parameters"]["flips"] == true);
    CHECK(over["triangles"] == 3);
    CHECK(run("made.json", {})["input"] == "ring:50@seed=3");
    CHECK(run("made.json", {"--points", "ring:60", "--seed", "1"})["input"] == "ring:60");
    write_file(folder / "mesh.json", R"({"mesh": "ring:50", "parameters": {"flip_limit": 7}})");
    const ParsedJson mesh = run("mesh.json", {});
    CHECK(mesh["lab"] == "build");  // points alone, and no lab is named
    CHECK(mesh["input"] == "ring:50");
    CHECK(mesh["parameters"]["flip_limit"] == 7);
}

TEST_CASE("scenario: every sample scenario runs, and passes the check") {
    for (const auto& file : std::filesystem::directory_iterator(std::string(FLIPSCOPE_SOURCE_DIR) + "/assets")) {
        if (app::file_kind(file.path()) != app::FileKind::kScenario) continue;
        INFO(file.path());
        CHECK(json_of_run({file.path().string(), "--check"})["lab"] == app::read_scenario(file.path()).lab);
    }
}

TEST_CASE("scenario: manual edits are made at their places, and those that cannot be made are refused") {
    const TemporaryFolder folder;
    const auto made = [&](const std::string& edits, int status = 0) {
        write_file(folder / "hand.json", R"({"lab": "serial", "points": "uniform:0", "edits": [)" + edits + "]}");
        return status == 0 ? json_of_run({(folder / "hand.json").string(), "--check"}) : ParsedJson();
    };
    const ParsedJson three = made(R"({"add": [2, 2]}, {"add": [18, 3]}, {"at": "end", "add": [9, 9]})");
    CHECK(three["triangles"] == 1);
    const ParsedJson all = made(R"({"add": [2, 2]}, {"add": [18, 3]}, {"at": "end", "add": [9, 9]},
        {"at": "end", "add": [9, 4]}, {"at": "end", "move": 3, "to": [10, 5]}, {"at": "end", "add": [1, 7.25]},
        {"at": "end", "remove": "point:3"})");
    write_file(folder / "left.xy", "2 2\n18 3\n9 9\n1 7.25\n");
    CHECK(all["edges"] == json_of_run({"serial", "--input", (folder / "left.xy").string()})["edges"]);
    CHECK(all["check"]["passed"] == true);

    const auto refusal = [&](const std::string& edits) {
        made(edits, 1);
        const Outcome outcome = run_program({"run", (folder / "hand.json").string(), "--device", "cpu"});
        CHECK(outcome.status != 0);
        return outcome.err;
    };
    CHECK(has(refusal(R"({"add": [2, 2]}, {"remove": 7})"), "the edit after pass 1: There is no vertex 7"));
    CHECK(has(refusal(R"({"add": [2, 2]}, {"remove": "edge:7"})"), "the edit after pass 1: edge:7: "));
    CHECK(has(refusal(R"({"add": [2, 2]}, {"remove": "pt:7"})"), "/edits/1/remove: "));
    CHECK(has(refusal(R"({"add": [2, 2]}, {"remove": "name:Oslo"})"), "/edits/1/remove: expected point:INDEX"));
    CHECK(has(refusal(R"({"add": [2]})"), "/edits/0/add: expected two or three coordinates"));
    CHECK(has(refusal(R"({"move": 2})"), "/edits/0: expected \"to\" beside \"move\""));
    CHECK(
        has(refusal(R"({"at": 3, "add": [2, 2]}, {"at": 3, "add": [1, 2]})"), "/edits/1/at: expected at least pass 4"));
    CHECK(has(refusal(R"({"erase": 2})"), "/edits/0/erase: expected one of move, flip, add, remove"));
    CHECK(has(refusal(R"({"flip": 2})"), "flips no edges manually; the Flip lab"));
}

TEST_CASE("scenario: title and note are reported, and dropped with a replaced input") {
    const TemporaryFolder folder;
    const std::string path = folder.file(
        "told.json", R"({"points": "ring:50", "title": "A ring", "note": "All on one circle.", "at": "end"})");
    const app::Scenario scenario = app::read_scenario(path);
    CHECK(scenario.title == "A ring");
    CHECK(scenario.note == "All on one circle.");
    CHECK(scenario.at == app::Scenario::kAtEnd);
    CHECK_FALSE(scenario.play);
    const auto notes = [&](const std::vector<std::string>& more, int status = 0) {
        return json_of_run(joined({path}, more), status)["notes"].dump();
    };
    CHECK(has(notes({}), "A ring: All on one circle."));
    CHECK(has(notes({"--set", "predicate=double-circumcentre"}, 1), "A ring: All on one circle."));
    CHECK_FALSE(has(notes({"--points", "ring:60"}), "A ring"));
    write_file(path, R"({"points": "ring:50", "note": "Alone.", "at": 7})");
    CHECK(app::read_scenario(path).at == 7);
    CHECK(app::description(app::read_scenario(path)) == "Alone.");
}

TEST_CASE("scenario: shown and hidden layers") {
    const TemporaryFolder folder;
    write_file(folder / "dots.json", R"({"points": "ring:50", "hide": ["cells", "links"], "show": "field"})");
    const app::DisplayOptions display = app::read_scenario(folder / "dots.json").display;
    CHECK_FALSE(display.shows("cells", true));
    CHECK_FALSE(display.shows("edges", true));
    CHECK(display.shows("points", true));
    CHECK(display.shows("marks", true));
    CHECK(display.shows("field", false));
    write_file(folder / "wrong.json", R"({"points": "ring:50", "show": ["cells", "sells"]})");
    check_refused({"run", (folder / "wrong.json").string()}, ": /show/1: expected some of cells, field");
    check_refused({"run", "build", "--points", "ring:50", "--hide", "cells,sells"}, "--hide: expected some of cells");
}

TEST_CASE("scenario: without a lab, the input decides: points, triangles, a surface") {
    const auto lab = [](const std::string& spec) { return app::lab_for(generate(parse_generator(spec))); };
    CHECK(lab("uniform:10") == "build");
    const std::string flat = lab("quad:100"), surface = lab("sphere:100");
    CHECK(lab_info(flat).inputs.has(InputKind::kMeshes));
    CHECK(lab_info(surface).inputs.has(InputKind::kSurfaces));
    CHECK(app::lab_for(Geometry{}) == "build");
    const TemporaryFolder folder;
    write_file(folder / "flat.json", R"({"lab": "build", "mesh": "sphere:100"})");
    const Outcome above = run_program({"run", (folder / "flat.json").string(), "--device", "cpu", "--json", "-"});
    REQUIRE(above.status == 0);
    CHECK(ParsedJson::parse(above.out)["surface"] == false);
    CHECK(ParsedJson::parse(above.out)["points"] == 100);
    CHECK(has(above.err,
              "is a surface in space, and the Build lab works in the plane: x and y of its 100 vertices count"));
}

TEST_CASE("scenario: a malformed file is status 2 with the file and the key") {
    const TemporaryFolder folder;
    const std::string path = (folder / "wrong.json").string();
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"{\n  \"lab\": \"build\",\n  oops\n}", ":3: expected JSON, found \"  oops\""},
        {"", ":1: expected JSON"},
        {"7", "expected an object"},
        {R"({"points": "uniform:10", "colour": "red"})", ": unknown key \"colour\"; known: lab, points"},
        {R"({"points": "uniform:10", "parametres": {}})", "\"parametres\"; did you mean \"parameters\"?"},
        {R"({"points": 5})", ": /points: expected a text, found 5"},
        {R"({"points": "unifrm:10"})", ": /points: unknown generator"},
        {R"({"points": "\u001b[31m:10"})", ": /points: unknown generator \"\\x1b[31m\""},
        {R"({"lab": "biuld", "points": "uniform:10"})", ": /lab: unknown lab \"biuld\"; did you mean \"build\"?"},
        {R"({"mesh": "uniform:10", "points": "uniform:10"})", ": /points and /mesh are both given"},
        {R"({"points": "uniform:10", "seed": "one"})", ": /seed: expected a whole number, zero or more, found \"one\""},
        {R"({"points": "uniform:10", "seed": 1e999})", "a double can hold, found \"1e999\""},
        {R"({"points": "uniform:10", "at": "start"})",
         ": /at: expected \"end\" or a number of passes, found \"start\""},
        {R"({"points": "uniform:10", "at": 3, "play": true})", ": /at and /play are both given"},
        {R"({"points": "uniform:10", "presenter_scale": 99})", ": /presenter_scale: expected a number from 0.25"},
        {R"({"points": "uniform:10", "show": ["cells", 7]})", ": /show/1: expected names of layers, such as cells"},
        {R"({"points": "uniform:10", "parameters": {"flips": null}})", ": /parameters/flips: expected a text"},
        {R"({"points": "uniform:10", "input": "a.xy"})", "both given"},
        {R"({"lab": "build"})", "found neither"},
        {R"({"points": "uniform:10", "parameters": {"predicate": "half"}})",
         ": /parameters/predicate: expected exact, "},
        {R"({"points": "uniform:10", "parameters": {"flip/limit": 5}})",
         ": /parameters/flip~1limit: \"build\" has no parameter \"flip/limit\"; did you mean"},
        {R"({"points": "uniform:10", "parameters": {"flip_limit": 0.5}})",
         ": /parameters/flip_limit: expected 1 … 1000 or none, found \"0.5\""},
        {R"({"lab": "events", "tracks": "missing.npy"})", ": /tracks: " + (folder / "missing.npy").string()}};
    for (const auto& [text, part] : wrong) {
        write_file(path, text);
        const std::string said = error_of([&] { app::Run{app::read_scenario(path)}; });
        CAPTURE(said);
        CHECK(has(said, path + ":"));
        CHECK(has(said, part));
    }
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", path}, {path}})
        check_refused(arguments, path + ": /tracks: ");  // said before a window opens
    write_file(folder / "bad.xy", "0 0\n1 one\n");
    write_file(path, R"({"input": "bad.xy"})");
    check_refused({"run", path}, path + ": /input: " + (folder / "bad.xy").string() + ":2: expected two numbers");
    // The command line overrides the scenario.
    const Outcome over = run_program({"run", path, "--input", "elsewhere.xy"});
    CHECK(over.status == 2);
    CHECK(!has(over.err, "/input"));
    CHECK_FALSE(has(run_program({"run", path, "--points", "uniform:10", "--set", "predicate=half"}).err, path));
    check_refused({"run", (folder / "missing.json").string()}, "missing.json");
}

TEST_CASE("scenario: elements are coloured by a quantity or a column, and other names are refused with their place") {
    const TemporaryFolder folder;
    const std::string path = (folder / "coloured.json").string(), picture = (folder / "picture.png").string();
    write_file(folder / "towns.csv", "x,y,mass\n0,0,1\n4,0,2\n0,3,5\n3,3,9\n1,1,4\n");
    const auto drawn = [&](const std::string& fields, const std::vector<std::string>& more) {
        write_file(path, "{\"lab\": \"build\", \"input\": \"towns.csv\"" + fields + "}");
        return picture_of_run(joined({path}, more));
    };
    const std::string plain = drawn("", {});
    if (plain.empty()) return;
    const std::string degree = drawn(R"(, "colour_by": "degree")", {}), mass = drawn(R"(, "colour_by": "mass")", {});
    CHECK(plain != degree);
    CHECK(degree != mass);
    CHECK(mass == drawn("", {"--colour-by", "mass"}));
    CHECK(degree == drawn(R"(, "colour_by": "mass")", {"--colour-by", "degree"}));  // the command line speaks last
    CHECK(run_program({"run", path, "--device", "cpu", "--quiet"}).status == 0);    // without a picture it is no matter

    write_file(path, R"({"lab": "build", "input": "towns.csv", "colour_by": "weight"})");
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", path}, {path}})
        check_refused(arguments, path + ": /colour_by: weight: there is no such quantity; known: degree");
    check_refused({"run", path}, "and of the input mass");
    write_file(path, R"({"lab": "voronoi", "points": "uniform:9", "colour_by": "edge-length"})");
    const Outcome none = run_program({"run", path, "--device", "cpu", "--picture", picture});
    CHECK(none.status != 0);
    CHECK(has(none.err, path + ": /colour_by: edge-length: the Voronoi lab shows cells"));
}

TEST_CASE("scenario: a saved failure keeps a measured quantity as its colour") {
    const TemporaryFolder folder;
    const Point points[] = {{0, 0}, {1, 0}, {0, 1}};
    const auto written = [&](const std::optional<Explored>& colour) {
        write_file(folder / "shrunk.json",
                   app::scenario_text({"build", {}, points, {}, "", "Three", "A triangle.", colour}));
        return app::read_scenario(folder / "shrunk.json").colour_by;
    };
    CHECK(written(Explored(ElementQuantity::kDegree)) == Explored(ElementQuantity::kDegree));
    CHECK_FALSE(written(Explored("mass")));  // these points have no columns
    CHECK_FALSE(written({}));
}

TEST_CASE("scenario: JSON of points is an input, and neither a scenario nor a lesson") {
    const TemporaryFolder folder;
    const auto is_scenario = [&](const std::string& text) {
        write_file(folder / "a.json", text);
        return app::file_kind(folder / "a.json") != app::FileKind::kInput;
    };
    for (const char* text :
         {"[[0, 0], [1, 0], [0, 1]]", "[{\"x\": 1, \"y\": 2}]", "[]",
          "{\"type\": \"FeatureCollection\", \"features\": [", "{\"type\": \"Point\", \"coordinates\": [1, 2]}",
          "{\"x\": [1, 2], \"y\": [3, 4]}", "{\"x\": 1, \"y\": 2}",
          "{\"nodes\": [{\"x\": 1, \"y\": 2}], \"links\": []}", "{\"width\": 10, \"points\": [[0, 0], [1, 0]]}",
          "{\"points\": [[0, 0], [1, 0], [0, 1]], \"triangles\": [[0, 1, 2]]}"}) {
        INFO(std::string(text));
        CHECK_FALSE(is_scenario(text));
    }
    for (const char* text :
         {"{\"lab\": \"build\", \"points\": \"uniform:10\"}", "{\"points\": \"uniform:10\"}", "{\"points\": [[0, 0]]}",
          "{\"title\": \"a\", \"points\": [[0, 0]]}", "{\"points\": \"uniform:10\", \"paly\": true}", "{}", "",
          "{\"steps\": []}", "{\"input\": \"a.xy\", \"parameters\": {\"flips\": false}}",
          "{\"input\": \"a.xy\", \"parametres\": {}}"}) {
        INFO(std::string(text));
        CHECK(is_scenario(text));
    }
    CHECK(app::file_kind(folder / "absent.json") == app::FileKind::kScenario);
    CHECK(app::file_kind(folder / "absent.geojson") == app::FileKind::kInput);
    CHECK(app::file_kind(folder / "run.state") == app::FileKind::kState);
    std::filesystem::create_directory(folder / "frames.json");
    CHECK(app::file_kind(folder / "frames.json") == app::FileKind::kFolder);
    const std::string path = folder.file("a.json", "[[0, 0], [4, 0], [0, 4], [1, 1]]");
    const ParsedJson run = program_json({"run", "build", "--input", path, "--device", "cpu"});
    CHECK(run["triangles"] == 3);
    check_refused({"run", path}, "is a file, and a lab comes first");
    CHECK(run_program({"check", path}).status == 0);
}
