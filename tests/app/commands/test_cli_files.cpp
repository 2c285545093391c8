// Files on the command line that are no files, files that are being written when the program is ended or the disk is
// full, and names that start with "~": the real program is started.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/images/png.h"
#include "app/program.h"
#include "compute/error.h"

using namespace flipscope;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A pipe by name, with a reader that takes nothing unless it is asked to.
struct NamedPipe {
    explicit NamedPipe(const fs::path& path) {
        REQUIRE(mkfifo(path.c_str(), 0600) == 0);
        reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
        REQUIRE(reader >= 0);
    }
    ~NamedPipe() { close(reader); }
    std::string taken() const {
        std::string text(1 << 16, '\0');
        const ssize_t count = read(reader, text.data(), text.size());
        text.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
        return text;
    }
    int reader = -1;
};

/// A run that is refused in one line that names the file.
void check_sentence(const std::vector<std::string>& arguments, const std::string& file) {
    const Outcome outcome = run_program(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "flipscope: "));
    CHECK(has(outcome.err, file));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("cli files: a pipe, a device or a loop of links is refused as any kind of input") {
    const TemporaryFolder folder;
    const auto refuse = [&](const std::string& name, const auto& make) {
        const std::string path = (folder / name).string();
        make(path);
        check_sentence(name.ends_with(".json") ? std::vector<std::string>{"run", path}
                                               : std::vector<std::string>{"run", "voronoi", "--input", path},
                       path);
        fs::remove(path);
    };
    for (const char* name : {"a.png", "a.pgm", "a.json", "a.xy", "a.ply"}) {
        CAPTURE(name);
        refuse(name, [](const std::string& path) { REQUIRE(mkfifo(path.c_str(), 0600) == 0); });
        refuse(name, [](const std::string& path) { fs::create_symlink("/dev/zero", path); });
        refuse(name, [](const std::string& path) { fs::create_symlink("/proc/self/mem", path); });
        refuse(name, [](const std::string& path) { fs::create_symlink(path, path); });
    }
    fs::create_directory(folder / "frames");
    REQUIRE(mkfifo((folder / "frames/1.png").c_str(), 0600) == 0);
    check_sentence({"run", "events", "--input", (folder / "frames").string()}, "1.png: is a pipe");
}

TEST_CASE("cli files: results are written to pipes and devices, or a sentence says why not") {
    const TemporaryFolder folder;
    const auto with = [](const std::vector<std::string>& more) {
        return run_program(joined({"run", "build", "--device", "cpu", "--points", "uniform:50", "--quiet"}, more));
    };
    const Outcome printed = with({"--json", "/dev/stdout"});
    CHECK(printed.status == 0);
    CHECK(Json::parse(printed.out)["points"] == 50);
    const std::string pipe = (folder / "a.json").string();
    {
        const NamedPipe named(pipe);
        CHECK(with({"--json", pipe}).status == 0);
        CHECK(Json::parse(named.taken())["points"] == 50);
    }
    const Outcome nobody = with({"--json", pipe});
    CHECK(nobody.status == 2);
    CHECK(has(nobody.err, pipe + ": cannot be written: is a pipe that no program reads"));
    if (!fs::exists("/dev/full")) return;
    const Outcome full = with({"--json", "/dev/full"});
    CHECK(full.status == 2);
    CHECK(has(full.err, "/dev/full: cannot be written: "));
    fs::create_symlink("/dev/full", folder / "full.ply");
    CHECK(has(with({"--export", (folder / "full.ply").string()}).err, "full.ply: cannot be written: "));
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

TEST_CASE("cli files: a failed write leaves the previous picture with its permissions") {
    const TemporaryFolder folder;
    const fs::path path = folder / "picture.png";
    write_file(path, "the picture before");
    REQUIRE(chmod(path.c_str(), 0640) == 0);
    std::vector<unsigned char> pixels(256 * 256 * 4);
    for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<unsigned char>(i * i * 2654435761u >> 13);
    {
        rlimit before{}, little{};
        getrlimit(RLIMIT_FSIZE, &before);
        little = before;
        little.rlim_cur = 10000;  // bytes: as on a disk without room
        const auto handler = ::signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &little);
        std::string message;
        try {
            app::write_png(path, pixels, 256, 256);
        } catch (const Error& error) {
            message = error.what();
        }
        setrlimit(RLIMIT_FSIZE, &before);
        ::signal(SIGXFSZ, handler);
        CHECK(has(message, path.string() + ": "));
        CHECK(has(message, "cannot be written"));
    }
    CHECK(read_file(path) == "the picture before");
    CHECK(folder.names().size() == 1);
    app::write_png(path, pixels, 256, 256);
    CHECK(has(read_file(path).substr(0, 8), "PNG"));
    CHECK((fs::status(path).permissions() & fs::perms::mask) == fs::perms(0640));
    CHECK(folder.names().size() == 1);
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
