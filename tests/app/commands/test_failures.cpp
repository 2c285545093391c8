// Failures found by a check, on the command line: exit statuses, JSON, tables, pictures, and `flipscope check`.
#include "app/run/failures.h"

#include <nlohmann/json.hpp>

#include "app/base/endings.h"
#include "app/program.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;
using Json = nlohmann::json;

namespace {

const std::vector<std::string> kNaive{
    "run", "build", "--device", "cpu", "--points", "grid:900@scale=0.1", "--set", "predicate=float-circumcentre"};

/// Two triangles that cross, one that is inverted, a copy of a point, and a point in no triangle.
constexpr const char* kBroken =
    "OFF\n9 4 0\n0 0 0\n4 0 0\n2 3 0\n0 2 0\n2 -1 0\n4 2 0\n9 9 0\n0 0 0\n-4 0 0\n3 0 1 2\n3 3 4 5\n3 0 2 8\n3 0 4 8\n";

}  // namespace

TEST_CASE("command line: triangles of another program are always checked, without calling predicates inexact") {
    const Outcome judged = run_program({"run", "judge", "--device", "cpu", "--mesh", "quad:100"});
    CHECK(has(judged.out, "check"));
    CHECK_FALSE(has(judged.out + judged.err, "not exact"));
    CHECK_FALSE(json_of_run({"judge", "--mesh", "quad:100"}, 1)["check"].is_null());
}

TEST_CASE(
    "command line: the end of a run with inexact predicates is always checked; a failure is status 1 and listed") {
    const Outcome run = run_program(joined(kNaive, {"--json", "-", "--quiet"}));
    CHECK(run.status == 1);
    CHECK(has(run.err, "the check failed: "));
    const Json json = Json::parse(run.out);
    CHECK(json["check"]["passed"] == false);
    const size_t count = json["check"]["counts"]["failures"];
    CHECK(count == json["failures"].size());
    CHECK(count == json["check"]["counts"]["illegal_edges"].get<size_t>() +
                       json["check"]["counts"]["tied_edges"].get<size_t>() +
                       json["check"]["counts"]["inverted_triangles"].get<size_t>());
    for (const Json& failure : json["failures"]) {
        CHECK_FALSE(failure["code"].get<std::string>().empty());
        CHECK(has(failure["sentence"], failure["element"]["kind"].get<std::string>() + " " +
                                           std::to_string(failure["element"]["id"].get<uint64_t>())));
        CHECK(failure["place"].size() == 3);
        CHECK(failure["vertices"].size() == failure["places"].size());
    }
    // A naive run with a correct result passes, and an unfinished run is not judged.
    const Json good = json_of_run({"build", "--points", "uniform:500", "--set", "predicate=double-circumcentre"});
    CHECK(good["check"]["passed"] == true);
    CHECK(good["failures"].empty());
    const Json part = json_of_run(
        {"build", "--points", "grid:900@scale=0.1", "--set", "predicate=float-circumcentre", "--rounds", "2"});
    CHECK(part["check"].is_null());
    CHECK(part["failures"].is_null());
    CHECK(json_of_run({"build", "--points", "uniform:500"})["check"].is_null());  // exact
    // Each run of a sweep is judged by itself.
    const Outcome sweep = run_program({"run", "build", "--device", "cpu", "--points", "grid:900@scale=0.1", "--sweep",
                                       "predicate=exact,float-circumcentre", "--quiet", "--json", "-"});
    CHECK(sweep.status == 1);
    CHECK(has(sweep.err, "the check failed for predicate=float-circumcentre"));
    CHECK(Json::parse(sweep.out)["runs"][0]["check"].is_null());
    CHECK(Json::parse(sweep.out)["runs"][1]["check"]["passed"] == false);
    CHECK(nlohmann::ordered_json::parse(sweep.out).dump(2, ' ', false) + "\n" == sweep.out);  // laid out as all JSON is
}

