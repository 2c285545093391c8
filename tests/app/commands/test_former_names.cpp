// Names of the release before, and options that the window and a run without one share: the real program is started.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/program.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

std::vector<std::string> with(std::vector<std::string> all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

const std::vector<std::string> kRun{"run",      "events", "--device",  "cpu",   "--set",
                                    "width=96", "--set",  "height=64", "--set", "comparisons=2"};

}  // namespace

TEST_CASE("former names: --set takes them, says the present ones, and the run is the same") {
    const Outcome now = run_program(with(kRun, {"--set", "count=20", "--set", "borders=open", "--json", "-"}));
    const Outcome before = run_program(with(kRun, {"--set", "bubbles=20", "--set", "periodic=off", "--json", "-"}));
    REQUIRE(now.status == 0);
    REQUIRE(before.status == 0);
    CHECK_FALSE(has(now.err, "former name"));
    CHECK(has(before.err, "\"bubbles\" is called \"count\" now"));
    CHECK(has(before.err, "\"periodic=off\" is called \"borders=open\" now"));
    const Json a = Json::parse(now.out), b = Json::parse(before.out);
    CHECK(a["state_hash"] == b["state_hash"]);
    CHECK(a["parameters"] == b["parameters"]);
    CHECK(b["notes"].size() == a["notes"].size() + 2);
}

TEST_CASE("former names: the JSON has the former keys beside the present ones") {
    const Outcome outcome =
        run_program(with(kRun, {"--set", "count=20", "--set", "interval=80", "--stepped", "--json", "-"}));
    REQUIRE(outcome.status == 0);
    const Json json = Json::parse(outcome.out);
    const Json& parameters = json["parameters"];
    CHECK(parameters["count"] == 20);
    CHECK(parameters["bubbles"] == 20);
    CHECK(parameters["borders"] == "periodic");
    CHECK(parameters["periodic"] == true);
    CHECK(parameters["frames_periodic"] == false);
    CHECK(parameters["obstacle_count"] == parameters["posts"]);
    const Json& results = json["results"];
    CHECK(results["lost contacts"] == results["breaking links"]);
    CHECK(results["created contacts"] == results["arising links"]);
    CHECK(results["T1 events"] == results["bulk events"]);
    CHECK(json["units"]["lost contacts"] == json["units"]["breaking links"]);
    size_t counted = 0;
    for (const Json& pass : json["passes"]) {
        const Json& counters = pass["counters"];
        CHECK(counters.contains("lost contacts") == counters.contains("breaking"));
        if (!counters.contains("lost contacts")) continue;
        ++counted;
        CHECK(counters["lost contacts"] == counters["breaking"]);
        CHECK(counters["created contacts"] == counters["arising"]);
    }
    CHECK(counted > 0);
    REQUIRE(json["events"].size() > 0);
    for (const Json& event : json["events"]) {
        CHECK(event["lost_contacts"] == event["breaking"]);
        CHECK(event["created_contacts"] == event["arising"]);
    }
    const Outcome mesh = run_program({"run", "build", "--points", "grid:400", "--set", "predicate=float-circumcentre",
                                      "--device", "cpu", "--json", "-"});
    const Json counts = Json::parse(mesh.out)["check"]["counts"];
    CHECK(counts["inverted_triangles"] == counts["turned_triangles"]);
    CHECK(counts["duplicate_edges"] == counts["doubled_edges"]);
}

TEST_CASE("former names: a scenario takes them, and the sentence tells where they stand") {
    const TemporaryFolder folder;
    const std::string file = (folder / "old.json").string();
    write_file(file,
               R"({"lab": "voronoi", "points": "uniform:30", "parameters": {"width": 64, "height": 48, "spread": "even",
                   "graph": "end", "sites": 9}})");
    const Outcome outcome = run_program({"run", file, "--device", "cpu", "--json", "-"});
    REQUIRE(outcome.status == 0);
    CHECK(has(outcome.err, file + ": /parameters/graph: \"graph=end\" is called \"graph_rounds=last\" now"));
    CHECK(has(outcome.err, file + ": /parameters/sites: \"sites\" is called \"count\" now"));
    const Json json = Json::parse(outcome.out);
    CHECK(json["parameters"]["graph_rounds"] == "last");
    CHECK(json["parameters"]["graph"] == "end");
    CHECK(json["parameters"]["placement"] == "uniform");
    CHECK(json["parameters"]["spread"] == "even");
    CHECK(json["parameters"]["count"] == 9);
}

