// Breakpoints on the command line: where a run stops, its messages, and its exit status.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/program.h"

using namespace flipscope;
using Json = nlohmann::json;

TEST_CASE("cli until: a run stops after the first step at which a condition holds, and says which and why") {
    const std::vector<std::string> flip{"flip", "--points", "uniform:300"};
    const auto with = [&](const std::vector<std::string>& more) { return joined(flip, more); };
    const Json few = json_of_run(with({"--until", "illegal < 20"}));
    const auto& passes = few["passes"];
    REQUIRE(few["until"]["hit"] == "illegal < 20");
    CHECK(few["until"]["step"] == passes.size());
    CHECK(has(few["until"]["why"].get<std::string>(), "illegal is "));
    CHECK(few["finish_ms"].is_null());
    const Json stepped = json_of_run(with({"--steps", std::to_string(passes.size())}));
    CHECK(few["state_hash"] == stepped["state_hash"]);
    CHECK(json_of_run(with({"--until", "pass=repair"}))["passes"].size() == 3);
    // Of several the first that is hit.
    const Json two = json_of_run(with({"--until", "pass=repair", "--until", "pass=flip"}));
    CHECK(two["until"]["hit"] == "pass=flip");
    CHECK(two["until"]["asked"].size() == 2);
    // Where it never holds the run goes to its end.
    const Json never = json_of_run(with({"--until", "illegal > 1000000"}));
    CHECK(never["until"]["hit"].is_null());
    CHECK(!never["finish_ms"].is_null());
    CHECK(json_of_run(with({"--steps", "2", "--until", "pass=repair"}))["until"]["hit"].is_null());
    const Json changed = json_of_run(with({"--until", "changes edge:20", "--inspect", "edge:20"}));
    CHECK(has(changed["until"]["why"].get<std::string>(), "edge 20 has "));
}

TEST_CASE("cli until: the first step after which a check fails is found, with status 0") {
    const TemporaryFolder folder;
    std::string lines = "{\"points\": [[0, 0], [2, 0], [2.5, 2], [0, 1]]}\n";
    for (int i = 0; i < 60; ++i)
        lines += i < 40 ? "{\"triangles\": [[0, 1, 2], [0, 2, 3]]}\n" : "{\"triangles\": [[0, 1, 2], [0, 1, 3]]}\n";
    const std::string file = folder.file("mine.jsonl", lines);
    const Json found = json_of_run({"recording", "--input", file, "--until", "check fails"});
    CHECK(found["until"]["step"] == 42);
    CHECK(found["until"]["bisected"] == true);
    CHECK(found["until"]["checks"] <= 9);
    CHECK(found["passes"].size() == 42);
    CHECK(found["check"]["passed"] == false);
    CHECK(has(found["until"]["why"].get<std::string>(), "step 42 is no valid triangulation"));
    CHECK(run_on_cpu({"recording", "--input", file, "--until", "check fails", "--check"}).status == 1);
    const Json none = json_of_run({"recording", "--input", file, "--steps", "41", "--until", "check fails"});
    CHECK(none["until"]["hit"].is_null());
    // The position at which a saved run continues.
    const std::string saved = (folder / "run.state").string();
    json_of_run({"recording", "--input", file, "--rounds", "10", "--save", saved});
    const Json resumed = json_of_run({"--resume", saved, "--until", "check fails"});
    CHECK(resumed["until"]["step"] == 32);
    CHECK(resumed["state_hash"] == found["state_hash"]);
    const Json lied = json_of_run({"build", "--points", "uniform:2000@x=1048576", "--set",
                                   "predicate=float-circumcentre", "--until", "check finds inverted-triangle"});
    CHECK(lied["until"]["hit"] == "check finds inverted-triangle");
}

TEST_CASE("cli until: unknown and contradictory conditions are refused") {
    check_refused({"run", "flip", "--until", "ilegal > 3"}, "did you mean \"illegal\"?");
    check_refused({"run", "build", "--until", "differences"},
                  "--until \"differences\": the Build lab looks for nothing");
    check_refused({"run", "flip", "--until", "check fails", "--until", "pass=flip"}, "stands alone");
    check_refused({"run", "flip", "--until", "pass=flip", "--sweep", "seed=1,2"}, "exclude each other");
    check_refused({"run", "particles", "--until", "check fails", "--adjust", "1:dt=0.001"}, "--adjust cannot change");
}
