// Requests on stdin, one answer on stdout for each line: how tests and scripts read what the window shows. Requests
// only read; keys and the mouse drive the program.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace flipscope::app {

/// {"name": "value"} in one line; replaces bytes of the value that are not UTF-8.
std::string json_line(const std::string& name, const std::string& value);
/// What make() returns, or {"error": "…"} with the message it throws.
std::string answered_or_refused(const std::function<std::string()>& make);

class ControlLines {
  public:
    /// Reads stdin on its own thread and calls `wake` for each line.
    explicit ControlLines(std::function<void()> wake);
    ~ControlLines();
    /// Returns and removes the lines received so far. A line longer than any command is cut.
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