TEST_CASE("command line: --export failures.csv runs the check and writes its failures") {
    const TemporaryFolder folder;
    const std::string file = (folder / "run7-failures.csv").string();
    const Outcome run = run_program(joined(kNaive, {"--quiet", "--export", file, "--json", "-"}));
    CHECK(run.status == 1);
    const Json json = Json::parse(run.out);
    const std::vector<std::string> lines = lines_of(read_file(file));
    REQUIRE(lines.size() == json["failures"].size() + 1);
    CHECK(lines[0] == "code,element,id,part,x,y,z,value,vertices,sentence");
    for (size_t i = 0; i + 1 < lines.size(); ++i) {
        const Json& failure = json["failures"][i];
        CHECK(lines[i + 1].starts_with(failure["code"].get<std::string>() + "," +
                                       failure["element"]["kind"].get<std::string>() + "," +
                                       std::to_string(failure["element"]["id"].get<uint64_t>()) + ",0,"));
    }
    // Where all is well there is the heading alone.
    json_of_run({"build", "--points", "uniform:50", "--export", (folder / "failures.csv").string()});
    CHECK(lines_of(read_file(folder / "failures.csv")).size() == 1);
}

TEST_CASE("command line: labs refuse input that is no triangulation, and check lists its defects") {
    const TemporaryFolder folder;
    const std::string broken = folder.file("broken.off", kBroken);
    check_refused({"run", "flip", "--device", "cpu", "--input", broken, "--check", "--steps", "0"},
                  "is not a valid triangulation: triangle");
    const Outcome check = run_program({"check", broken, "--export", (folder / "list.csv").string()});
    CHECK(check.status == 1);
    CHECK(has(check.out, "FAILED: broken.off is not a Delaunay triangulation of all 9 points (4 triangles): "));
    CHECK(lines_of(read_file(folder / "list.csv")).size() > 5);
    check_refused({"check", broken, "--export", (folder / "list.txt").string()}, ".csv");
}

TEST_CASE("failures: as text and as JSON, with and without an element, limited in number") {
    CheckReport report;
    report.failures = {{"crossing-edges",
                        "edge 1-2 crosses edge 3-4, as \"said\"",
                        {{ElementKind::kEdge, 5}, {ElementKind::kEdge, 6}},
                        {1, 2, 3, 4},
                        {{0, 0, 0}, {2, 0, 0}, {1, -1, 0}, {1, 1, 0}},
                        0.5},
                       {"euler-count", "they do not fit together", {}, {}, {}},
                       {"edge-with-three-triangles",
                        "three",
                        {{ElementKind::kEdge, 1}, {ElementKind::kTriangle, 0}},
                        {0, 1, 0, 1, 2},
                        {{0, 0, 0}, {2, 2, 2}, {0, 0, 0}, {2, 2, 2}, {9, 9, 9}}}};
    report.failure_count = 1'234'567;
    CHECK(failures_csv(report) ==
          "code,element,id,part,x,y,z,value,vertices,sentence\n"
          "crossing-edges,edge,5,0,1,0,0,0.5,1 2 3 4,\"edge 1-2 crosses edge 3-4, as \"\"said\"\"\"\n"
          "euler-count,,,,,,,,,they do not fit together\n"
          "edge-with-three-triangles,edge,1,0,1,1,1,,0 1 0 1 2,three\n");
    const nlohmann::ordered_json json = failures_json(report);
    CHECK(json[0]["elements"].size() == 2);
    CHECK(json[0]["value"] == 0.5);
    CHECK(json[1]["element"].is_null());
    CHECK(json[1]["place"].is_null());
    CHECK(json[1]["value"].is_null());
    CHECK(elements_text(report.failures[0]) == "edges 5, 6");
    CHECK(elements_text(report.failures[1]).empty());
    CHECK(elements_text(report.failures[2]) == "edge 1");
    report.passed = false;
    CHECK(count_of_failures(report) == "3 of 1,234,567 failures");
    report.failure_count = 3;
    CHECK(count_of_failures(report) == "3 failures");
    report.passed = true;  // what a check names that is no fault of the lab
    CHECK(count_of_failures(report) == "3 noted");
}

TEST_CASE("failures: a lost device ends a run with a sentence about what to do") {
    const Environment lost("FLIPSCOPE_LOSE_DEVICE", "30");
    const Outcome outcome = run_program({"run", "build", "--points", "uniform:300", "--device", "cpu"});
    CHECK(outcome.status == kFailed);
    CHECK(has(outcome.err, "flipscope: the device is lost: "));
    CHECK(has(outcome.err, "with --device cpu, has the same result"));
}
