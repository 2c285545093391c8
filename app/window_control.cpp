#include "app/window_control.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace flipscope::app {

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

void ControlLines::run() {
    std::string rest;
    std::array<char, 4096> bytes{};
    for (;;) {
        std::array<pollfd, 2> waiting{{{STDIN_FILENO, POLLIN, 0}, {quit_[0], POLLIN, 0}}};
        if (poll(waiting.data(), waiting.size(), -1) < 0) return;
        if (waiting[1].revents) return;
        const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
        if (count <= 0) return;  // nobody asks any more; the window stays
        rest.append(bytes.data(), static_cast<size_t>(count));
        for (size_t end; (end = rest.find('\n')) != rest.npos; rest.erase(0, end + 1)) {
            std::lock_guard lock(mutex_);
            lines_.push_back(rest.substr(0, end));
        }
        wake_();
    }
}

}  // namespace flipscope::app
