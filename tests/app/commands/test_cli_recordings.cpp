// Recordings of other programs on the command line: the lab that opens them, reports and exports, and other labs' use
// of them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/program.h"
#include "app/run/inputs.h"
#include "geometry/recording.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

const std::string kSample = std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/bowyer-watson.jsonl";

}  // namespace

TEST_CASE("cli recordings: the triangulation hash equals that of other labs on the same points") {
    const TemporaryFolder folder;
    const Json mine = json_of_run({"recording", "--input", kSample, "--export", (folder / "end.off").string()});
    const Json theirs = json_of_run({"build", "--input", kSample});
    CHECK(mine["triangulation_hash"] == theirs["triangulation_hash"]);
    CHECK(std::filesystem::exists(folder / "end.off"));
}

TEST_CASE("cli recordings: other labs take the last step with a note, and `check` refuses a recording") {
    const Outcome build = run_on_cpu({"build", "--input", kSample});
    CHECK(build.status == 0);
    CHECK(has(build.err, "bowyer-watson.jsonl: the Build lab uses only its last step"));
    const Outcome flip = run_on_cpu({"flip", "--input", kSample, "--check"});
    CHECK(flip.status == 0);
    check_refused({"check", kSample}, "this is a recording, and check looks at one triangulation");
    CHECK(app::lab_for(app::read_input(kSample)) == "recording");
}

TEST_CASE("cli recordings: a broken last step fails the automatic check, and failures are written") {
    const TemporaryFolder folder;
    const std::string file = folder.file(
        "mine.jsonl",
        "{\"points\": [[0, 0], [2, 0], [2, 2], [0, 1]], \"triangles\": [[0, 1, 2]], \"caption\": \"fine\"}\n"
        "{\"triangles\": [[0, 1, 2], [0, 1, 3]], \"caption\": \"not \\u001b fine\"}\n");
    const Outcome shown = run_on_cpu({"recording", "--input", file, "--export", (folder / "failures.csv").string()});
    CHECK(shown.status == 1);
    CHECK(has(shown.out, "no valid triangulation"));
    CHECK(has(read_file(folder / "failures.csv"), "folded-edge"));
    CHECK(run_on_cpu({"recording", "--input", file, "--steps", "1", "--check"}).status == 0);
    CHECK(json_of_run({"recording", "--input", file, "--stepped"}, 1)["failures"].size() > 0);
}

TEST_CASE("cli recordings: a saved run resumes, and refuses another recording") {
    const TemporaryFolder folder;
    const std::string copy = folder.file("mine.jsonl", read_file(kSample)), saved = (folder / "run.state").string();
    const Json whole = json_of_run({"recording", "--input", copy});
    CHECK(run_on_cpu({"recording", "--input", copy, "--rounds", "5", "--save", saved}).status == 0);
    const Json resumed = json_of_run({"--resume", saved});
    CHECK(resumed["state_hash"] == whole["state_hash"]);
    write_file(copy, "{\"points\": [[0, 0]]}\n");
    check_refused({"run", "--resume", saved}, "differs from the input");
}
