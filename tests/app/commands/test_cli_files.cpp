// Pipes in place of input files, files that are being written when a signal ends the program, and names that start with
// "~": the real program is started.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/program.h"

using namespace flipscope;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A named pipe with a reader that reads nothing.
struct NamedPipe {
    explicit NamedPipe(const fs::path& path) {
        REQUIRE(mkfifo(path.c_str(), 0600) == 0);
        reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
        REQUIRE(reader >= 0);
    }
    ~NamedPipe() { close(reader); }
    int reader = -1;
};

}  // namespace

TEST_CASE("cli files: a pipe in place of a picture, a scenario or a frame is refused without waiting for it") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "frames");
    for (const char* name : {"a.png", "a.json", "frames/1.png"}) REQUIRE(mkfifo((folder / name).c_str(), 0600) == 0);
    check_refused({"run", "voronoi", "--input", (folder / "a.png").string()}, "a.png");
    check_refused({"run", (folder / "a.json").string()}, "a.json");
    check_refused({"run", "events", "--input", (folder / "frames").string()}, "1.png: is a pipe");
}

TEST_CASE("cli files: a signal during writing leaves no partial file") {
    for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
        CAPTURE(signal);
        const TemporaryFolder folder;
        write_file(folder / "mesh.node", "before");
        // The .ele goes into a pipe that is never emptied: the program stands still with a finished, unnamed .node.
        const NamedPipe pipe(folder / "mesh.ele");
        bool seen = false;
        const Outcome outcome =
            run_program({"run", "build", "--device", "cpu", "--points", "uniform:20000", "--export",
                         (folder / "mesh.node").string()},
                        [&](int process, const std::string&) {
                            const auto names = folder.names();
                            seen = seen || std::any_of(names.begin(), names.end(),
                                                       [](const std::string& name) { return has(name, ".part"); });
                            if (seen) kill(process, signal);
                        });
        INFO(outcome.err);
        CHECK(seen);
        CHECK(outcome.status == 128 + signal);
        CHECK(folder.names() == std::vector<std::string>{"mesh.ele", "mesh.node"});
        CHECK(read_file(folder / "mesh.node") == "before");
    }
}

TEST_CASE("cli files: a name that starts with ~ is in the home folder, even without a shell") {
    const TemporaryFolder folder;
    const Environment home("HOME", folder.path().string());
    fs::create_directory(folder / "data");
    write_file(folder / "data/a.xy", "0 0\n1 0\n0 1\n");
    write_file(folder / "data/field.pgm", "P5 32 16 255\n" + std::string(512, 'x'));
    const auto points_of = [](const std::vector<std::string>& words) { return json_of_run(words)["points"]; };
    CHECK(points_of({"build", "--input=~/data/a.xy"}) == 3);
    write_file(folder / "data/scenario.json",
               R"({"lab": "voronoi", "input": "~/data/a.xy", "field": "~/data/field.pgm"})");
    CHECK(points_of({"~/data/scenario.json"}) == 3);
    CHECK(points_of({"build", "--input=~/data/a.xy", "--export=~/data/out.ply"}) == 3);
    CHECK(fs::exists(folder / "data/out.ply"));
    check_refused({"run", "build", "--input=~/missing.xy"}, (folder / "missing.xy").string() + ": no such file");
}

TEST_CASE("command line: points over time in XYZ are tracks, and their box is known") {
    const TemporaryFolder folder;
    const std::string file = (folder / "run.xyz").string();
    std::string text;
    for (int frame = 0; frame < 4; ++frame) {
        text += "30\nLattice=\"6 0 0 0 5 0 0 0 1\" Properties=species:S:1:pos:R:3 Time=" + std::to_string(frame * 0.5) +
                " pbc=\"T T F\"\n";
        for (int i = 0; i < 30; ++i)
            text += "H " + std::to_string(i % 6 + 0.1 * (i * (frame + 3) % 7)) + " " +
                    std::to_string(i / 6 + 0.1 * (i * i % 5)) + " 0\n";
    }
    write_file(file, text);
    const auto run = [&](const std::vector<std::string>& input, const char* borders = "periodic") {
        const Json json = json_of_run(joined({"events", "--quiet"}, input));
        CHECK(json["lattice"]["borders"] == borders);
        return json["state_hash"].get<std::string>();
    };
    const std::string hash = run({"--tracks", file});
    CHECK(run({"--input", file}) == hash);
    CHECK(run({"--input", file, "--set", "box_width=6", "--set", "box_height=5"}) == hash);
    std::string around_x = text;
    for (size_t at; (at = around_x.find("T T F")) != around_x.npos;) around_x.replace(at, 5, "T F F");
    write_file(folder / "around.xyz", around_x);
    const std::string cylinder = run({"--tracks", (folder / "around.xyz").string()}, "periodic_x");
    CHECK(cylinder != hash);
    CHECK(run({"--input", file, "--set", "box=6x0"}, "periodic_x") == cylinder);
    check_refused({"run", "build", "--input", file}, "has points over time, and \"build\" needs fixed points");
    check_refused({"run", "build", "--points", "uniform:9", "--export", file}, "records no points over time");
}
