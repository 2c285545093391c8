#include "app/program.h"

#include "test_support.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace flipscope {

namespace {

constexpr double kMostSeconds = 300;
constexpr std::chrono::milliseconds kPause{2};

/// What a program writes, in a file without a name.
struct Written {
    std::FILE* file = std::tmpfile();
    Written() {
        if (!file) throw std::runtime_error("no temporary file");
    }
    ~Written() { std::fclose(file); }
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;
    int descriptor() const { return fileno(file); }
    std::string so_far() const {
        struct stat facts {};
        fstat(descriptor(), &facts);
        std::string text(static_cast<size_t>(facts.st_size), '\0');
        text.resize(static_cast<size_t>(std::max<ssize_t>(pread(descriptor(), text.data(), text.size(), 0), 0)));
        return text;
    }
};

pid_t start(const char* program, const std::vector<std::string>& arguments, const Written& out, const Written& err) {
    std::vector<char*> words{const_cast<char*>(program)};
    for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
    pid_t process = -1;
    const int error = posix_spawn(&process, program, &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error(std::string(program) + " cannot be started");
    return process;
}

Outcome run(const char* program, const std::vector<std::string>& arguments,
            const std::function<void(int process, const std::string& err)>& while_running) {
    const Written out, err;
    const pid_t process = start(program, arguments, out, err);
    const auto begin = std::chrono::steady_clock::now();
    int status = 0;
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (while_running) while_running(process, err.so_far());
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        if (spent.count() > kMostSeconds) kill(process, SIGKILL);
        std::this_thread::sleep_for(kPause);
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), out.so_far(), err.so_far()};
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

bool is_a_sentence(const std::string& err) {
    const size_t at = err.rfind("flipscope: ");
    return at != std::string::npos && err.size() > at + 15 && err.back() == '\n';
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
