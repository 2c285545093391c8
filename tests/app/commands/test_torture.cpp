// `flipscope shrink` and `flipscope torture`: labs and other programs on points that make them fail.
#include "app/commands/torture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/judging/outside_program.h"
#include "app/program.h"
#include "app/run/exports.h"
#include "geometry/generators.h"

using namespace flipscope;
using namespace flipscope::app;
using ParsedJson = nlohmann::json;

namespace {

[[maybe_unused]] const auto kEarlierPipeAction = std::signal(SIGPIPE, SIG_IGN);  // as in the program

std::string under_test(const std::string& more = "") {
    return std::string(FLIPSCOPE_BINARY) + " run build --device cpu --threads 1 --quiet --input {points} " + more +
           " --export {triangles.ele}";
}

ProgramAnswer answer(const std::string& command, double seconds = 5) {
    ProgramLimits limits;
    limits.seconds = seconds;
    const std::vector<Point> points{{0, 0}, {1, 0}, {0, 1}};
    return app::TestedProgram(parse_command(command), limits).run(points);
}

}  // namespace

TEST_CASE("programs under test: answer, refusal, crash, hang, no answer and nonsense are distinguished") {
    const TemporaryFolder folder;
    const Environment temporary("TMPDIR", folder.path().string());
    using Kind = ProgramAnswer::Kind;
    const ProgramAnswer good = answer("sh -c 'echo 0 1 2 > $1' x {triangles} {points}");
    CHECK(good.kind == Kind::kAnswered);
    CHECK(good.triangles == std::vector<std::array<uint32_t, 3>>{{0, 1, 2}});
    const ProgramAnswer refused = answer("sh -c 'echo too hard >&2; exit 3' x {triangles} {points}");
    CHECK(refused.kind == Kind::kRefused);
    CHECK(refused.status == 3);
    CHECK(refused.said == "too hard");
    const ProgramAnswer crashed = answer("sh -c 'kill -SEGV $$' x {triangles} {points}");
    CHECK(crashed.kind == Kind::kCrashed);
    CHECK(crashed.status == 11);
    const ProgramAnswer hung = answer("sh -c 'sleep 60 & sleep 60' x {triangles} {points}", 0.3);
    CHECK(hung.kind == Kind::kTimedOut);
    CHECK(hung.elapsed_s < 10);
    CHECK(answer("true {points} {triangles}").kind == Kind::kNoAnswer);
    const ProgramAnswer nonsense = answer("sh -c 'echo 0 1 > $1' x {triangles} {points}");
    CHECK(nonsense.kind == Kind::kUnreadable);
    CHECK(nonsense.said ==
          "triangles.tri:1: expected three whole numbers, the indices of a triangle's points from 0, "
          "found \"0 1\"");
    CHECK(answer("sh -c 'ln -s /etc/passwd $1' x {triangles} {points}").kind == Kind::kUnreadable);
    CHECK(folder.names().empty());
}

TEST_CASE("programs under test: points are written in the requested format, with every digit") {
    const auto written = [&](const std::string& place) {
        return answer("sh -c 'cat $1 >&2; exit 1' x " + place + " {triangles}").said;
    };
    CHECK(written("{points}") == "0 0 1 0 0 1");
    CHECK(written("{points.csv}") == "0,0 1,0 0,1");
    CHECK(written("{points.node}") == "3 2 0 0 0 0 0 1 1 0 2 0 1");
    CHECK_THROWS_WITH_AS(parse_command("true {points}"), doctest::Contains("{triangles}"), Error);
    CHECK_THROWS_WITH_AS(parse_command("true {points.gz} {triangles}"), doctest::Contains("unknown format"), Error);
    CHECK_THROWS_WITH_AS(parse_command("true {points} {triangles} {points.npy}"),
                         doctest::Contains("{points} is there in two formats, .xy and .npy"), Error);
    CHECK_NOTHROW(parse_command("true {points.npy} {triangles} {points.npy}"));
    CHECK_THROWS_WITH_AS(parse_command("./absent {points} {triangles}"), doctest::Contains("no program"), Error);
    CHECK_THROWS_WITH_AS(parse_command("true 'x {points} {triangles}"), doctest::Contains("not closed"), Error);
    const ProgramCommand command = parse_command("sh -c \"a b\" c\\ d {points} {triangles}");
    CHECK(command.words == std::vector<std::string>{"sh", "-c", "a b", "c d", "{points}", "{triangles}"});
}

