// The command line from a user's view: starts the real program, and tests its output, files and exit status.
#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/program.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

/// `flipscope run build …` on one CPU thread, unless more are named.
Json run_json(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "build");
    if (std::find(arguments.begin(), arguments.end(), "--threads") == arguments.end())
        arguments.insert(arguments.end(), {"--threads", "1"});
    return json_of_run(arguments);
}

std::set<std::string> keys(const Json& object) {
    std::set<std::string> found;
    for (const auto& item : object.items()) found.insert(item.key());
    return found;
}

bool is_hash(const Json& value) {
    const std::string text = value.get<std::string>();
    return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

TEST_CASE("command line: --version and --help answer on stdout with status 0") {
    const Outcome version = run_program({"--version"});
    CHECK(version.status == 0);
    CHECK(has(version.out, "flipscope "));
    const Outcome help = run_program({"--help"});
    CHECK(help.status == 0);
    CHECK(has(help.out, "flipscope run build --points uniform:100000 --check"));
    CHECK(help.err.empty());
    CHECK(run_program({"run", "--help"}).status == 0);
}

TEST_CASE("command line: the JSON of a run has the promised keys, and hashes of 16 digits") {
    const Json json = run_json({"--points", "uniform:1000", "--seed", "7", "--finish"});
    CHECK(keys(json) ==
          std::set<std::string>{
              "lab",        "input",    "parameters", "device",          "threads", "points",     "duplicates",
              "triangles",  "edges",    "hull_edges", "lost_hull_edges", "results", "state_hash", "triangulation_hash",
              "check",      "failures", "finish_ms",  "peak_bytes",      "passes",  "kernels",    "surface",
              "histograms", "curves",   "notes",      "unused_vertices", "units",   "decided",    "device_name",
              "elapsed_ms", "rounds"});
    CHECK(json["input"] == "uniform:1000@seed=7");
    CHECK(json["threads"] == 1);
    CHECK(json["points"] == 1000);
    CHECK(json["triangles"].get<int>() == 2 * 1000 - 2 - json["hull_edges"].get<int>());
    CHECK(json["edges"].get<int>() == 3 * 1000 - 3 - json["hull_edges"].get<int>());
    CHECK(is_hash(json["state_hash"]));
    CHECK(is_hash(json["triangulation_hash"]));
    CHECK(json["check"].is_null());
    CHECK(json["finish_ms"].get<double>() > 0);
    REQUIRE(json["passes"].size() > 1);
    int64_t inserted = 0;
    for (const auto& round : json["passes"]) {
        CHECK(keys(round) == std::set<std::string>{"name", "round", "iteration", "counters", "measures"});
        inserted += round["counters"].value("inserted", 0);
    }
    CHECK(inserted == 1000);
    REQUIRE(json["kernels"].size() > 1);
    for (const auto& kernel : json["kernels"]) {
        CHECK(keys(kernel) == std::set<std::string>{"label", "calls", "total_ms"});
        CHECK(kernel["calls"] > 0);
    }
}

TEST_CASE("command line: a lab without input runs on its example; --mesh is --points, and --lab names the lab, too") {
    CHECK(run_json({})["input"] == lab_info("build").example);
    CHECK(run_json({"--seed", "5"})["input"].get<std::string>().ends_with("@seed=5"));
    const Json a = run_json({"--points", "ring:40"}), b = run_json({"--mesh", "ring:40"});
    CHECK(b["input"] == "ring:40");
    CHECK(json_of_run({"--lab", "build", "--points", "ring:40"})["state_hash"] == a["state_hash"]);
    CHECK(a["state_hash"] == b["state_hash"]);
}

TEST_CASE("command line: --steps and --rounds stop where they say, and finish_ms is null then") {
    const Json steps = run_json({"--points", "uniform:500", "--steps", "12"});
    CHECK(steps["passes"].size() == 12);
    CHECK(steps["finish_ms"].is_null());
    const Json rounds = run_json({"--points", "uniform:500", "--rounds", "2"});
    CHECK(rounds["finish_ms"].is_null());
    CHECK(rounds["passes"].back()["round"] == 2);
    CHECK(run_json({"--points", "uniform:500", "--steps", "0"})["passes"].empty());
}

TEST_CASE("command line: wrong use is status 2 with a sentence about what to do") {
    check_refused({"run"}, "lab is required");
    check_refused({"run", "biuld", "--points", "uniform:3"}, "build");
    check_refused({"run", "build", "--points", "unifrm:10"}, "did you mean \"uniform\"?");
    check_refused({"run", "build", "--points", "uniform:10", "--input", "a.xy"}, "--input");
    check_refused({"run", "build", "--points", "uniform:10", "--set", "predicate"}, "name=value");
    check_refused({"run", "build", "--points", "uniform:10", "--device", "gpu"}, "cuda");
    check_refused({"run", "build", "--points", "uniform:10", "--block-size", "100"}, "multiple of 32");
    check_refused({"run", "build", "--points", "uniform:10", "--steps", "2", "--rounds", "2"}, "--rounds");
    for (const char* option : {"--steps", "--rounds", "--seed", "--block-size"})  // not wrapped around
        check_refused({"run", "build", "--points", "uniform:10", option, "-1"}, std::string(option) + ": expected");
    const TemporaryFolder folder;
    const std::string file = folder.file("points.xy", "0 0\n1 0\n0 1\n");
    check_refused({"run", file}, "--input " + file);
    check_refused({"run", "build", "--points", "uniform:10", "--chekc"}, "did you mean --check?");
    check_refused({"run", "build", "--points", "uniform:10", "--size", "big"}, "WIDTHxHEIGHT");
    check_refused({"run", "build", "--points", "uniform:10", "--export", "mesh.stl"}, ".ply");
    check_refused({"run", "build", "--points", "uniform:10", "--export", "no/such/folder/mesh.ply"}, "no folder");
    check_refused({"run", "build", "--points", "uniform:10", "--picture", "picture.jpg"}, ".png");
    for (const char* view : {"30", "30,95", "nan,0"})
        check_refused({"run", "build", "--points", "uniform:10", "--view", view}, "AZIMUTH,ELEVATION");
    check_refused({"run", "build", "--points", "uniform:10", "--json", "/"}, "folder");
    check_refused({"--device", "cpu", "run", "build", "--points", "uniform:10"}, "move it after the command");
    check_refused({"list", "colours"}, "generators");
    check_refused({"run", "particles", "--points", "places.csv"}, "a file of points is given with --input");
    check_refused({"lst"}, "did you mean \"list\"?");
    check_refused({"run", "flip", "--beside", "3"}, "--beside 3: it is of pictures");
    check_refused({"run", "particles", "--set", "steps=none", "--rounds", "2", "--beside", "end", "--figure", "a.svg"},
                  "--beside end: the run has no end with steps=none; give the number of passes instead");
    check_refused({"run", "build", "--points", "uniform:30", "--within", "0,0,0,1"}, "each end above the other");
    check_refused({"no-such-file.xy"}, "no-such-file.xy");
    check_refused({"--lab", "biuld"}, "build");
    check_refused({"build"}, "--lab build opens it");
    check_refused({"a.xy", "--points", "uniform:3"}, "leave one out");
    check_refused({"--window", "0,0,0,1"}, "--window: expected LEFT,LOWER,RIGHT,UPPER");
    check_refused({"--window", "0,0,1,1", "--points", "uniform:9"}, "leave one out");
}

TEST_CASE("command line: a word that is both a lab and a folder is refused with both meanings") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "build");
    const std::string there = "cd '" + folder.path().string() + "' && ";
    const Outcome lab = run_shell(there + "\"$FLIPSCOPE\" build");
    CHECK(lab.status == 2);
    CHECK(has(lab.err, "--lab build opens it"));
    CHECK(has(lab.err, "./build"));
    // Said with its path it is the folder, here one without a picture in it; and behind `run` it is the lab.
    CHECK(has(run_shell(there + "\"$FLIPSCOPE\" ./build").err, "no image"));
    CHECK(run_shell(there + "\"$FLIPSCOPE\" run build --points uniform:5").status == 0);
}

