// Pipes as input files, files whose writing a signal interrupts, and names that start with "~": the real program is
// started.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/program.h"

using namespace flipscope;
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
