// Runs that are saved and resumed: the real program is started. The results must not depend on where a run was
// interrupted.
#include <functional>
#include <nlohmann/json.hpp>

#include "app/program.h"
#include "io/state_file.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

using Arguments = std::vector<std::string>;

Json resume_json(const Arguments& arguments, const Arguments& more) { return json_of_run(joined(arguments, more)); }

/// The report without the machine, times, and single passes.
Json results_of(Json json) {
    for (const char* key : {"passes", "kernels", "finish_ms", "elapsed_ms", "peak_bytes", "resumed_from", "saved_to",
                            "threads", "device_name", "input", "notes", "measures", "pass_count", "written"})
        json.erase(key);
    return json;
}

/// A state between rounds of a small run.
std::string saved_run(const TemporaryFolder& folder) {
    const std::string file = (folder / "run.state").string();
    resume_json({"flip", "--mesh", "quad:60"}, {"--rounds", "2", "--save", file});
    return file;
}

}  // namespace

TEST_CASE("resume: a resumed run ends like the unbroken one, for all labs and numbers of threads") {
    const TemporaryFolder folder;
    const std::string file = (folder / "run.state").string();
    for (const Arguments& asked : std::vector<Arguments>{
             {"build", "--points", "uniform:600", "--seed", "3"},
             {"build", "--points", "uniform:400", "--set", "predicate=double-circumcentre"},
             {"flip", "--mesh", "torus-knot:600"},
             {"serial", "--points", "uniform:200"},
             {"race", "--mesh", "quad:300"},
             {"race-builds", "--points", "uniform:200"},
             {"voronoi", "--points", "uniform:60", "--set", "lloyd=4", "--set", "width=96", "--set", "height=96"},
             {"events", "--set", "source=bubbles", "--set", "comparisons=6"},
             {"events", "--set", "source=emulsion", "--set", "comparisons=4", "--set", "width=96", "--set", "height=64",
              "--set", "interval=20", "--set", "count=12"}}) {
        CAPTURE(asked[0]);
        CAPTURE(asked[2]);
        const Json unbroken = resume_json(asked, {"--threads", "1"});
        resume_json(asked, {"--threads", "2", "--rounds", "2", "--save", file});
        const Json resumed = resume_json({"--resume", file}, {"--threads", "3"});
        CHECK(results_of(resumed) == results_of(unbroken));
        CHECK(resumed["resumed_from"]["rounds"] == 2);
        CHECK(resumed["resumed_from"]["file"] == file);
        // The passes since then end like the uninterrupted run.
        const size_t all = unbroken["passes"].size(), more = resumed["passes"].size();
        REQUIRE(more < all);
        for (size_t i = 0; i < more; ++i) CHECK(resumed["passes"][i] == unbroken["passes"][all - more + i]);
        // Broken off once more, onto the same file, and then pass by pass.
        const Json again = resume_json({asked[0], "--resume", file}, {"--rounds", "1", "--save", file});
        CHECK(again["saved_to"] == file);
        CHECK(results_of(resume_json({"--resume", file}, {"--stepped"})) == results_of(unbroken));
    }
}

TEST_CASE("resume: runs saved before the first pass and at the end can be resumed") {
    const TemporaryFolder folder;
    const std::string file = (folder / "run.state").string();
    for (const Arguments& asked :
         std::vector<Arguments>{{"build", "--points", "line:12"},
                                {"build", "--points", "uniform:0"},
                                {"serial", "--points", "uniform:2"},
                                {"flip", "--mesh", "quad:100"},
                                {"voronoi", "--points", "uniform:3", "--set", "width=64", "--set", "height=64"}}) {
        CAPTURE(asked[2]);
        const Json unbroken = resume_json(asked, {"--save", file});
        const Json ended = resume_json({"--resume", file}, {});
        CHECK(results_of(ended) == results_of(unbroken));
        CHECK(ended["passes"].empty());
        resume_json(asked, {"--steps", "0", "--save", file});
        CHECK(results_of(resume_json({"--resume", file}, {})) == results_of(unbroken));
    }
}

TEST_CASE("resume: --steps and --rounds count further ones, and the summary counts all rounds") {
    const TemporaryFolder folder;
    const std::string file = saved_run(folder);
    const Json more = resume_json({"--resume", file}, {"--rounds", "1"});
    const Json whole = resume_json({"flip", "--mesh", "quad:60"}, {"--rounds", "3"});
    CHECK(more["state_hash"] == whole["state_hash"]);
    CHECK(more["passes"].back()["round"] == 3);
    CHECK(more["resumed_from"]["passes"] == 6);
    CHECK(resume_json({"--resume", file}, {"--steps", "3"})["state_hash"] == whole["state_hash"]);
    CHECK(resume_json({"--resume", file}, {"--rounds", "0"})["state_hash"] == more["resumed_from"]["state_hash"]);
    CHECK(has(run_program({"run", "--resume", file, "--device", "cpu"}).out, "2 of them before the break"));
}

