// Histories of elements on the command line.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/program.h"

using namespace flipscope;
using Json = nlohmann::json;

TEST_CASE("cli history: a traced run ends at its breakpoint, and a resumed one begins at the saved step") {
    const TemporaryFolder folder;
    const std::string file = (folder / "run.state").string();
    const std::vector<std::string> flip{"flip", "--points", "uniform:60", "--set", "start=sweep"};
    const Json whole = json_of_run(joined(flip, {"--history", "edge:81", "--stepped"}));
    REQUIRE_FALSE(whole["history"][0]["changes"].empty());
    for (const Json& change : whole["history"][0]["changes"]) {
        CHECK(change["what"] == "flipped");
        CHECK(change["pass"] == "flip");
        CHECK(change["round"] == whole["passes"][change["position"].get<size_t>() - 1]["round"]);
    }
    const Json plain = json_of_run(flip);
    CHECK(plain["state_hash"] == whole["state_hash"]);
    CHECK_FALSE(plain.contains("history"));
    const Json stopped = json_of_run(joined(flip, {"--history", "edge:81", "--until", "changes edge:81"}));
    const uint64_t at = stopped["until"]["step"];
    CHECK(stopped["history"][0]["to"] == at);
    const auto flips = [](const Json& run, uint64_t from, uint64_t to) {
        std::vector<uint64_t> found;
        for (const Json& change : run["history"][0]["changes"])
            if (const uint64_t position = change["position"]; position > from && position <= to)
                found.push_back(position);
        return found;
    };
    CHECK(flips(stopped, 0, at) == flips(whole, 0, at));
    json_of_run(joined(flip, {"--rounds", "1", "--save", file}));
    const uint64_t made = json_of_run(joined(flip, {"--rounds", "1"}))["passes"].size();
    const Json resumed = json_of_run({"--resume", file, "--history", "edge:81"});
    std::vector<uint64_t> later = flips(resumed, 0, UINT64_MAX);
    for (uint64_t& position : later) position += made;
    CHECK(later == flips(whole, made, UINT64_MAX));
    CHECK(resumed["state_hash"] == whole["state_hash"]);
}

TEST_CASE("cli history: missing elements and elements without a history are reported, and everything else is written") {
    const TemporaryFolder folder;
    const std::string json = (folder / "run.json").string();
    Outcome outcome = run_program({"run", "flip", "--points", "uniform:100", "--device", "cpu", "--history",
                                   "edge:999999", "--history", "edge:3", "--json", json});
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "--history edge:999999: ids go from 0 to "));
    const Json rest = Json::parse(read_file(json));
    CHECK(rest["triangles"] > 100);
    CHECK(rest["history"][0]["changes"].is_null());
    CHECK(has(rest["history"][0]["why"].get<std::string>(), "ids go from 0 to "));
    CHECK(rest["history"][1]["changes"].is_array());
    CHECK(has(outcome.out, "history of edge:3\n"));
    outcome = run_program({"run", "voronoi", "--device", "cpu", "--set", "count=20", "--set", "width=40", "--set",
                           "height=30", "--history", "pixel:4,3"});
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "--history pixel:4,3: only edges, triangles and vertices of a mesh have a history"));
    check_refused({"run", "flip", "--points", "uniform:100", "--device", "cpu", "--history", "face:3"},
                  "--history face:3: ");
    check_refused({"run", "particles", "--sweep", "count=4,5", "--history", "vertex:1"},
                  "--history: is of one run, and --sweep makes several");
}
