// A real window on its own display, for the tests: starts Xvfb and the program, sends keys and the mouse through
// xdotool, and requests the program's status. It ends its own processes, by their ids.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/folders.h"

namespace flipscope {

struct WindowSize {
    int width = 1280, height = 800;
};

/// The window has its default size, and keeps its preferences.
inline constexpr WindowSize kRemembered{0, 0};

class WindowDriver {
  public:
    /// Empty when windows can be tested here; else what is missing.
    static std::string missing();
    /// The program's state goes to a temporary folder, unless a test sets XDG_STATE_HOME.
    /// Throws std::runtime_error with what the program said when it does not come up.
    /// `resources`: as set_resources() has them; with some missing_for_resources() must be empty.
    /// With --no-preferences, and --no-motion unless it is given --motion; where `size` is kRemembered, with those of
    /// XDG_CONFIG_HOME, which the test has set.
    explicit WindowDriver(const std::vector<std::string>& arguments, WindowSize size = {},
                          WindowSize screen = {1920, 1080}, const std::string& resources = "");
    ~WindowDriver();
    WindowDriver(const WindowDriver&) = delete;
    WindowDriver& operator=(const WindowDriver&) = delete;

    bool runs() const { return program_ > 0; }
    nlohmann::json status() { return ask("status"); }
    nlohmann::json ask(const std::string& line);
    /// Requests the status until `wanted` holds and no job is running; throws std::runtime_error naming `what` after
    /// `seconds`.
    nlohmann::json wait_for(const std::string& what, const std::function<bool(const nlohmann::json&)>& wanted,
                            double seconds = 60);
    /// The same while the program may still be at work, and before a software rasteriser has drawn the picture finely.
    nlohmann::json wait_until(const std::string& what, const std::function<bool(const nlohmann::json&)>& wanted,
                              double seconds = 60);
    nlohmann::json settle() {
        return wait_for("rest", [](const nlohmann::json&) { return true; });
    }

    void key(const std::string& name);       // as xdotool names them: "Right", "shift+Right", "End"
    void hold_key(const std::string& name);  // until let_go_of_key()
    void let_go_of_key(const std::string& name);
    void type(const std::string& text);
    void move(double x, double y);  // in the window
    void click(int button = 1);     // 4 and 5: the wheel
    void press();
    void release();
    /// Sets the size of the window.
    void resize(int width, int height);
    /// The window's pixels as a PNG file, whose bytes are returned.
    std::string screenshot(const std::filesystem::path& path);
    /// Quits it and returns its exit status.
    int quit();
    /// Ends the X server under it; returns the program's exit status and, in `said`, what it wrote to stderr.
    int lose_display(std::string& said);
    /// Presses Ctrl-C once; returns the exit status.
    int interrupt();
    /// Ends it by SIGKILL.
    void kill_at_once();
    pid_t process() const { return program_; }  // for a signal at any moment
    std::string said() const;                   // to stderr, so far

  private:
    void xdotool(const std::vector<std::string>& arguments);
    std::string read_line(double seconds);
    int wait_for_end();

    TemporaryFolder home_;
    pid_t display_ = -1, program_ = -1;
    std::string display_name_, unread_;
    int to_program_ = -1, from_program_ = -1, says_ = -1;
};

}  // namespace flipscope
