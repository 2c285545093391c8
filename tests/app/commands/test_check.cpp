// `flipscope check` on other programs' results, a folder of cases, and points alone; as text, JSON, SARIF and JUnit.
// `flipscope predicate`: the sign of a determinant in each arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/judging/cases.h"
#include "app/judging/judged_case.h"
#include "app/program.h"
#include "io/npz_files.h"
#include "io/triangles.h"

using namespace flipscope;
using namespace flipscope::app;
using Json = nlohmann::json;

namespace {

constexpr const char* kKite = "0 0\n4 -1\n8 0\n4 1\n";
constexpr const char* kGood = "0 1 3\n1 2 3\n";
constexpr const char* kWrongDiagonal = "0 1 2\n0 2 3\n";

}  // namespace

TEST_CASE("check: points and triangles in two files are judged; each verdict has its exit status and its JSON") {
    const TemporaryFolder folder;
    const std::string points = folder.file("kite.xy", kKite), good = folder.file("good.tri", kGood),
                      illegal = folder.file("illegal.tri", kWrongDiagonal), torn = folder.file("torn.tri", "0 1 3\n");
    CHECK(run_program({"check", points, good}).status == 0);
    const Json json = program_json({"check", points, illegal}, 1);
    CHECK(json["triangulation"] == true);
    CHECK(json["complete"] == true);
    CHECK(json["delaunay"] == false);
    REQUIRE(json["defects"].size() == 1);
    const Json& defect = json["defects"][0];
    CHECK(defect["code"] == "illegal-edge");
    CHECK(defect["points"] == Json({0, 2, 3, 1}));
    CHECK(defect["triangles"] == Json({1, 0}));
    CHECK(defect["place"] == Json({4, 0}));
    CHECK(defect["amount"].get<double>() > 100);
    CHECK(json["differences"] == Json{{"missed", {{1, 3}}}, {"spurious", {{0, 2}}}, {"ties", Json::array()}});
    CHECK(json["edges"] == 5);

    CHECK(run_program({"check", points, illegal, "--require", "complete", "--quiet"}).status == 0);
    CHECK(run_program({"check", points, torn, "--require", "complete", "--quiet"}).status == 1);
    CHECK(run_program({"check", points, torn, "--require", "triangulation", "--quiet"}).status == 0);
    const Json of_torn = program_json({"check", points, torn});
    CHECK(of_torn["delaunay"] == true);
    CHECK(of_torn["complete"] == false);
    CHECK(std::any_of(of_torn["defects"].begin(), of_torn["defects"].end(), [](const Json& one) {
        return one["code"] == "missing-area" && one["outline"].size() == 3 && one["amount"] == 4;
    }));
}

TEST_CASE("check: triangles of .ele files and meshes count from 0 or 1, and an impossible index is a missing vertex") {
    const TemporaryFolder folder;
    const auto read = [&](const char* name, const std::string& text) {
        write_file(folder / name, text);
        return read_triangles(folder / name);
    };
    using Triangles = std::vector<std::array<uint32_t, 3>>;
    const Triangles two{{0, 1, 3}, {1, 2, 3}};
    CHECK(read("a.ele", "2 3 0\n0 0 1 3\n1 1 2 3\n") == two);
    CHECK(read("b.ele", "2 3 0\n1 1 2 4\n2 2 3 4\n") == two);
    CHECK(read("a.off", "OFF\n4 2 0\n0 0 0\n4 -1 0\n8 0 0\n4 1 0\n3 0 1 3\n3 1 2 3\n") == two);
    CHECK(read("none.ele", "0 3 0\n").empty());
    CHECK(read("wild.tri", "-1 4294967295 99999999999\n") == Triangles{{kNone, kNone, kNone}});
    CHECK_THROWS_WITH_AS(read("odd.ele", "2 3 0\n0 0 1 3\n2 1 2 3\n"), doctest::Contains("odd.ele:3: expected index 1"),
                         Error);
    CHECK_THROWS_WITH_AS(read("few.ele", "3 3 0\n0 0 1 3\n"), doctest::Contains("expected 3 triangles as declared"),
                         Error);
    CHECK_THROWS_WITH_AS(read("a.wav", "0 1 2\n"), doctest::Contains("unknown format .wav of triangles"), Error);
    CHECK_THROWS_AS(read_triangles(folder / "absent.tri"), Error);
    check_refused({"check", (folder / "a.off").string(), (folder / "absent.tri").string()}, "absent.tri");
}

