// Progress on one line of a terminal, overwritten in place at most twice a second; writes nothing to a file.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace flipscope::app {

class ProgressLine {
  public:
    explicit ProgressLine(bool quiet) : quiet_(quiet || isatty(STDERR_FILENO) == 0) {}
    ~ProgressLine() { wipe(); }
    void write(const std::string& text) {
        const auto now = std::chrono::steady_clock::now();
        if (quiet_ || now - written_at_ < std::chrono::milliseconds(500)) return;
        written_at_ = now;
        std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
        written_ = true;
    }
    void wipe() {
        if (written_) std::fputs("\r\x1b[K", stderr);
        written_ = false;
    }

  private:
    bool quiet_, written_ = false;
    std::chrono::steady_clock::time_point written_at_{};
};

}  // namespace flipscope::app