TEST_CASE(
    "shrink: ten thousand points on which float flips fail shrink to a handful, and the scenario shows the failure") {
    const TemporaryFolder folder;
    const std::string out = (folder / "small.json").string();
    const ParsedJson json = program_json(
        {"shrink", "--points", "near-ring:10000", "--set", "predicate=float-circumcentre", "--out", out, "--quiet"}, 0);
    CHECK(json["points"].size() <= 12);
    CHECK(json["points"].size() >= 4);
    CHECK(json["complete"] == true);
    const ParsedJson result = program_json({"run", out, "--device", "cpu", "--quiet"}, 1);
    CHECK(result["points"] == json["points"].size());
    CHECK(result["check"]["passed"] == false);
    const ParsedJson exact =
        program_json({"run", out, "--device", "cpu", "--set", "predicate=exact", "--check", "--quiet"});
    CHECK(exact["check"]["passed"] == true);
}

TEST_CASE("shrink: points that do not fail are reported, and wrong use is refused") {
    const TemporaryFolder folder;
    const std::string out = (folder / "small.json").string();
    const Outcome sound = run_program({"shrink", "--points", "uniform:100", "--out", out});
    CHECK(sound.status == 1);
    CHECK(has(sound.err, "uniform:100 does not fail: "));
    CHECK_FALSE(std::filesystem::exists(out));
    check_refused({"shrink", "--out", out}, "expected points that fail");
    check_refused({"shrink", "--points", "uniform:100"}, "--out");
    check_refused({"shrink", "--points", "uniform:100", "--out", out, "--fails", "badly"}, "unknown failure \"badly\"");
    check_refused({"shrink", "--points", "uniform:100", "--out", out, "--lab", "events"}, "makes no triangles");
    check_refused({"shrink", "--points", "uniform:100", "--out", out, "--command", "true {points}"}, "{triangles}");
    check_refused({"shrink", "--points", "uniform:9", "--out", out, "--keep", "whole"}, "distinct,floats,integers");
    const std::string points = folder.file("p.xy", "0 0\n1 0\n0 1\n1 1\n");
    check_refused({"shrink", "--input", points, "--triangles", folder.file("t.tri", "0 1 2\n"), "--out", out},
                  "--command");
}

TEST_CASE("shrink: a program's own failure is shrunk, and --points takes a file") {
    const TemporaryFolder folder;
    const std::string out = (folder / "small.json").string(),
                      points = folder.file("p.xy", points_xy(generate(parse_generator("uniform:200"))));
    // It crashes on more than six points.
    const Outcome run = run_program({"shrink", "--points", points, "--out", out, "--json", "-", "--quiet", "--command",
                                     "sh -c 'test $(wc -l < $1) -le 6 || kill -ABRT $$; exit 1' x {points} {triangles}",
                                     "--fails", "crashed"});
    CHECK(run.status == 0);
    CHECK(ParsedJson::parse(run.out)["points"].size() == 7);
}