TEST_CASE("resume: an input file may have moved with the saved run, or be given again") {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "a/data");
    std::string points;
    for (int i = 0; i < 60; ++i) points += std::to_string(i * 37 % 61) + " " + std::to_string(i * i % 53) + "\n";
    write_file(folder / "a/data/points.xy", points);
    const std::string here = folder.path().string();
    REQUIRE(run_shell("cd '" + here +
                      "/a' && \"$FLIPSCOPE\" run build --input data/points.xy --device cpu --rounds 2 " +
                      "--save run.state --quiet")
                .status == 0);
    const Json unbroken = resume_json({"build", "--input", here + "/a/data/points.xy"}, {});
    CHECK(results_of(resume_json({"--resume", here + "/a/run.state"}, {})) == results_of(unbroken));
    std::filesystem::rename(folder / "a", folder / "b");
    const std::string file = here + "/b/run.state";
    CHECK(results_of(resume_json({"--resume", file}, {})) == results_of(unbroken));
    CHECK(run_shell("cd '" + here + "/b' && \"$FLIPSCOPE\" run --resume run.state --quiet").status == 0);
    // Gone elsewhere on its own.
    std::filesystem::rename(folder / "b/data/points.xy", folder / "points.xy");
    check_refused({"run", "--resume", file},
                  "points.xy no longer exists; restore it, or give its new place with --input");
    CHECK(results_of(resume_json({"--resume", file}, {"--input", here + "/points.xy"})) == results_of(unbroken));
    // Another one in its place.
    write_file(folder / "points.xy", points + "70 70\n");
    check_refused({"run", "--resume", file, "--input", here + "/points.xy"},
                  "differs from the input with which this run was saved");
    write_file(folder / "b/data/points.xy", "0 0\n1 0\n0 1\n");
    check_refused({"run", "--resume", file}, "points.xy differs from the input");
}

TEST_CASE("resume: contradictions of the saved run are refused, with what to do") {
    const TemporaryFolder folder;
    const std::string file = saved_run(folder);
    write_file(folder / "a.json", R"({"lab": "flip", "mesh": "quad:60"})");
    check_refused({"run", "build", "--resume", file}, "a run of the lab \"flip\", not of \"build\"");
    check_refused({"run", "--resume", file, "--set", "criterion=angles"}, "leave --set criterion=angles out");
    check_refused({"run", "--resume", file, "--sweep", "criterion=angles,exact"}, "leave --sweep criterion=");
    check_refused({"run", "--resume", file, "--input", file}, "is not part of it; leave it out");
    check_refused({"run", (folder / "a.json").string(), "--resume", file}, "a scenario says what to start");
    check_refused({"run", "--resume", (folder / "none.state").string()}, "no such file");
    check_refused({"run", file}, "flipscope run --resume");
    check_refused({"run", "build", "--input", file}, "is the name of a saved run, not of an input");
    check_refused({"run", "flip", "--mesh", "quad:60", "--save", "run.ply"}, "a name that ends in .state");
    CHECK(run_program({"run", "--resume", file, "--quiet", "--device", "cpu"}).status == 0);  // it is as it was
}

TEST_CASE("resume: a state within a round is not saved, with a sentence, and everything else is written") {
    const TemporaryFolder folder;
    const std::string file = (folder / "run.state").string(), json = (folder / "run.json").string();
    const Outcome outcome = run_program({"run", "flip", "--mesh", "quad:60", "--device", "cpu", "--steps", "4",
                                         "--quiet", "--save", file, "--json", json});
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "nothing was saved: the Flip lab can be saved between rounds"));
    CHECK(has(outcome.err, "use --rounds 2"));
    CHECK(folder.names() == std::vector<std::string>{"run.json"});
}

TEST_CASE("resume: a saved run with another state than declared is refused") {
    const TemporaryFolder folder;
    const std::string file = saved_run(folder);
    const StateFile sound = read_state_file(file);
    const auto check = [&](const std::function<void(StateFile&)>& spoil, const std::string& part) {
        StateFile spoilt = sound;
        spoil(spoilt);
        write_state_file(file, spoilt.header, spoilt.snapshot);
        check_refused({"run", "--resume", file, "--device", "cpu", "--quiet"}, part);
    };
    const auto replace = [&](const std::string& part, const std::string& by) {
        return [=](StateFile& state) {
            const size_t at = state.header.find(part);
            REQUIRE(at != std::string::npos);
            state.header.replace(at, part.size(), by);
        };
    };
    check([](StateFile& state) { state.snapshot.blocks.pop_back(); }, "cannot continue it");
    check([](StateFile& state) { state.snapshot.blocks[3][0] ^= std::byte(1); }, "the state has the hash");
    check(replace("\"lab\": \"flip\"", "\"lab\": \"flap\""), "unknown");
    check(replace("\"lab\"", "\"lob\""), "its header is not that of a saved run");
    check(replace("{", "["), "its header is not that of a saved run");
    check(replace("quad:60", "quad:72"), "differs from the input");
    check(replace("\"criterion\"", "\"gravity\""), "has no parameter");
    write_state_file(file, sound.header, sound.snapshot);
    CHECK(run_program({"run", "--resume", file, "--quiet", "--device", "cpu"}).status == 0);
}
