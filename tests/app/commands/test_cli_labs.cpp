// The rounds, check and counts that a run without a window reports, in the table and in the JSON: the real program is
// started.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/program.h"
#include "app/run/inputs.h"
#include "geometry/generators.h"
#include "lab/registry.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

/// The table's row of this name; empty: there is none.
std::string row_of(const std::string& table, const std::string& name) {
    const size_t at = table.find("\n  " + name + " ");
    if (at == table.npos) return {};
    const size_t begin = table.find_first_not_of(' ', at + 3 + name.size());
    return table.substr(begin, table.find('\n', begin) - begin);
}

std::string without_commas(std::string text) {
    std::erase(text, ',');
    return text;
}

// Two triangles over a kite; the short diagonal is Delaunay.
constexpr const char* kLegal = "OFF\n4 2 0\n0 0 0\n4 -1 0\n8 0 0\n4 1 0\n3 0 1 3\n3 1 2 3\n";
constexpr const char* kIllegal = "OFF\n4 2 0\n0 0 0\n4 -1 0\n8 0 0\n4 1 0\n3 0 1 2\n3 0 2 3\n";

}  // namespace

TEST_CASE("command line: without a chosen device, labs for the CPU only run there") {
    size_t bound = 0;
    for (const auto& entry : registry()) {
        INFO(entry.id);
        const bool cpu_only = entry.info().on_cpu_only;
        bound += cpu_only;
        CHECK(app::device_for(entry.info(), DeviceRequest::kAuto) ==
              (cpu_only ? DeviceRequest::kCpu : DeviceRequest::kAuto));
        CHECK(app::device_for(entry.info(), DeviceRequest::kCuda) == DeviceRequest::kCuda);  // and is refused there
        CHECK(app::device_for(entry.info(), DeviceRequest::kCpu) == DeviceRequest::kCpu);
    }
    CHECK(bound > 0);
    CHECK(bound < registry().size());
}

TEST_CASE("command line: a run counts the same rounds with and without --stepped") {
    const TemporaryFolder folder;
    for (const std::vector<std::string>& lab : std::vector<std::vector<std::string>>{
             {"build", "--points", "uniform:500", "--set", "flip_limit=1"},
             {"build", "--points", "line:5"},
             {"serial", "--points", "uniform:5"},
             {"race-builds", "--points", "uniform:200"},
             {"voronoi", "--points", "uniform:30", "--set", "width=64", "--set", "height=64", "--set", "lloyd=3"},
             {"events", "--set", "width=64", "--set", "height=64", "--set", "comparisons=3"},
             {"particles", "--set", "count=60", "--set", "steps=4"}}) {
        std::string text;
        for (const std::string& word : lab) text += word + " ";
        INFO(text);
        const std::string whole_json = (folder / "whole.json").string(), steps_json = (folder / "steps.json").string();
        const Outcome a = run_on_cpu(joined(lab, {"--json", whole_json})),
                      b = run_on_cpu(joined(lab, {"--stepped", "--json", steps_json}));
        INFO(a.err, b.err);
        REQUIRE(a.status == 0);
        REQUIRE(b.status == 0);
        const Json steps = Json::parse(read_file(steps_json)), rounds = Json::parse(read_file(whole_json));
        const auto last = steps["passes"].back()["round"].get<uint32_t>();
        CHECK(without_commas(row_of(a.out, "rounds")) == std::to_string(last));
        if (last > 0)
            CHECK(
                row_of(b.out, "passes").ends_with(", in " + std::to_string(last) + (last == 1 ? " round" : " rounds")));
        // What is summed up under the name of a round is one, and the rounds come one after the other.
        uint32_t count = 0;
        for (const Json& pass : rounds["passes"])
            if (pass["name"] == "round")
                CHECK(pass["round"] == ++count);
            else
                CHECK(pass["round"] == 0);
        CHECK(count == last);
    }
}

TEST_CASE("command line: --steps 0 --check checks a mesh as given, and other checks say what they checked") {
    const TemporaryFolder folder;
    const std::string legal = folder.file("legal.off", kLegal), illegal = folder.file("illegal.off", kIllegal);
    const std::string json_file = (folder / "run.json").string();
    for (const char* lab : {"flip", "race"}) {
        INFO(lab);
        Outcome outcome = run_on_cpu({lab, "--input", illegal, "--steps", "0", "--check", "--json", json_file});
        CHECK(outcome.status == 1);
        Json check = Json::parse(read_file(json_file))["check"];
        CHECK(check["passed"] == false);
        CHECK(check["of"] == "the mesh as it was given");
        CHECK(check["counts"]["illegal_edges"] == (std::string(lab) == "race" ? 2 : 1));  // on both sides
        CHECK(run_on_cpu({lab, "--input", legal, "--steps", "0", "--check"}).status == 0);

        // After the flips the illegal one passes, too, so the reader is told what that means and what to ask instead.
        outcome = run_on_cpu({lab, "--input", illegal, "--check", "--json", json_file});
        CHECK(outcome.status == 0);
        CHECK(has(outcome.out, "--steps 0 --check"));
        check = Json::parse(read_file(json_file))["check"];
        CHECK(check["of"] == "the mesh as the lab left it");
    }
    // A surface, too; and where no mesh was given there is nothing to tell apart.
    CHECK(run_on_cpu({"flip", "--mesh", "torus-knot:400", "--steps", "0", "--check"}).status == 1);
    CHECK(run_on_cpu({"flip", "--points", "uniform:50", "--check", "--json", json_file}).status == 0);
    CHECK_FALSE(Json::parse(read_file(json_file))["check"].contains("of"));
}