TEST_CASE("shrink: the original failure is kept, and opens with the program's own triangles") {
    const TemporaryFolder folder;
    const auto file = [&](const char* name) { return (folder / name).string(); };
    // Of all points it takes the first three alone, and it refuses duplicates, which simpler coordinates would make.
    const std::string command =
        "awk -v out={triangles} 'seen[$0]++ { twice = 1 } END { if (twice) { "
        "print \"duplicate points among \" NR > \"/dev/stderr\"; exit 1 } print \"0 1 2\" > out }' {points}";
    write_file(file("p.xy"), "0.31 0.17\n0.92 0.41\n0.35 0.83\n0.55 0.47\n0.71 0.93\n0.13 0.59\n");
    const Outcome run =
        run_program({"shrink", "--input", file("p.xy"), "--command", command, "--out", file("s.json"), "--out",
                     file("s.xy"), "--out", file("s.py"), "--out", file("s.h"), "--json", "-"});
    REQUIRE(run.status == 0);
    CHECK_FALSE(has(run.err, "\x1b"));
    const ParsedJson json = ParsedJson::parse(run.out);
    CHECK(json["failure"] == "answered");
    CHECK(json["points"].size() == 4);
    const ParsedJson shown = program_json({"run", file("s.json"), "--device", "cpu", "--quiet"}, 1);
    CHECK(shown["lab"] == "judge");
    CHECK(shown["check"]["passed"] == false);
    CHECK(ParsedJson::parse(read_file(file("s.json")))["failure"] == json["identity"]);
    // The points alone, through the program again.
    for (const char* saved : {"s.json", "s.xy"}) {
        const Outcome again = run_program({"check", file(saved), "--command", command, "--json", "-"});
        CHECK(again.status == 1);
        CHECK(ParsedJson::parse(again.out)["defect_counts"].contains(json["identity"].get<std::string>()));
    }
    CHECK(has(read_file(file("s.py")), "points = [\n    ("));
    CHECK(has(read_file(file("s.h")), "constexpr double kPoints[4][2] = {\n    {"));
    const Outcome all =
        run_program({"torture", "--command", command, "--input", folder.path().string(), "--json", "-"});
    CHECK(all.status == 1);
    CHECK(ParsedJson::parse(all.out)["failed"] == 3);
    CHECK(ParsedJson::parse(all.out)["sets"] == 3);
    CHECK_FALSE(ParsedJson::parse(all.out).contains("sizes"));  // none was asked for
    check_refused({"torture", "--command", command, "--input", folder.path().string(), "--sizes", "10"},
                  "leave one out");
}

TEST_CASE("shrink: a refusal is shrunk to the same refusal") {
    const TemporaryFolder folder;
    const std::string points = folder.file("p.xy", "0 0\n1 0\n0 1\n1 1\n0.5 0.25\n"),
                      out = (folder / "s.json").string();
    // It refuses more than three points, and says something else of fewer.
    const ParsedJson json = program_json(
        {"shrink", "--input", points, "--out", out, "--command",
         "sh -c 'n=$(wc -l < $1); test $n -le 3 && echo too few: $n >&2 || echo too many: $n >&2; exit 1' x {points} "
         "{triangles}"},
        0);
    CHECK(json["points"].size() == 4);
    CHECK(has(json["sentence"].get<std::string>(), "too many: 4"));
}

TEST_CASE("torture: a hang is no failure, and sets have the kinds that the program takes") {
    const ParsedJson json = program_json({"torture", "--command", "sh -c 'sleep 9' x {points} {triangles}", "--only",
                                          "grid", "--sizes", "10", "--small", "0", "--time-limit", "0.2"},
                                         1);
    CHECK(json["failed"] == 0);
    CHECK(json["timed_out"] == 1);
    // It fails on coordinates that are not whole, and on duplicates.
    const std::string command =
        "awk -v out={triangles} '$1 != int($1) || $2 != int($2) || seen[$0]++ { exit 3 } END { printf \"\" > out }' "
        "{points}";
    const auto ended = [&](const std::vector<std::string>& more) {
        return program_json(joined({"torture", "--command", command, "--only", "uniform", "--sizes", "10"},
                                   joined({"--small", "0", "--shrink-seconds", "0"}, more)))["cases"][0]["end"];
    };
    CHECK(ended({}) == "refused");
    CHECK(ended({"--kinds", "integers,distinct"}) == "answered");
}

