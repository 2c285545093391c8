// Scenario files as a user meets them: run by the real program, refused with the file and the key that is wrong.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "program.h"

using namespace flipscope;
using Json = nlohmann::json;

TEST_CASE("scenario: a file is run, and the command line speaks last") {
    const TemporaryFolder folder;
    write_file(folder / "points.xy", "0 0\n4 0\n0 4\n1 1\n");
    write_file(folder / "file.json", R"({"lab": "build", "input": "points.xy", "parameters": {"flips": false}})");
    write_file(folder / "made.json", R"({"points": "ring:50", "seed": 3, "play": true, "presenter_scale": 1.5})");
    const auto run = [&](const std::string& name, std::vector<std::string> more) {
        std::vector<std::string> all{"run", (folder / name).string(), "--device", "cpu", "--json", "-"};
        all.insert(all.end(), more.begin(), more.end());
        return run_program(all);
    };
    const Json from_file = Json::parse(run("file.json", {}).out);
    CHECK(from_file["points"] == 4);
    CHECK(from_file["parameters"]["flips"] == false);
    const Json over = Json::parse(run("file.json", {"--set", "flips=on"}).out);
    CHECK(over["parameters"]["flips"] == true);
    CHECK(over["triangles"] == 3);
    CHECK(Json::parse(run("made.json", {}).out)["input"] == "ring:50@seed=3");
    CHECK(Json::parse(run("made.json", {"--points", "ring:60", "--seed", "1"}).out)["input"] == "ring:60");
    const std::string demo = std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/demo.json";
    const Outcome shown = run_program({"run", demo, "--device", "cpu", "--check"});
    CHECK(shown.status == 0);
    CHECK(has(shown.out, "100,000"));
}

TEST_CASE("scenario: a file that is wrong is status 2 and names file and key") {
    const TemporaryFolder folder;
    const std::string path = (folder / "wrong.json").string();
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"{\n  \"lab\": \"build\",\n  oops\n}", ":3: expected JSON, found \"  oops\""},
        {"", ":1: expected JSON"},
        {"[1, 2]", "expected an object"},
        {R"({"points": "uniform:10", "colour": "red"})", "unknown key \"colour\""},
        {R"({"points": 5})", "\"points\": expected a text, found 5"},
        {R"({"points": "unifrm:10"})", "\"points\": "},
        {R"({"points": "uniform:10", "seed": "one"})",
         "\"seed\": expected a whole number, zero or more, found \"one\""},
        {R"({"points": "uniform:10", "seed": -1})", "\"seed\": "},
        {R"({"points": "uniform:10", "play": 1})", "\"play\": expected true or false"},
        {R"({"points": "uniform:10", "presenter_scale": 99})", "\"presenter_scale\": "},
        {R"({"points": "uniform:10", "parameters": ["flips"]})", "\"parameters\": expected an object"},
        {R"({"points": "uniform:10", "parameters": {"flips": null}})", "\"flips\": "},
        {R"({"points": "uniform:10", "input": "a.xy"})", "both given"},
        {R"({"lab": "build"})", "found neither"}};
    for (const auto& [text, part] : wrong) {
        write_file(path, text);
        check_refused({"run", path}, path);
        check_refused({"run", path}, part);
        check_refused({path}, part);  // said before a window opens
    }
    write_file(path, R"({"points": "uniform:10", "parameters": {"predicate": "half"}})");
    check_refused({"run", path}, "expected exact, double or float");
    write_file(path, R"({"input": "missing.xy"})");
    check_refused({"run", path}, (folder / "missing.xy").string());
    check_refused({"run", (folder / "missing.json").string()}, "missing.json");
}
