#include "app/base/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include "compute/cancel.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

/// In the child, between fork and exec: must not wait for another thread's lock.
[[noreturn]] void become(char* const* words, const char* folder, const char* errors, const ChildLimits& limits,
                         int input, int output) {
    setpgid(0, 0);
    const auto limit = [](auto what, uint64_t most) {
        const rlimit value{most, most};
        if (most > 0) setrlimit(what, &value);
    };
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    limit(RLIMIT_AS, limits.memory_bytes);
    limit(RLIMIT_FSIZE, limits.file_bytes);
    limit(RLIMIT_CPU, limits.processor_s);
    const int nothing = open("/dev/null", O_RDWR);
    const int said = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nothing < 0 || said < 0 || chdir(folder) != 0) _exit(126);
    dup2(input < 0 ? nothing : input, 0);
    dup2(output < 0 ? nothing : output, 1);
    dup2(said, 2);
    for (int i = 3; i < 1024; ++i) close(i);
    for (const int each : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ, SIGHUP}) signal(each, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execvp(words[0], words);
    _exit(127);
}

}  // namespace

bool can_be_found(const std::string& program) {
    if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

ScratchFolder::ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "flipscope-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error(name + ": a folder cannot be made: " + std::strerror(errno));
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

ChildProcess::ChildProcess(std::vector<std::string> words, const std::filesystem::path& folder,
                           const std::filesystem::path& errors, const ChildLimits& limits, bool talks)
    : errors_(errors), begin_(std::chrono::steady_clock::now()) {
    const std::string program = words.at(0), folder_name = folder.string(), errors_name = errors.string();
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    const bool has_pipes = !talks || (pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0);
    if (has_pipes) child_ = fork();
    if (has_pipes && child_ == 0) become(raw.data(), folder_name.c_str(), errors_name.c_str(), limits, to[0], from[1]);
    const int why = errno;
    for (const int each : {to[0], from[1]})
        if (each >= 0) close(each);
    input_ = to[1];
    output_ = from[0];
    if (child_ < 0) {
        for (const int each : {input_, output_})
            if (each >= 0) close(each);
        throw Error(program + ": cannot be started: " + std::strerror(why));
    }
    setpgid(child_, child_);  // both processes do it; whichever comes first
    for (const int each : {input_, output_})
        if (each >= 0) fcntl(each, F_SETFL, O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
    end();
    close_input();
    if (output_ >= 0) close(output_);
}

void ChildProcess::close_input() {
    if (input_ >= 0) close(input_);
    input_ = -1;
}

bool ChildProcess::has_ended() {
    if (ended_) return true;
    const pid_t found = waitpid(child_, &status_, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) return false;
    elapsed_s_ = elapsed_s();
    ended_ = true;
    kill(-child_, SIGKILL);  // anything it has left running
    return true;
}

bool ChildProcess::wait(double seconds) {
    for (int pause_us = 200; !has_ended(); pause_us = std::min(2 * pause_us, 20'000)) {
        if (seconds > 0 && elapsed_s() > seconds) return false;
        throw_if_cancelled();
        std::this_thread::sleep_for(std::chrono::microseconds(pause_us));
    }
    return true;
}

void ChildProcess::end() {
    if (has_ended()) return;
    kill(-child_, SIGKILL);
    kill(child_, SIGKILL);
    while (waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
    }
    elapsed_s_ = elapsed_s();
    ended_ = true;
}

double ChildProcess::elapsed_s() const {
    return ended_ ? elapsed_s_ : std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

int ChildProcess::signal() const { return WIFSIGNALED(status_) ? WTERMSIG(status_) : 0; }

int ChildProcess::exit_status() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 0; }

std::string ChildProcess::last_output() const {
    const int file = open(errors_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return {};
    std::string text;
    if (const off_t size = lseek(file, 0, SEEK_END); size > 0) {
        text.resize(static_cast<size_t>(std::min<off_t>(size, 600)));
        const ssize_t got = pread(file, text.data(), text.size(), size - static_cast<off_t>(text.size()));
        text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    }
    close(file);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

}  // namespace flipscope::app
