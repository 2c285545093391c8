// The window's preferences: compared after every frame with what was last written, and written once they have been
// stable for a while and when the window closes. Also the list of recent files.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/base/endings.h"
#include "app/figures/plane_axes.h"
#include "app/view/display.h"
#include "app/window/minimap.h"
#include "app/window/window_main.h"
#include "compute/error.h"
#include "io/files.h"

namespace flipscope::app {

namespace {

constexpr double kRestAround = 0.25;  // seconds without a change before writing

/// Whether part of the window is on a monitor; monitors may have changed since it was saved.
bool on_a_monitor(const std::array<int, 2>& place, int width) {
    constexpr int kGrip = 64;  // screen coordinates of the window that must be reachable
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        int x = 0, y = 0, wide = 0, high = 0;
        glfwGetMonitorWorkarea(monitors[i], &x, &y, &wide, &high);
        if (place[0] + width >= x + kGrip && place[0] <= x + wide - kGrip && place[1] >= y - kGrip &&
            place[1] <= y + high - kGrip)
            return true;
    }
    return false;
}

}  // namespace

void Window::place_window(const WindowOptions& options) {
    const Preferences& remembered = options.remembered;
    if (remembered.place && on_a_monitor(*remembered.place, options.width))
        glfwSetWindowPos(window_, (*remembered.place)[0], (*remembered.place)[1]);
    if (remembered.maximised && !options.is_sized) glfwMaximizeWindow(window_);
    glfwShowWindow(window_);
}

void Window::apply_preferences(const WindowOptions& options) {
    first_file_ = options.file;
    state_.motion = options.motion;
    if (!options.remembers) return;
    recent_.emplace(state_folder());
    preferences_file_ = options.preferences_file;
    const Preferences& remembered = stored_ = previous_ = options.remembered;
    state_.show_left = remembered.left;
    state_.show_right = remembered.right;
    state_.show_bottom = remembered.bottom;
    state_.show_legend = remembered.legend;
    for (const auto& [id, on, usual] : {std::tuple(kScaleBarDisplay, remembered.scale_bar, true),
                                        {kAxesDisplay, remembered.axes, false},
                                        {kMinimapDisplay, remembered.minimap, true}})
        if (on != usual && state_.display.layers.count(id) == 0) state_.display.layers[id] = on;
    read_placement(previous_);
    begun_ = present_preferences();
}

/// Querying size and place from the display is slow; call only after they have changed.
void Window::read_placement(Preferences& into) {
    if (glfwGetWindowMonitor(window_) || glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) return;
    into.maximised = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
    if (into.maximised && into.width > 0) return;  // keep the size to restore
    glfwGetWindowSize(window_, &into.width, &into.height);
    std::array<int, 2> place{};
    glfwGetWindowPos(window_, &place[0], &place[1]);
    into.place = place;
}

Preferences Window::present_preferences() const {
    Preferences now = previous_;
    now.light = state_.light;
    now.scale = state_.scale == state_.usual_scale ? 0 : state_.scale;
    now.left = state_.show_left;
    now.right = state_.show_right;
    now.bottom = state_.show_bottom;
    now.legend = state_.show_legend;
    now.scale_bar = state_.display.shows(kScaleBarDisplay, true);
    now.axes = state_.display.shows(kAxesDisplay, false);
    now.motion = state_.motion;
    now.minimap = state_.display.shows(kMinimapDisplay, true);
    if (session_->model().loaded) now.lab = session_->model().info.id;
    return now;
}

void Window::follow_preferences() {
    follow_opened();
    if (!preferences_file_ || state_.lesson.presenting()) return;  // a lesson has its own lab and panels
    Preferences now = present_preferences();
    if (frame_changed_ && seconds() - frame_changed_at_ > 0.5) {
        frame_changed_ = false;
        read_placement(now);
    }
    if (now != previous_) {
        previous_ = now;
        changed_at_ = seconds();
    }
    if (seconds() - changed_at_ < kRestAround) return;
    try {
        write_preferences();
    } catch (const Error& error) {
        preferences_file_.reset();
        session_->say(Message::Kind::kWarning,
                      std::string("What this window looks like is not remembered: ") + error.what() + ".");
    }
}

void Window::write_preferences() {
    const Preferences all = changed_preferences(stored_, begun_, previous_);
    if (all == stored_) return;
    preferences_file_->write(all);
    stored_ = all;
    begun_ = previous_;
}

void Window::close_preferences() noexcept {
    if (!preferences_file_) return;
    try {
        if (!state_.lesson.presenting()) {
            previous_ = present_preferences();
            if (frame_changed_) read_placement(previous_);
        }
        write_preferences();
    } catch (const std::exception& error) {
        tell(std::string("what the window looked like is not remembered: ") + error.what());
    }
}

/// Shows a newly opened input in the form, and records its file.
void Window::follow_opened() {
    const std::string& source = session_->loader().present().source;
    if (!session_->model().loaded || source == opened_source_) return;
    opened_source_ = source;
    show_in_form(source);
    const std::string first = std::exchange(first_file_, {});
    if (state_.lesson.presenting()) return;  // opened by the lesson
    const std::string pair = session_->opener().pair_of_files();
    note_opened(!pair.empty() ? pair : first.empty() ? opened_source_ : first);
}

void Window::note_opened(const std::string& name) {
    std::error_code ignored;
    if (!recent_ || name.empty()) return;
    if (files_named(name).size() == 1 && !is_there(io::user_path(name).string())) return;
    std::vector<std::string> said;
    try {
        std::string absolute;
        for (const std::string& one : files_named(name))
            absolute += (absolute.empty() ? "" : " ") + std::filesystem::absolute(io::user_path(one), ignored).string();
        recent_->add(absolute, said);
    } catch (const Error& error) {
        said.push_back(std::string("Recent files are not remembered: ") + error.what() + ".");
    }
    for (std::string& sentence : said)
        if (!std::exchange(reported_recent_, true)) session_->say(Message::Kind::kWarning, std::move(sentence));
}

void Window::read_recent() {
    UiState::Recent& recent = state_.recent;
    recent.files.clear();
    recent.why_none = recent_ ? "No files have been opened yet; those opened last are listed here."
                              : "Recent files are not remembered in this window (--no-preferences).";
    if (!recent_) return;
    std::vector<std::string> said;
    for (std::string& file : recent_->read(said)) {
        const bool there = is_there(file);
        recent.files.push_back({std::move(file), there});
    }
    for (std::string& sentence : said) session_->say(Message::Kind::kWarning, std::move(sentence));
}

}  // namespace flipscope::app