TEST_CASE("torture: an exact program passes every set, one in float does not, and the reports agree") {
    const TemporaryFolder folder;
    const std::string html = (folder / "t.html").string(), junit = (folder / "t.xml").string();
    const ParsedJson passed =
        program_json({"torture", "--command", under_test(), "--sizes", "300", "--small", "20", "--quiet"}, 0);
    CHECK(passed["failed"] == 0);
    CHECK(passed["sets"] > 30);

    const std::vector<std::string> sets{"--sizes", "300", "--only", "uniform,near-ring,far-offset", "--small", "90"};
    const std::vector<std::string> outputs{"--junit", junit,        "--report",
                                           html,      "--failures", (folder / "failures").string()};
    const ParsedJson failed = program_json(
        joined({"torture", "--command", under_test("--set predicate=float-circumcentre"), "--shrink-seconds", "20"},
               joined(sets, outputs)),
        1);
    CHECK(failed["failed"] > 0);
    CHECK(failed["smallest"] >= 3);
    CHECK(failed["smallest"] <= 8);
    size_t fails = 0;
    std::set<std::string> ways, shown;
    for (const ParsedJson& one : failed["cases"]) {
        fails += one["fails"].get<bool>();
        if (!one["fails"].get<bool>()) continue;
        for (const ParsedJson& code : one["codes"]) ways.insert(code.get<std::string>());
        if (one["codes"].empty()) ways.insert(one["end"].get<std::string>());
    }
    CHECK(failed["failed"] == fails);
    CHECK(failed["seed"] == 1);
    CHECK(failed["sizes"] == ParsedJson{300});
    // Each way to fail is shown by some of the shrunk points, and none of these twice.
    std::set<ParsedJson> shrunk;
    for (const ParsedJson& one : failed["shrunk"]) {
        CHECK(shrunk.insert(one["points"]).second);
        const ParsedJson& codes = one["codes"];
        shown.insert(one["way"].get<std::string>());
        for (const ParsedJson& code : codes) shown.insert(code.get<std::string>());
        if (!codes.empty()) CHECK(std::count(codes.begin(), codes.end(), one["way"]) == 1);
    }
    for (const std::string& way : ways) {
        CAPTURE(way);
        CHECK(shown.count(way) == 1);
    }
    const std::string page = read_file(html);
    CHECK(has(page, failed["headline"].get<std::string>()));
    CHECK(has(page, "<svg"));
    CHECK(has(read_file(junit), "failures=\"" + std::to_string(fails) + "\""));
    size_t plain = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "failures")) {
        // With the program's own triangles at the failure, or the exact ones where it made none.
        const bool has_triangles = ParsedJson::parse(read_file(entry.path())).contains("triangles");
        CHECK(run_program({"run", entry.path().string(), "--device", "cpu", "--check", "--quiet"}).status ==
              (has_triangles ? 1 : 0));
        plain += has(entry.path().filename().string(), "-plain-");
    }
    CHECK(plain > 0);
}

TEST_CASE("torture: options are checked before any run") {
    check_refused({"torture"}, "--command");
    check_refused({"torture", "--command", "true {points} {triangles}", "--only", "near-rings"},
                  "did you mean \"near-ring\"?");
    check_refused({"torture", "--command", "true {points} {triangles}", "--json", "-", "--junit", "-"},
                  "stdout takes one");
    check_refused({"torture", "--command", "true {points} {triangles}", "--report", "a.txt"}, ".html");
}

namespace {

/// Answers every set with the triangle of its first three points, and what `more` does before that: a script for sh.
std::string talking(const std::string& more = "") {
    return "sh -c 'while read n; do for i in $(seq $n); do read x y; done; " + more + " echo 1; echo 0 1 2; done' x";
}

}  // namespace