TEST_CASE("command line: ghost edges are counted separately, in the table, the check and the JSON") {
    const TemporaryFolder folder;
    const std::string json_file = (folder / "run.json").string();
    for (const std::vector<std::string>& lab : std::vector<std::vector<std::string>>{
             {"serial", "--points", "uniform:40"},
             {"flip", "--mesh", "quad:40"},
             {"build", "--points", "uniform:40", "--set", "enclosure=supertriangle"}}) {
        const Outcome outcome = run_on_cpu(joined(lab, {"--check", "--json", json_file}));
        INFO(outcome.out, outcome.err);
        const Json json = Json::parse(read_file(json_file));
        const int ghosts = json["results"]["ghost edges"];
        CHECK(json["results"]["ghost triangles"] == ghosts);
        CHECK(row_of(outcome.out, "ghost edges") == std::to_string(ghosts) + " to the vertex at infinity");
        if (lab.size() > 3) {
            CHECK(ghosts == 3);
            CHECK(json["lost_hull_edges"].get<int>() + json["hull_edges"].get<int>() > 0);
        } else {
            CHECK(ghosts == json["hull_edges"]);
        }
        if (json["check"]["passed"] == true)
            CHECK(has(json["check"]["sentence"], std::to_string(ghosts) + " ghost edges"));
    }
    // A closed surface has none.
    CHECK(run_on_cpu({"flip", "--mesh", "sphere:60", "--json", json_file}).status == 0);
    CHECK_FALSE(Json::parse(read_file(json_file)).contains("results"));
}

TEST_CASE("command line: parameters without effect are noted, with the effective values in the JSON") {
    const TemporaryFolder folder;
    const std::string json_file = (folder / "run.json").string();
    const Outcome run = run_on_cpu({"particles", "--set", "count=20", "--set", "config=c2", "--set", "alpha_1=5",
                                    "--set", "density=0.3", "--rounds", "1", "--json", json_file});
    REQUIRE(run.status == 0);
    CHECK(has(run.err, "alpha_1=5 has no effect. The configuration determines the species"));
    const Json json = Json::parse(read_file(json_file));
    CHECK(json["decided"]["alpha_1"]["value"] == 1);
    CHECK(json["decided"]["mu_2"]["value"] == -2);
    CHECK_FALSE(json["decided"].contains("density"));
    REQUIRE(json["notes"].size() == 2);
    CHECK(has(json["notes"][0], "alpha_1=5 has no effect"));
    CHECK(has(json["notes"][1], "not taken to its end"));
}

TEST_CASE("command line: list can be limited to one lab, except for lists that belong to none") {
    const Outcome one = run_program({"list", "parameters", "particles"});
    CHECK(one.status == 0);
    CHECK(has(one.out, "push_limit"));
    CHECK_FALSE(has(one.out, "enclosure"));
    CHECK(has(run_program({"list", "parameters"}).out, "enclosure"));
    CHECK(has(run_program({"list", "labs", "flip"}).out, "Flip lab"));
    CHECK_FALSE(has(run_program({"list", "passes", "flip"}).out, "legalise"));
    check_refused({"list", "generators", "flip"}, "generators belong to no lab; leave flip out");
    CHECK(run_program({"list", "parameters", "flop"}).status == 2);
    const std::string labs = run_program({"list", "labs"}).out, generated = run_program({"list", "generators"}).out;
    for (const auto& entry : registry()) CHECK(has(labs, entry.id));
    for (const auto& generator : generators()) CHECK(has(generated, generator.name));
    for (const char* extension : {".xy", ".csv", ".npy", ".ply", ".ele", ".json"})
        CHECK(has(run_program({"list", "formats"}).out, extension));
}

TEST_CASE("command line: every lab runs its example to the end and passes the check") {
    for (const auto& entry : registry()) {
        INFO(entry.id);
        const Json json = json_of_run({entry.id, "--check"});
        CHECK(json["finish_ms"].is_number());
        CHECK(json["check"]["passed"] == true);
        for (const Json& histogram : json["histograms"]) {
            if (!histogram["before"].empty()) CHECK(histogram["before"].size() == histogram["now"].size());
            CHECK(histogram["low"].get<double>() < histogram["high"].get<double>());
        }
    }
}

TEST_CASE("command line: duplicates and unused vertices are counted separately") {
    const TemporaryFolder folder;
    const auto counts = [&](const std::string& lab, const std::string& content) {
        const Json json = json_of_run({lab, "--input", folder.file("mesh.off", content)});
        return std::pair<int, int>{json["duplicates"], json["unused_vertices"]};
    };
    const std::string triangle = "0 0 0\n1 0 0\n0 1 0\n", face = "3 0 1 2\n";
    CHECK(counts("flip", "OFF 3 1 0\n" + triangle + face) == std::pair<int, int>{0, 0});
    CHECK(counts("flip", "OFF 5 1 0\n" + triangle + "7 7 0\n8 8 0\n" + face) == std::pair<int, int>{0, 2});
    CHECK(counts("flip", "OFF 5 1 0\n" + triangle + "7 7 0\n1 0 0\n" + face) == std::pair<int, int>{1, 1});
    CHECK(counts("flip", "OFF 5 1 0\n0 0 0\n1 0 0\n0 1 2\n7 7 0\n1 0 0\n" + face) == std::pair<int, int>{0, 2});
    CHECK(counts("flip", "OFF 4 0 0\n" + triangle + "1 0 0\n") == std::pair<int, int>{1, 0});
    CHECK(counts("build", "OFF 5 0 0\n" + triangle + "1 0 0\n1 0 0\n") == std::pair<int, int>{2, 0});
}