TEST_CASE("command line: an empty name is refused, not ignored") {
    for (const char* option : {"--input", "--export"}) {
        check_refused({"run", "build", option, ""}, std::string(option) + ": expected a name, found nothing");
        check_refused({"run", "build", std::string(option) + "="}, std::string(option) + ": expected a name");
    }
    check_refused({"run", ""}, "expected a name, found nothing");
    check_refused({""}, "expected a name, found nothing");
    check_refused({"--lab", ""}, "expected a name, found nothing");
    check_refused({"run", "build", "", "--points", "uniform:10"}, "found nothing: argument 3 is empty");  // for ever
    check_refused({"run", "build", "--stepped", ""}, "expected a name, found nothing");
}

TEST_CASE("command line: a broken input is status 2 and names the file and the line") {
    const TemporaryFolder folder;
    const std::string words = folder.file("words.xy", "0 0\n1 0\n1.0 abc\n");
    check_refused({"run", "build", "--device", "cpu", "--input", words, "--export", (folder / "out.ply").string()},
                  words + ":3: expected two numbers, found \"1.0 abc\"");
    CHECK_FALSE(std::filesystem::exists(folder / "out.ply"));
    check_refused({"run", "build", "--input", folder.path().string()}, folder.path().string());
}

TEST_CASE("command line: no message contains control characters of the input") {
    const TemporaryFolder folder;
    const std::string escape = "\x1b]0;owned\x07", shown = "\\x1b]0;owned\\x07";
    const auto harmless = [&](const std::vector<std::string>& arguments, int status, const std::string& part) {
        const Outcome outcome = run_program(arguments);
        CAPTURE(part);
        CAPTURE(outcome.err);
        CHECK(outcome.status == status);
        for (const std::string& text : {outcome.out, outcome.err})
            CHECK(std::none_of(text.begin(), text.end(),
                               [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f || c == 0xff; }));
        CHECK(has(outcome.err + outcome.out, part));
    };
    const auto run = [](const std::vector<std::string>& more) {
        return joined({"run", "build", "--device", "cpu"}, more);
    };
    harmless(run({"--input", escape + ".xy"}), 2, shown + ".xy: no such file");
    harmless(run({"--input", "a\nb.xy"}), 2, "a\\x0ab.xy: no such file");
    harmless(run({"--input", "\xff.xy"}), 2, "\\xff.xy: no such file");
    harmless(run({"--points", escape + ":5"}), 2, shown);
    harmless(run({"--points", "uniform:5", "--set", "predicate=" + escape}), 2, shown);
    harmless(run({"--points", "uniform:5", "--set", escape + "=1"}), 2, shown);
    harmless(run({"--points", "uniform:5", "--export", escape + ".ply/x.ply"}), 2, shown);
    const std::string odd = (folder / ("odd" + escape + ".off")).string();
    write_file(odd, "OFF\n3 1 0\n0 0 1\n1 0 1\n0 1 1\n3 0 1 2\n");
    harmless(run({"--input", odd, "--export", (folder / ("out" + escape + ".obj")).string()}), 0, "odd" + shown);
}