TEST_CASE("programs under test: a program that reads sets on stdin answers them one by one until it fails") {
    const TemporaryFolder folder;
    const Environment temporary("TMPDIR", folder.path().string());
    using Kind = ProgramAnswer::Kind;
    ProgramLimits limits;
    limits.seconds = 5;
    const std::vector<Point> points{{0, 0}, {1, 0}, {0, 0.1}};
    {
        const ProgramCommand command = parse_command(talking("sets=$((sets + 1)); test $sets -lt 3 || kill -SEGV $$;"));
        CHECK(command.talks);
        TestedProgram program(command, limits);
        CHECK(program.run(points).triangles == std::vector<std::array<uint32_t, 3>>{{0, 1, 2}});
        CHECK(program.run(points).kind == Kind::kAnswered);
        CHECK(program.sets_before() == 1);
        const ProgramAnswer third = program.run(points);
        CHECK(third.kind == Kind::kCrashed);
        CHECK(third.status == 11);
        CHECK(program.run(points).kind == Kind::kAnswered);  // of a new process
        CHECK(program.sets_before() == 0);
    }
    CHECK(answer("sh -c 'read n; echo no >&2; exit 3' x").said == "no");
    CHECK(
        answer("sh -c 'read n; read x y; echo $x $y >&2; read x y; echo $x $y >&2; read x y; echo $x $y >&2; exit 1' x")
            .said == "0 0 1 0 0 1");
    CHECK(answer("sh -c 'printf \"1 0 1 2\"' x").kind == Kind::kAnswered);  // without a line break
    CHECK(answer("true").kind == Kind::kNoAnswer);
    CHECK(answer("sh -c 'sleep 60 & sleep 60' x", 0.3).kind == Kind::kTimedOut);
    CHECK(answer("sh -c 'echo 1; echo 0 1; sleep 60' x", 0.3).kind == Kind::kTimedOut);  // half an answer
    CHECK(answer("sh -c 'echo 1; echo 0 1 x; sleep 60' x").said ==
          "standard output: expected the index of a point from 0, in triangle 0, found \"x\"");
    CHECK(answer("sh -c 'echo 999; sleep 60' x").kind == Kind::kUnreadable);
    CHECK(answer("sh -c 'echo 1; echo 0 1 2 3; sleep 60' x").kind == Kind::kUnreadable);
    // More than a pipe holds, in both directions.
    const std::vector<Point> many(100'000, Point{0.1, 1. / 3});
    CHECK(TestedProgram(parse_command("python3 -c 'import sys; n = int(sys.stdin.readline()); "
                                      "sys.stdout.write(str(n) + \"\\n\" + \"0 1 2\\n\" * n); sys.stdout.flush(); "
                                      "sys.stdin.read()'"),
                        limits)
              .run(many)
              .triangles.size() == many.size());
    {  // one that ends after its answer is started for each set
        TestedProgram once(parse_command("sh -c 'read n; read x y; read x y; read x y; echo 1; echo 0 1 2' x"), limits);
        for (int i = 0; i < 3; ++i) CHECK(once.run(points).kind == Kind::kAnswered);
    }
    CHECK(folder.names().empty());
}

TEST_CASE("torture: effects of earlier sets in a process are distinguished from failures on the points") {
    // It fails on every set but the first of a process, so in a process of their own all pass.
    const auto cases_of = [](const std::string& command, const std::string& size) {
        return program_json({"torture", "--command", command, "--only", "uniform,disk", "--sizes", size, "--small", "0",
                             "--jobs", "1", "--shrink-seconds", "2"});
    };
    const ParsedJson left = cases_of(talking("sets=$((sets + 1)); test $sets -lt 2 || exit 1;"), "3");
    REQUIRE(left["cases"].size() == 2);
    CHECK(left["failed"] == 1);
    CHECK(left["cases"][1]["sentence"].get<std::string>().find("only after 1 other set in the same process") !=
          std::string::npos);
    CHECK(left["shrunk"].empty());
    // Four points have two triangles: it fails on them alone, too.
    const ParsedJson wrong = cases_of(talking(), "4");
    CHECK(wrong["failed"] == 2);
    CHECK_FALSE(has(wrong["cases"][1]["sentence"].get<std::string>(), "only after"));
    CHECK(wrong["shrunk"].size() == 1);
    check_refused({"torture", "--command", "true"}, "did not answer on its standard output");
}
