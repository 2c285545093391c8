// The end of the program when output cannot be written, when any allocation fails, and when it is interrupted at any
// moment: always a message and an exit status.
#include "app/base/endings.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "app/base/signals.h"
#include "app/commands/headless.h"
#include "app/program.h"
#include "cancel_polls.h"

using namespace flipscope;

namespace {

/// One line, "flipscope: …", with nothing that a terminal would take for a command.
bool is_a_sentence(const std::string& err) {
    const size_t at = err.rfind("flipscope: ");
    return at != std::string::npos && err.size() > at + 15 && err.back() == '\n';
}

/// How a process ends that presses Ctrl-C once and then raises `signal`.
int status_after_interrupt_and(int signal) {
    const pid_t child = fork();
    if (child == 0) {
        const app::Interrupt interrupt;
        raise(SIGINT);
        if (!app::Interrupt::flag().is_set()) _exit(1);
        raise(signal);
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}

const std::string kRun = "\"$FLIPSCOPE\" run build --device cpu --threads 1 --points uniform:200 ";

}  // namespace

TEST_CASE("endings: exit status and sentence of each kind of exception") {
    const auto status = [](const auto& failure) { return app::ending_of(std::make_exception_ptr(failure)).status; };
    CHECK(status(Error("a bad file")) == app::kWrongUse);
    CHECK(status(std::runtime_error("handing buffers back to OpenGL: failed")) == app::kFailed);
    CHECK(status(std::logic_error("broken")) == app::kFailed);
    CHECK(status(std::bad_alloc()) == app::kFailed);
    CHECK(status(Cancelled()) == app::kInterrupted);
    CHECK(app::ending_of(std::make_exception_ptr(Error("a bad file"))).sentence == "a bad file");
}

TEST_CASE("endings: a failed write to stdout is status 2 with a sentence") {
    if (access("/dev/full", W_OK) != 0) {
        MESSAGE("skipped: there is no /dev/full");
        return;
    }
    for (const std::string command : {"\"$FLIPSCOPE\" --help", "\"$FLIPSCOPE\" --version", "\"$FLIPSCOPE\" run --help",
                                      "\"$FLIPSCOPE\" list", "\"$FLIPSCOPE\" list generators"})
        for (const std::string& to : {std::string(" >/dev/full"), std::string(" >&-")}) {
            const Outcome outcome = run_shell(command + to);
            INFO(command << to << ": " << outcome.err);
            CHECK(outcome.status == 2);
            CHECK(has(outcome.err, "flipscope: standard output cannot be written"));
        }
    const TemporaryFolder folder;
    for (const std::string to : {"", "--json -"}) {
        const Outcome outcome = run_shell(kRun + to + " --export " + (folder / "mesh.ply").string() + " >/dev/full");
        INFO(outcome.err);
        CHECK(outcome.status == 2);
        CHECK(has(outcome.err, "flipscope: standard output cannot be written"));
        CHECK(folder.names() == std::vector<std::string>{"mesh.ply"});
    }
}

TEST_CASE("endings: no output file takes the descriptor of a closed standard stream") {
    const TemporaryFolder folder;
    const std::string file = (folder / "mesh.ply").string();
    CHECK(run_shell(kRun + "--export " + file + " --quiet <&- >&- 2>&-").status == 0);
    const std::string expected = read_file(file);
    CHECK(run_shell(kRun + "--export " + file + " --quiet").status == 0);
    CHECK(read_file(file) == expected);
}

TEST_CASE("endings: a closed pipe on stdout ends the program by SIGPIPE, after its files are written") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);
    const std::string unread = ">&" + std::to_string(ends[1]);
    for (const std::string command : {"\"$FLIPSCOPE\" list", "\"$FLIPSCOPE\" --help"}) {
        const Outcome outcome = run_shell(command + " " + unread);
        INFO(command << ": " << outcome.err);
        CHECK(outcome.status == 128 + SIGPIPE);
        CHECK(outcome.err.empty());
    }
    const TemporaryFolder folder;
    // What it says of itself on stderr is lost; the run goes on.
    const Outcome outcome =
        run_shell(kRun + "--export " + (folder / "mesh.ply").string() + " 2" + unread + " " + unread);
    CHECK(outcome.status == 128 + SIGPIPE);
    CHECK(folder.names() == std::vector<std::string>{"mesh.ply"});
    close(ends[1]);
}

TEST_CASE("endings: after Ctrl-C work that does not poll ends after a second, and by a second Ctrl-C at once") {
    const int late = status_after_interrupt_and(SIGALRM);  // as after that second
    CHECK(WIFEXITED(late));
    CHECK(WEXITSTATUS(late) == app::kInterrupted);
    const int twice = status_after_interrupt_and(SIGINT);
    CHECK(WIFSIGNALED(twice));
    CHECK(WTERMSIG(twice) == SIGINT);
}

