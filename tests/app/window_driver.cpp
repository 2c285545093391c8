#include "app/window_driver.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <thread>

#include "app/display_resources.h"

namespace flipscope {

namespace {

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Starts a program with the given ends as stdin, stdout and (fd 3) an extra one; -1: as here.
pid_t start(const std::vector<std::string>& command, const std::string& display, int in, int out, int extra,
            int err = -1) {
    const pid_t child = fork();
    if (child != 0) return child;
    if (in >= 0) dup2(in, 0);
    if (out >= 0) dup2(out, 1);
    if (err >= 0) dup2(err, 2);
    if (extra >= 0) dup2(extra, 3);
    if (!display.empty()) setenv("DISPLAY", display.c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

int wait_status(pid_t process) {
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void end(pid_t& process) {
    if (process <= 0) return;
    kill(process, SIGTERM);
    for (int i = 0; i < 100; ++i) {
        if (waitpid(process, nullptr, WNOHANG) == process) {
            process = -1;
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    process = -1;
}

std::string whole(double value) { return std::to_string(std::lround(value)); }

}  // namespace

std::string WindowDriver::missing() {
    if (!app::can_be_found("Xvfb")) return "Xvfb is not installed (Debian: apt install xvfb)";
    if (!app::can_be_found("xdotool")) return "xdotool is not installed (Debian: apt install xdotool)";
    return "";
}

WindowDriver::WindowDriver(const std::vector<std::string>& arguments, WindowSize size, WindowSize screen,
                           const std::string& resources) {
    signal(SIGPIPE, SIG_IGN);  // a program that died must fail a test, not end all of them
    std::array<int, 2> number{}, in{}, out{};
    if (pipe(number.data()) || pipe2(in.data(), O_CLOEXEC) || pipe2(out.data(), O_CLOEXEC))
        throw std::runtime_error("no pipe");
    fcntl(number[0], F_SETFD, FD_CLOEXEC);
    const std::string geometry = std::to_string(screen.width) + "x" + std::to_string(screen.height) + "x24";
    display_ = start({"Xvfb", "-displayfd", "3", "-screen", "0", geometry, "-nolisten", "tcp", "-noreset"}, "", -1, -1,
                     number[1]);
    close(number[1]);
    std::string name;
    for (char digit; read(number[0], &digit, 1) == 1 && digit != '\n';) name += digit;
    close(number[0]);
    if (name.empty()) {
        end(display_);
        throw std::runtime_error("Xvfb did not start");
    }
    display_name_ = ":" + name;
    if (!resources.empty()) set_resources(display_name_, resources);
    std::vector<std::string> command{FLIPSCOPE_BINARY};
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.push_back("--control-stdin");
    if (size.width > 0 && std::ranges::find(arguments, "--motion") == arguments.end()) command.push_back("--no-motion");
    if (size.width > 0)
        command.insert(command.end(),
                       {"--no-preferences", "--size", std::to_string(size.width) + "x" + std::to_string(size.height)});
    std::FILE* const file = std::tmpfile();  // no pipe, which would be full some day
    says_ = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
    if (file) std::fclose(file);
    std::optional<Environment> state;
    if (!std::getenv("XDG_STATE_HOME")) state.emplace("XDG_STATE_HOME", home_.path().string());
    program_ = start(command, display_name_, in[0], out[1], -1, says_);
    close(in[0]);
    close(out[1]);
    to_program_ = in[1];
    from_program_ = out[0];
    try {
        settle();
    } catch (const std::exception& error) {
        end(program_);
        end(display_);
        close(to_program_);
        close(from_program_);
        throw std::runtime_error(std::string(error.what()) + ": " + said());
    }
}

WindowDriver::~WindowDriver() {
    end(program_);
    end(display_);
    if (to_program_ >= 0) close(to_program_);
    if (from_program_ >= 0) close(from_program_);
    if (says_ >= 0) close(says_);
}

std::string WindowDriver::said() const {
    std::string text(size_t(1) << 20, '\0');
    const ssize_t count = pread(says_, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<size_t>(count) : 0);
    return text;
}

std::string WindowDriver::read_line(double seconds) {
    const double until = now_s() + seconds;
    std::array<char, 65536> bytes{};
    for (;;) {
        const size_t end = unread_.find('\n');
        if (end != unread_.npos) {
            std::string line = unread_.substr(0, end);
            unread_.erase(0, end + 1);
            return line;
        }
        const double left = until - now_s();
        pollfd waiting{from_program_, POLLIN, 0};
        if (left <= 0 || poll(&waiting, 1, static_cast<int>(left * 1e3) + 1) < 0)
            throw std::runtime_error("the program does not answer");
        if (!waiting.revents) continue;
        const ssize_t count = read(from_program_, bytes.data(), bytes.size());
        if (count <= 0) throw std::runtime_error("the program has ended");
        unread_.append(bytes.data(), static_cast<size_t>(count));
    }
}

nlohmann::json WindowDriver::ask(const std::string& line) {
    const std::string text = line + "\n";
    if (write(to_program_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw std::runtime_error("the program does not listen");
    return nlohmann::json::parse(read_line(60));
}

nlohmann::json WindowDriver::wait_for(const std::string& what, const std::function<bool(const nlohmann::json&)>& wanted,
                                      double seconds) {
    return wait_until(
        what, [&](const nlohmann::json& state) { return state["idle"] && wanted(state); }, seconds);
}

nlohmann::json WindowDriver::wait_until(const std::string& what,
                                        const std::function<bool(const nlohmann::json&)>& wanted, double seconds) {
    const double until = now_s() + seconds;
    nlohmann::json state;
    do {
        state = status();
        if (wanted(state)) return state;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    } while (now_s() < until);
    throw std::runtime_error("waited in vain for " + what + "; the last status: " + state.dump());
}

void WindowDriver::xdotool(const std::vector<std::string>& arguments) {
    std::vector<std::string> command{"xdotool"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    if (wait_status(start(command, display_name_, -1, -1, -1)) != 0) throw std::runtime_error("xdotool failed");
}

void WindowDriver::key(const std::string& name) { xdotool({"key", name}); }
void WindowDriver::hold_key(const std::string& name) { xdotool({"keydown", name}); }
void WindowDriver::let_go_of_key(const std::string& name) { xdotool({"keyup", name}); }

void WindowDriver::type(const std::string& text) { xdotool({"type", "--delay", "20", "--", text}); }
void WindowDriver::move(double x, double y) { xdotool({"mousemove", whole(x), whole(y)}); }
void WindowDriver::click(int button) { xdotool({"click", std::to_string(button)}); }
void WindowDriver::press() { xdotool({"mousedown", "1"}); }
void WindowDriver::release() { xdotool({"mouseup", "1"}); }
void WindowDriver::resize(int width, int height) {
    xdotool({"search", "--sync", "--name", "^Flipscope$", "windowsize", std::to_string(width), std::to_string(height)});
}

std::string WindowDriver::screenshot(const std::filesystem::path& path) {
    const nlohmann::json answer = ask("screenshot " + path.string());
    if (answer.contains("error")) throw std::runtime_error(answer["error"].get<std::string>());
    return read_file(path);
}

int WindowDriver::quit() {
    const char line[] = "quit\n";
    if (write(to_program_, line, sizeof line - 1) < 0) throw std::runtime_error("the program does not listen");
    return wait_for_end();
}

int WindowDriver::lose_display(std::string& said) {
    end(display_);
    const int status = wait_for_end();
    said = this->said();
    return status;
}

int WindowDriver::interrupt() {
    kill(program_, SIGINT);
    return wait_for_end();
}

void WindowDriver::kill_at_once() {
    kill(program_, SIGKILL);
    wait_for_end();
}

int WindowDriver::wait_for_end() {
    const double until = now_s() + 60;  // a machine that does much else may stand still for a while
    do {
        int status = 0;
        if (waitpid(program_, &status, WNOHANG) == program_) {
            program_ = -1;
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    } while (now_s() < until);
    throw std::runtime_error("the program does not end");
}

}  // namespace flipscope
