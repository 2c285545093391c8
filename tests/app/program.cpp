#include "app/program.h"

#include "test_support.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>

extern char** environ;

namespace flipscope {

namespace {

constexpr double kMostSeconds = 300;
constexpr int kPollMs = 5;

struct Pipe {
    int read_end = -1, write_end = -1;
    Pipe() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
        read_end = ends[0];
        write_end = ends[1];
    }
    ~Pipe() {
        close_write();
        close(read_end);
    }
    void close_write() {
        if (write_end >= 0) close(write_end);
        write_end = -1;
    }
    /// False at the end of what there is to read.
    bool take(std::string& text) const {
        char buffer[4096];
        const ssize_t count = read(read_end, buffer, sizeof buffer);
        if (count > 0) text.append(buffer, static_cast<size_t>(count));
        return count > 0;
    }
};

pid_t start(const char* program, const std::vector<std::string>& arguments, const Pipe& out, const Pipe& err) {
    std::vector<char*> words{const_cast<char*>(program)};
    for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
    pid_t process = -1;
    const int error = posix_spawn(&process, program, &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error(std::string(program) + " cannot be started");
    return process;
}

int wait_for(pid_t process) {
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Outcome run(const char* program, const std::vector<std::string>& arguments,
            const std::function<void(int process, const std::string& err)>& while_running) {
    Outcome outcome;
    Pipe out, err;
    const pid_t process = start(program, arguments, out, err);
    out.close_write();
    err.close_write();
    const auto begin = std::chrono::steady_clock::now();
    pollfd ends[2] = {{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}};
    std::string* texts[2] = {&outcome.out, &outcome.err};
    const Pipe* pipes[2] = {&out, &err};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        poll(ends, 2, kPollMs);
        for (int i = 0; i < 2; ++i)
            if (ends[i].fd >= 0 && ends[i].revents != 0 && !pipes[i]->take(*texts[i])) ends[i].fd = -1;
        if (while_running) while_running(process, outcome.err);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        if (spent.count() > kMostSeconds) kill(process, SIGKILL);
    }
    outcome.status = wait_for(process);
    return outcome;
}

}  // namespace

Outcome run_program(const std::vector<std::string>& arguments,
                    const std::function<void(int process, const std::string& err)>& while_running) {
    return run(FLIPSCOPE_BINARY, arguments, while_running);
}

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

nlohmann::json program_json(const std::vector<std::string>& arguments, std::optional<int> status) {
    const Outcome outcome = run_program(joined(arguments, {"--json", "-"}));
    INFO(outcome.err);
    REQUIRE(outcome.status == status.value_or(outcome.status));
    return nlohmann::json::parse(outcome.out);
}

nlohmann::json json_of_run(const std::vector<std::string>& words, int status) {
    return program_json(joined(joined({"run"}, words), {"--device", "cpu"}), status);
}

Outcome run_shell(const std::string& line) {
    setenv("FLIPSCOPE", FLIPSCOPE_BINARY, 1);
    return run("/bin/sh", {"-c", line}, {});
}

ForgiveLeaks::ForgiveLeaks()
    : options_("ASAN_OPTIONS", (std::getenv("ASAN_OPTIONS") ? std::getenv("ASAN_OPTIONS") + std::string(":") : "") +
                                   "detect_leaks=0") {}

bool lacks_opengl(const Outcome& outcome) {
    const bool lacks = outcome.status == 2 && (has(outcome.err, "EGL") || has(outcome.err, "OpenGL"));
    if (lacks) skip(outcome.err);
    return lacks;
}

Outcome run_on_cpu(const std::vector<std::string>& words) {
    return run_program(joined(joined({"run"}, words), {"--device", "cpu"}));
}

std::string picture_of_run(const std::vector<std::string>& words) {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    const std::string file = (folder / "picture.png").string();
    const Outcome outcome = run_on_cpu(joined(words, {"--quiet", "--picture", file}));
    INFO(outcome.err);
    if (lacks_opengl(outcome)) return {};
    REQUIRE(outcome.status == 0);
    return read_file(file);
}

void check_refused(const std::vector<std::string>& arguments, const std::string& part) {
    const Outcome outcome = run_program(arguments);
    INFO(part);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(has(outcome.err, "flipscope: "));
    CHECK(has(outcome.err, part));
}

}  // namespace flipscope
