// A line on stdin asks, a line on stdout answers: how the tests, and scripts, read what the window shows. Only asking:
// what moves the program are its keys and the mouse.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace flipscope::app {

/// {"name": "value"}, in one line; bytes of the value that are not UTF-8 are replaced.
std::string json_line(const std::string& name, const std::string& value);
/// What make() returns, or {"error": "…"} with what it throws.
std::string answered_or_refused(const std::function<std::string()>& make);

class ControlLines {
  public:
    /// Reads stdin on a thread of its own; `wake` is called for every line.
    explicit ControlLines(std::function<void()> wake);
    ~ControlLines();
    /// The lines that have come since the last call. Of a line that is longer than any command only the beginning.
    std::vector<std::string> take();

  private:
    void run();
    void feed(std::string_view bytes, std::string& rest);

    std::function<void()> wake_;
    int quit_[2] = {-1, -1};  // a pipe that ends the reader's wait
    std::mutex mutex_;
    std::vector<std::string> lines_;
    std::thread thread_;
};

}  // namespace flipscope::app