TEST_CASE("check: a folder is judged case by case, and an unreadable file is one case among others") {
    const TemporaryFolder folder;
    write_file(folder / "case10.xy", kKite);
    write_file(folder / "case10.tri", kWrongDiagonal);
    write_file(folder / "case2.xy", kKite);
    write_file(folder / "case2.tri", kGood);
    write_file(folder / "alone.xy", kKite);
    write_file(folder / "mesh.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    write_file(folder / "notes.md", "nothing");
    write_file(folder / "steps.npz", npz_files::npz({{"points_0.npy", "no array, and a step of a recording"}}));
    std::vector<std::string> notes, names;
    for (const CaseFiles& files : find_cases(folder.path(), notes)) names.push_back(files.name());
    CHECK(names == std::vector<std::string>{"alone.xy", "case2.xy, case2.tri", "case10.xy, case10.tri", "mesh.off"});
    CHECK(notes.size() == 1);

    const std::string junit = (folder / "out.xml").string(), sarif = (folder / "out.sarif").string();
    const Outcome run =
        run_program({"check", folder.path().string(), "--json", "-", "--junit", junit, "--sarif", sarif});
    CHECK(run.status == 1);
    const Json json = Json::parse(run.out);
    REQUIRE(json["cases"].size() == 4);
    CHECK(json["cases"][0]["judged_points"]["points"] == 4);
    CHECK(json["cases"][1]["passed"] == true);
    CHECK(json["cases"][2]["passed"] == false);
    const std::string xml = read_file(junit);
    CHECK(has(xml, "<testsuites name=\"flipscope check\" tests=\"10\" failures=\"1\">"));
    CHECK(has(xml, "<failure type=\"delaunay\""));
    const Json log = Json::parse(read_file(sarif));
    CHECK(log["version"] == "2.1.0");
    const Json& results = log["runs"][0]["results"];
    REQUIRE(results.size() == 1);
    CHECK(results[0]["ruleId"] == "illegal-edge");
    const size_t rule = results[0]["ruleIndex"];
    CHECK(log["runs"][0]["tool"]["driver"]["rules"][rule]["id"] == "illegal-edge");
    CHECK(has(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "case10.tri"));

    write_file(folder / "case3.xy", kKite);
    write_file(folder / "case3.tri", "0 1\n");
    const Outcome broken = run_program({"check", folder.path().string()});
    CHECK(broken.status == 2);
    CHECK(has(broken.out, "UNREADABLE: "));
    CHECK(has(broken.out, "1 of 3 triangulations failed; 1 inputs of points alone; 1 could not be read"));
    const TemporaryFolder empty;
    check_refused({"check", empty.path().string()}, "no points and no triangles found");
}

TEST_CASE("check: points alone are judged as an input") {
    const TemporaryFolder folder;
    const std::string file = folder.file("points.xy", "0 0\n1 0\n2 0\n0 1\n1 1\n2 1\n1 1\n");
    const Json json = program_json({"check", file}, 0)["judged_points"];
    CHECK(json["duplicate_points"] == Json{{6, 4}});
    CHECK(json["collinear_runs"] == 2);
    CHECK(json["cocircular_sets"] == 2);
    CHECK(json["hull_points_on_lines"] == 2);
    CHECK(run_program({"check", file, "--json", "-", "--junit", "-"}).status == 2);

    // Points that float would get wrong far from the origin.
    std::string survey;
    for (int i = 0; i < 40; ++i)
        survey += std::to_string(5'000'000 + (i * 7) % 40) + ".25 " + std::to_string(5'000'000 + (i * i) % 37) + ".5\n";
    write_file(file, survey);
    const Json found = program_json({"check", file})["judged_points"];
    CHECK(found["float-circumcentre"]["wrong_circles"] > 0);
    CHECK(found["double"]["wrong_turns"] == 0);
    CHECK(found["in_one_line"] == false);
}

TEST_CASE("check: triangles that count from 1 are judged as intended, with a note") {
    const TemporaryFolder folder;
    const std::string points = folder.file("kite.xy", kKite), one = folder.file("one.tri", "a,b,c\n1,2,4\n2,3,4\n");
    const Json json = program_json({"check", points, one}, 0);
    CHECK(json["delaunay"] == true);
    CHECK(has(json["notes"][0], "indices count from 1"));

    // The last point is a copy, which no triangle needs: both are possible, and one fits.
    write_file(points, std::string(kKite) + "4 1\n");
    const Json either = program_json({"check", points, one});
    CHECK(either["passed"] == false);
    CHECK(
        has(either["notes"][0], "do its indices count from 1? None is 0, and counted from 1 there would be 1 defect"));
    write_file(one, "0 1 3\n2 3 4\n");
    CHECK(program_json({"check", points, one})["notes"].empty());
}

TEST_CASE("check: JSON lists a thousand defects of a kind and counts all") {
    const TemporaryFolder folder;
    constexpr int kSide = 60;
    std::string places, corners;
    for (int j = 0; j < kSide; ++j)
        for (int i = 0; i < kSide; ++i)
            places += std::to_string(i + 0.001 * ((i * j) % 7)) + " " + std::to_string(j) + "\n";
    for (int j = 0; j + 1 < kSide; ++j)
        for (int i = 0; i + 1 < kSide; ++i) {
            const int a = j * kSide + i;
            for (const int c : {a, a + 1, a + kSide + 1}) corners += std::to_string(c + 10'000) + " ";
            corners += "\n";
            for (const int c : {a, a + 1, a + kSide}) corners += std::to_string(c) + " ";
            corners += "\n";
        }
    const Json json = program_json({"check", folder.file("grid.xy", places), folder.file("grid.tri", corners)}, 1);
    CHECK(json["defect_counts"]["missing-vertex"] == (kSide - 1) * (kSide - 1));
    CHECK(json["defect_counts"]["missing-area"] > 3000);
    std::map<std::string, int> listed;
    for (const Json& defect : json["defects"]) ++listed[defect["code"].get<std::string>()];
    CHECK(listed["missing-vertex"] == 1000);
    CHECK(listed["missing-area"] == 1000);
    CHECK(json["failures"].size() == json["defects"].size());
    CHECK(json["check"]["counts"]["listed"] == json["defects"].size());
    CHECK(json["difference_counts"]["missed"].get<int>() > 1000);
    CHECK(json["differences"]["missed"].size() == 1000);
}

TEST_CASE("check: every defect has a line in SARIF, of a triangle or a point, and JSON has the same elements") {
    const TemporaryFolder folder;
    // Two triangles that cross, the point 6 on an edge, a bay, and the point 7 in no triangle.
    const std::string points = folder.file("p.csv", "x,y\n0,0\n4,0\n4,4\n\n0,4\n5,-1\n1,3\n2,0\n-3,2\n"),
                      triangles = folder.file("t.tri", "# mine\n0 1 2\n\n3 4 6\n"), table = (folder / "f.csv").string();
    const std::vector<uint32_t> row_of_point{2, 3, 4, 6, 7, 8, 9, 10}, row_of_triangle{2, 4};
    const Json log = Json::parse(run_program({"check", points, triangles, "--sarif", "-"}).out);
    const Json json = program_json({"check", points, triangles, "--export", table});
    const Json &results = log["runs"][0]["results"], &defects = json["defects"];
    REQUIRE(results.size() == defects.size());
    const std::string rows = read_file(table);
    std::map<std::string, size_t> codes;
    for (size_t i = 0; i < results.size(); ++i) {
        CAPTURE(results[i].dump());
        ++codes[results[i]["ruleId"]];
        const Json& location = results[i]["locations"][0];
        const Json& place = location["physicalLocation"];
        REQUIRE(place.contains("region"));
        const uint32_t row = place["region"]["startLine"];
        if (place["artifactLocation"]["uri"] == points)
            CHECK(row == row_of_point.at(results[i]["properties"]["points"][0]));
        else
            CHECK(std::count(row_of_triangle.begin(), row_of_triangle.end(), row) == 1);
        std::vector<std::string> in_sarif, in_json;
        if (location.contains("logicalLocations"))
            for (const Json& one : location["logicalLocations"]) in_sarif.push_back(one["name"]);
        for (const Json& one : defects[i]["elements"])
            in_json.push_back(one["kind"].get<std::string>() + " " + std::to_string(one["id"].get<uint32_t>()));
        CHECK(in_sarif == in_json);
        if (in_json.empty()) continue;
        const Json& first = defects[i]["elements"][0];
        CHECK(has(rows, defects[i]["code"].get<std::string>() + "," + first["kind"].get<std::string>() + "," +
                            std::to_string(first["id"].get<uint32_t>()) + ","));
    }
    for (const char* code : {"crossing-edges", "missing-hull-edge", "missing-area", "unused-point"}) {
        CAPTURE(code);
        CHECK(codes[code] > 0);
    }
    for (const Json& result : results) {
        const Json& place = result["locations"][0]["physicalLocation"];
        if (result["ruleId"] == "crossing-edges") CHECK(place["artifactLocation"]["uri"] == triangles);
        if (result["ruleId"] == "missing-hull-edge") CHECK(place["artifactLocation"]["uri"] == points);
    }
}

TEST_CASE("check: verdicts on a program name the file of each case") {
    const TemporaryFolder folder;
    write_file(folder / "one.xy", kKite);
    write_file(folder / "two.xy", "0 0\n1 0\n0 1\n");
    const std::string half = "awk -v out={triangles} 'END { print \"0 1 2\" > out }' {points}";
    const Outcome judged = run_program({"check", "--command", half, folder.path().string()});
    CHECK(judged.status == 1);
    CHECK(has(judged.out, "FAILED: one.xy is not a Delaunay triangulation"));
    CHECK(has(judged.out, "passed: two.xy is a Delaunay triangulation"));
    const Outcome refused = run_program({"check", "--command", "false {points} {triangles}", folder.path().string()});
    CHECK(has(refused.out, "FAILED: one.xy: the program refused"));
}

TEST_CASE("check: no defect has an amount of 0") {
    const TemporaryFolder folder;
    // Four points whose circle misses the fourth by less than a double can hold of its angle.
    const std::string points = folder.file("near.xy", "0 0\n1 0\n1 1\n8.7e-19 1\n");
    for (const char* wrong : {"0 1 2\n0 2 3\n", "0 1 3\n1 2 3\n"}) {
        const Json json = program_json({"check", points, folder.file("near.tri", wrong)});
        for (const Json& defect : json["defects"]) {
            CHECK((defect["amount"].is_null() || defect["amount"].get<double>() > 0));
            CHECK(!has(defect["sentence"], " by 0"));
            CHECK(!has(defect["sentence"], "area of 0 "));
        }
    }
}

TEST_CASE("predicate: a sign that floats get wrong, and the tie-break of points on a circle") {
    const TemporaryFolder folder;
    const std::string file =
                          folder.file("p.xy", "16777217 0\n16777219 1\n16777221 2\n0 0\n"),  // floats have no 2^24 + 1
        square = folder.file("square.xy", "0 0\n1 0\n1 1\n0 1\n");
    CHECK(program_json({"predicate", "orient", file, "0", "1", "2"}, 0)["points"] == Json({0, 1, 2}));
    const Outcome text = run_program({"predicate", "orient", file, "0", "1", "2"});
    CHECK(text.status == 0);
    CHECK(has(text.out, "wrong"));
    const Outcome tied = run_program({"predicate", "incircle", square, "0", "1", "2", "3"});
    CHECK(tied.status == 0);
    for (const char* name : {"Float", "Double", "Exact", "Tie-break", "Float-circumcentre", "Double-circumcentre"})
        CHECK(has(tied.out, name));
}

TEST_CASE("predicate: wrong use is status 2 with what is expected") {
    const TemporaryFolder folder;
    const std::string file = folder.file("p.xy", "0 0\n1 0\n0 1\n");
    check_refused({"predicate", "incircle", file, "0", "1", "2"}, "takes 4 points");
    check_refused({"predicate", "orient", file, "0", "1", "3"}, "there is no point 3");
    CHECK(run_program({"predicate", "turn", file, "0", "1", "2"}).status == 2);
}
