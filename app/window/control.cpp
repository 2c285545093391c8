#include "app/window/control.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace flipscope::app {

namespace {

constexpr size_t kLongestLine = 65536;  // bytes; paths are shorter

}  // namespace

std::string json_line(const std::string& name, const std::string& value) {
    using nlohmann::json;
    return json{{name, value}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string answered_or_refused(const std::function<std::string()>& make) {
    try {
        return make();
    } catch (const std::bad_alloc&) {
        return R"({"error":"there is not enough memory for this"})";
    } catch (const std::exception& error) {
        return json_line("error", error.what());
    }
}

ControlLines::ControlLines(std::function<void()> wake) : wake_(std::move(wake)) {
    if (pipe(quit_) != 0) throw std::runtime_error("no pipe for the commands on stdin");
    thread_ = std::thread([this] { run(); });
}

ControlLines::~ControlLines() {
    close(quit_[1]);
    thread_.join();
    close(quit_[0]);
}

std::vector<std::string> ControlLines::take() {
    std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
}

void ControlLines::feed(std::string_view bytes, std::string& rest) {
    for (const char byte : bytes) {
        if (byte != '\n') {
            if (rest.size() < kLongestLine) rest += byte;
            continue;
        }
        std::lock_guard lock(mutex_);
        lines_.push_back(std::move(rest));
        rest.clear();
    }
}

void ControlLines::run() {
    std::string rest;
    std::array<char, 4096> bytes{};
    for (;;) {
        std::array<pollfd, 2> waiting{{{STDIN_FILENO, POLLIN, 0}, {quit_[0], POLLIN, 0}}};
        if (poll(waiting.data(), waiting.size(), -1) < 0) {
            if (errno == EINTR) continue;
            return;
        }
        if (waiting[1].revents) return;
        const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;  // end of input; the window stays open
        try {
            feed({bytes.data(), static_cast<size_t>(count)}, rest);
        } catch (const std::bad_alloc&) {
            rest.clear();  // lose the command, keep the window
        }
        wake_();
    }
}

}  // namespace flipscope::app