TEST_CASE("endings: Ctrl-C at any poll ends a run with status 130 and without partial files") {
    const TemporaryFolder folder;
    app::RunOptions options;
    options.device.device = DeviceRequest::kCpu;
    options.device.threads = 1;
    options.quiet = true;
    options.check = true;
    options.json = (folder / "run.json").string();
    options.exports = {(folder / "mesh.obj").string()};
    const auto run = [&] { return app::run_headless(options); };
    for (const auto& [lab, points] : {std::pair("build", "uniform:3000"), std::pair("flip", "sphere:2000")}) {
        options.scenario.lab = lab;
        options.scenario.points = points;
        uint64_t whole = 0;
        {
            PollObserver polls(app::Interrupt::flag());
            REQUIRE(run() == app::kSuccess);
            whole = polls.count();
        }
        REQUIRE(whole > 100);
        for (uint64_t k = 1; k <= whole; k += std::max<uint64_t>(1, whole / 25)) {
            CAPTURE(k);
            for (const auto& name : folder.names()) std::filesystem::remove(folder / name);
            PollObserver polls(app::Interrupt::flag(), k);
            CHECK(run() == app::kInterrupted);
            for (const auto& name : folder.names()) CHECK_FALSE(has(name, ".part"));
        }
    }
}

#if defined(FLIPSCOPE_FAILING_ALLOCATIONS)

namespace {

/// Lets every `stride`-th allocation of a command fail, once and for good; each run must end in a sentence.
void check_allocations(const std::string& command, long stride) {
    const TemporaryFolder folder;
    const std::string preload = "LD_PRELOAD=" FLIPSCOPE_FAILING_ALLOCATIONS " ";
    const std::string count_file = (folder / "count").string();
    const Outcome fine = run_shell("FLIPSCOPE_COUNT_TO=" + count_file + " " + preload + command);
    INFO(command << ": " << fine.err);
    REQUIRE(fine.status == 0);
    const long count = std::stol(read_file(count_file));
    REQUIRE(count > 50);
    for (const std::string how : {"FLIPSCOPE_FAIL_AT=", "FLIPSCOPE_FAIL_FROM="})
        for (long n = 1; n <= count; n += n < 60 ? 7 : stride) {
            const Outcome outcome = run_shell(how + std::to_string(n) + " " + preload + command);
            INFO(how << n << " " << command << ": " << outcome.status << " " << outcome.err);
            // Where the program can do without, it goes on: there is nothing to say.
            CHECK((outcome.status == 0 || outcome.status == app::kWrongUse || outcome.status == app::kFailed));
            if (outcome.status != 0) CHECK(is_a_sentence(outcome.err));
        }
}

}  // namespace

TEST_CASE("endings: a failure of any allocation ends the program with a sentence and a status") {
    const TemporaryFolder folder;
    write_file(folder / "scenario.json",
               R"({"lab": "flip", "mesh": "quad:60", "parameters": {"conflict": "lowest"}, "hide": ["points"]})");
    write_file(folder / "points.csv", "x,y\n0,0\n1,0\n0,1\n3,4\n2,2\n");
    const std::string out = folder.path().string() + "/";
    const std::string run = "\"$FLIPSCOPE\" run ", cpu = " --device cpu --threads 2 ";
    check_allocations("\"$FLIPSCOPE\" --help >" + out + "help", 61);
    check_allocations("\"$FLIPSCOPE\" list >" + out + "list", 151);
    check_allocations(run + "build --points uniform:50 --check --json " + out + "run.json" + cpu, 97);
    check_allocations(run + out + "scenario.json --export " + out + "mesh.ply" + cpu, 97);
    check_allocations(run + "serial --input " + out + "points.csv --json -" + cpu, 97);
    check_allocations(
        run + "voronoi --set width=64 --set height=48 --set count=20 --export " + out + "colours.npy --quiet" + cpu,
        131);
    check_allocations(run + "events --set width=64 --set height=64 --set comparisons=2 --json - --export " + out +
                          "events.csv --quiet" + cpu,
                      211);
    // An unknown option is refused: also a way through the command line's library.
    const Outcome refused = run_shell("FLIPSCOPE_FAIL_FROM=900 LD_PRELOAD=" FLIPSCOPE_FAILING_ALLOCATIONS
                                      " \"$FLIPSCOPE\" run build --chek");
    CHECK((refused.status == app::kWrongUse || refused.status == app::kFailed));
    CHECK(is_a_sentence(refused.err));
}

TEST_CASE("endings: with little address space the program ends with a sentence and a status, or succeeds") {
    const TemporaryFolder folder;
    const std::string picture = (folder / "p.png").string();
    for (const std::string& what : {std::string("--json - "), "--picture " + picture + " "})
        for (const uintmax_t more : {4, 20, 50, 80, 120, 180, 240, 300, 360, 550, 850}) {
            // If the program itself does not fit, nothing can report it.
            const uintmax_t megabytes = std::filesystem::file_size(FLIPSCOPE_BINARY) / (1 << 20) + more;
            const Outcome outcome =
                run_shell("ulimit -v " + std::to_string(megabytes * 1024) + "; ulimit -c 0; " + kRun + what);
            INFO(megabytes << " MB " << what << ": " << outcome.status << " " << outcome.err);
            if (has(outcome.err, "error while loading shared libraries") || outcome.status == 127)
                continue;  // the program has not begun
            CHECK((outcome.status == 0 || outcome.status == app::kWrongUse || outcome.status == app::kFailed));
            if (outcome.status != 0) CHECK(is_a_sentence(outcome.err));
            if (outcome.status != 0) CHECK_FALSE(std::filesystem::exists(picture));
            std::filesystem::remove(picture);
        }
}

#endif