TEST_CASE("former names: --export writes an array under its former name, too") {
    const TemporaryFolder folder;
    for (const char* extension : {"npy", "csv"}) {
        const std::string now = (folder / (std::string("run-sites.") + extension)).string(),
                          before = (folder / (std::string("run-centres.") + extension)).string();
        const Outcome outcome = run_program(with(kRun, {"--export", now, "--export", before, "--quiet"}));
        CHECK(outcome.status == 0);
        CHECK(outcome.err.empty());  // --quiet
        CHECK(read_file(now) == read_file(before));
        CHECK(read_file(now).size() > 100);
    }
    const Outcome told = run_program(with(kRun, {"--export", (folder / "centres.csv").string()}));
    CHECK(has(told.err, "\"centres\" is called \"sites\" now"));
}

TEST_CASE("former names: --sweep and --curve take them, and what is written has the present ones") {
    const TemporaryFolder folder;
    const std::string csv = (folder / "curves.csv").string();
    const Outcome outcome =
        run_program(with(kRun, {"--sweep", "bubbles=10,20", "--plot", csv, "--curve", "breaking", "--json", "-"}));
    REQUIRE(outcome.status == 0);
    CHECK(has(outcome.err, "--sweep: \"bubbles\" is called \"count\" now"));
    CHECK(has(outcome.err, "--curve: \"breaking\" is called \"lost contacts\" now"));
    CHECK(has(read_file(csv), "count=10"));
    CHECK(has(read_file(csv), "lost contacts"));
    CHECK(Json::parse(outcome.out)["sweep"]["parameter"] == "count");
    check_refused(with(kRun, {"--sweep", "count=10,20", "--set", "bubbles=5"}), "give the same parameter");
}

TEST_CASE("command line: without a generator the seed is that of the lab, and where there is none it is said") {
    const auto parameters = [](const std::vector<std::string>& more) {
        const Outcome outcome = run_program(with(kRun, with({"--json", "-"}, more)));
        REQUIRE(outcome.status == 0);
        return Json::parse(outcome.out)["parameters"];
    };
    CHECK(parameters({})["seed"] == 1);
    CHECK(parameters({"--seed", "7"})["seed"] == 7);
    CHECK(parameters({"--seed", "7", "--set", "seed=3"})["seed"] == 3);
    CHECK(parameters({"--seed", "7", "--points", "uniform:20", "--set", "source=rolls"})["seed"] == 1);
    check_refused(with(kRun, {"--seed", "5000000"}), "--seed: expected 0 … 1000000");
    const TemporaryFolder folder;
    write_file(folder / "three.xy", "0 0\n1 0\n0 1\n");
    const Outcome outcome = run_program(
        {"run", "build", "--input", (folder / "three.xy").string(), "--seed", "3", "--device", "cpu", "--json", "-"});
    CHECK(outcome.status == 0);
    CHECK(has(outcome.err, "--seed: the seed has no effect: nothing is generated here"));
}

TEST_CASE("command line: an option is called the same for the window and for a run without one") {
    const auto options_of = [](const std::vector<std::string>& command) {
        const Outcome outcome = run_program(with(command, {"--help"}));
        REQUIRE(outcome.status == 0);
        return outcome.out;
    };
    const std::string window = options_of({}), run = options_of({"run"});
    for (const char* option :
         {"--lab", "--points,--mesh", "--input", "--field", "--tracks", "--seed", "--set", "--device", "--threads",
          "--block-size", "--sharing", "--size", "--presenter-scale", "--light", "--angles", "--show", "--hide"}) {
        INFO(option);
        CHECK(has(window, option));
        CHECK(has(run, option));
    }
    // The lab is named by place or by --lab.
    const Outcome named =
        run_program({"run", "--lab", "build", "--points", "uniform:50", "--device", "cpu", "--json", "-"});
    const Outcome placed = run_program({"run", "build", "--points", "uniform:50", "--device", "cpu", "--json", "-"});
    REQUIRE(named.status == 0);
    CHECK(Json::parse(named.out)["state_hash"] == Json::parse(placed.out)["state_hash"]);
}

TEST_CASE("former names: the Subdivision lab counts what the CPU triangulates one cell after another, as sequential") {
    const Outcome outcome = run_program(
        {"run", "subdivide", "--points", "uniform:300", "--device", "cpu", "--quiet", "--stepped", "--json", "-"});
    REQUIRE(outcome.status == 0);
    const Json json = Json::parse(outcome.out);
    int64_t most = 0;
    for (const Json& pass : json["passes"]) {
        const Json& counters = pass["counters"];
        CHECK(counters.contains("sequential") == counters.contains("by_host"));
        if (!counters.contains("sequential")) continue;
        CHECK(counters["sequential"] == counters["by_host"]);
        most = std::max(most, counters["sequential"].get<int64_t>());
    }
    CHECK(most > 0);
}