TEST_CASE("command line: no points, few points and collinear points are accepted with a note") {
    for (const int count : {0, 1, 2, 3}) {
        const Json json = run_json({"--points", "uniform:" + std::to_string(count), "--check"});
        CHECK(json["points"] == count);
        CHECK(json["triangles"] == (count == 3 ? 1 : 0));
        CHECK(json["check"]["passed"] == true);
    }
    const Outcome json = run_program({"run", "build", "--device", "cpu", "--points", "line:50", "--json", "-"});
    CHECK(has(json.err, "50 points lie on one line"));
    CHECK(Json::parse(json.out)["triangles"] == 0);
}

TEST_CASE("command line: stdout contains only JSON, and nothing with --quiet") {
    const Outcome json = run_program({"run", "build", "--points", "duplicates:300", "--json", "-"});
    CHECK(json.out.front() == '{');
    CHECK(json.out.substr(json.out.size() - 2) == "}\n");
    CHECK(has(json.err, "points are duplicates"));
    const Outcome quiet = run_program({"run", "build", "--points", "duplicates:300", "--quiet"});
    CHECK(quiet.status == 0);
    CHECK(quiet.out.empty());
    CHECK(quiet.err.empty());
}

TEST_CASE("command line: without a usable GPU, auto says so in one line and cuda is refused") {
    const Environment none("CUDA_VISIBLE_DEVICES", "");  // as on a machine without one
    const Outcome outcome = run_program({"run", "build", "--points", "uniform:100"});
    CHECK(outcome.status == 0);
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(has(outcome.err, "no CUDA device"));
    CHECK(run_program({"run", "build", "--points", "uniform:100", "--device", "cpu"}).err.empty());
    check_refused({"run", "build", "--points", "uniform:100", "--device", "cuda"}, "--device cpu");
}

TEST_CASE("command line: info reports the devices and OpenGL") {
    const ForgiveLeaks forgive;
    const Outcome outcome = run_program({"info"});
    CHECK(outcome.status == 0);
    CHECK(has(outcome.out, "CPU, "));
    CHECK(has(outcome.out, "CUDA"));
    CHECK(has(outcome.out, "OpenGL"));
}

TEST_CASE("command line: Ctrl-C ends a run with status 130 and a sentence, and leaves nothing behind") {
    const TemporaryFolder folder;
    bool sent = false;
    const auto press = [&](int process, const std::string& err) {
        if (sent || !has(err, " s so far")) return;  // after a second it reports its progress
        kill(process, SIGINT);
        sent = true;
    };
    const Outcome outcome =
        run_program({"run", "build", "--device", "cpu", "--threads", "1", "--points", "uniform:4e6", "--stepped",
                     "--export", (folder / "mesh.ply").string(), "--json", (folder / "mesh.json").string()},
                    press);
    INFO(outcome.err);
    CHECK(outcome.status == 130);
    CHECK(outcome.out.empty());
    CHECK(has(outcome.err, "ended by Ctrl-C"));
    CHECK(has(outcome.err, "nothing was written"));
    CHECK(folder.names().empty());
}
