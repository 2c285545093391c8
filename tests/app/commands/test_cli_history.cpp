// Histories of elements on the command line, against runs that are broken off after every pass and asked there.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/program.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

using Arguments = std::vector<std::string>;

Json history_run(const Arguments& words, const Arguments& more) { return json_of_run(joined(words, more)); }

/// The ids that the property leads to, in ascending order; null: there is nothing to tell of it.
Json links_of(const Json& inspected, const char* property) {
    for (const Json& section : inspected["sections"])
        for (const Json& one : section.value("properties", Json::array()))
            if (one["name"] == property && one.contains("links")) {
                std::vector<uint64_t> ids;
                for (const Json& link : one["links"]) ids.push_back(link["id"]);
                std::sort(ids.begin(), ids.end());
                return ids;
            }
    return {};
}

}  // namespace

TEST_CASE("cli history: an edge has flipped in the steps after which its ends differ, for runs of any length") {
    const Arguments flip{"flip", "--points", "uniform:60", "--set", "start=sweep"};
    const Arguments asked{"--inspect", "edge:81", "--inspect", "edge:23", "--inspect", "edge:41"};
    const Arguments traced{"--history", "edge:81", "--history", "edge:23", "--history", "edge:41"};
    const Json whole = history_run(flip, joined(traced, {"--stepped"}));
    const size_t steps = whole["passes"].size();
    REQUIRE(steps > 12);
    std::vector<std::vector<Json>> ends(3);
    for (size_t k = 0; k <= steps; ++k) {
        const Json run = history_run(flip, joined(asked, {"--steps", std::to_string(k)}));
        for (size_t i = 0; i < 3; ++i) ends[i].push_back(links_of(run["inspected"][i], "Ends"));
    }
    size_t flips = 0;
    for (const size_t last : {steps, size_t(9)}) {
        const Json run = last == steps ? whole : history_run(flip, joined(traced, {"--steps", std::to_string(last)}));
        REQUIRE(run["history"].size() == 3);
        for (size_t i = 0; i < 3; ++i) {
            const Json& history = run["history"][i];
            CHECK(history["element"] == traced[2 * i + 1]);
            CHECK(history["from"] == 0);
            CHECK(history["to"] == last);
            // After a flip incidence is stale until it is repaired in the next pass: what an edge joins is asked then.
            const auto is_flip = [&](size_t k) { return k > 0 && whole["passes"][k - 1]["name"] == "flip"; };
            std::vector<size_t> expected, found;
            for (size_t k = 1, before = 0; k <= last; ++k) {
                if (is_flip(k)) continue;
                if (ends[i][k] != ends[i][before]) expected.push_back(before + 1);
                before = k;
            }
            for (const Json& change : history["changes"]) {
                CHECK(change["what"] == "flipped");
                CHECK(change["pass"] == "flip");
                found.push_back(change["position"]);
                CHECK(change["round"] == run["passes"][found.back() - 1]["round"]);
            }
            CHECK(found == expected);
            flips += found.size();
        }
    }
    CHECK(flips > 3);
    // It changes nothing of the run, and needs no word about its extent.
    const Json plain = history_run(flip, {});
    const Json told = history_run(flip, traced);
    CHECK(told["state_hash"] == plain["state_hash"]);
    CHECK(told["history"] == whole["history"]);
    CHECK_FALSE(plain.contains("history"));
    const Json rounds = history_run(flip, joined(traced, {"--rounds", "1"}));
    CHECK(rounds["history"][0]["to"] == rounds["passes"].size());
}

TEST_CASE("cli history: a traced run ends at its breakpoint, and a resumed one begins at the saved step") {
    const TemporaryFolder folder;
    const std::string file = (folder / "run.state").string();
    const Arguments flip{"flip", "--points", "uniform:60", "--set", "start=sweep"};
    const Json whole = history_run(flip, {"--history", "edge:81", "--stepped"});
    const Json stopped = history_run(flip, {"--history", "edge:81", "--until", "changes edge:81"});
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
    history_run(flip, {"--rounds", "1", "--save", file});
    const uint64_t made = history_run(flip, {"--rounds", "1"})["passes"].size();
    const Json resumed = history_run({"--resume", file}, {"--history", "edge:81"});
    std::vector<uint64_t> later = flips(resumed, 0, UINT64_MAX);
    for (uint64_t& position : later) position += made;
    CHECK(later == flips(whole, made, UINT64_MAX));
    CHECK(resumed["state_hash"] == whole["state_hash"]);
}

TEST_CASE("cli history: points are found by their names in the input, and the summary says when they were inserted") {
    const TemporaryFolder folder;
    const std::string file = (folder / "towns.csv").string();
    write_file(file, "x,y,name\n0,0,Oslo\n4,0,Rome\n4,3,Bern\n0,3,Berlin\n1,1,Bergen\n3,1.1,Paris\n");
    const Arguments build{"build", "--input", file};
    const Json run = history_run(build, {"--history", "name:Paris", "--history", "point:4", "--stepped"});
    for (size_t i = 0; i < 2; ++i) {
        const std::string name = i == 0 ? "name:Paris" : "point:4";
        uint64_t inserted = 0;
        for (uint64_t k = run["passes"].size(); k > 0; --k) {  // back to where it is still waiting
            const Outcome shown =
                run_program(joined(joined({"run"}, build), {"--device", "cpu", "--steps", std::to_string(k),
                                                            "--inspect", name, "--json", "-", "--quiet"}));
            if (shown.status != 0) break;
            const Json found = Json::parse(shown.out)["inspected"][0];
            if (links_of(found, "Neighbours").is_null()) break;
            inserted = k;
        }
        std::vector<Json> changes = run["history"][i]["changes"];
        REQUIRE(changes.size() == 1);
        CHECK(changes[0]["what"] == "inserted");
        CHECK(changes[0]["position"] == inserted);
    }
    const Outcome said = run_program({"run", "build", "--input", file, "--device", "cpu", "--history", "name:Paris"});
    CHECK(said.status == 0);
    CHECK(has(said.out, "  history of name:Paris\n    Inserted in pass"));
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
    for (const char* wrong : {"edge", "face:3", "edge:x"}) {
        CAPTURE(wrong);
        check_refused({"run", "flip", "--points", "uniform:100", "--device", "cpu", "--history", wrong},
                      "--history " + std::string(wrong) + ": ");
    }
    check_refused({"run", "particles", "--sweep", "count=4,5", "--history", "vertex:1"},
                  "--history: is of one run, and --sweep makes several");
}
