// The end of the program when output cannot be written, when memory is short, and when it is interrupted at any moment:
// always a message and an exit status.
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
