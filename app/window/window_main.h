// The window: GLFW, Dear ImGui, the frame. Private to window.cpp, preferences.cpp, save.cpp and status.cpp.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <string>

#include "app/base/folders.h"
#include "app/session/journal.h"
#include "app/window/canvas.h"
#include "app/window/control.h"
#include "app/window/presenter_window.h"
#include "app/window/ui.h"
#include "app/window/window.h"

struct GLFWwindow;

namespace flipscope::app {

class Window {
  public:
    explicit Window(WindowOptions options);
    ~Window();
    int run();

  private:
    void open(const WindowOptions& options);
    void first_input(const WindowOptions& options);
    void show_in_form(const std::string& source);
    void show_opened_scenario();
    void show_spatial(const std::optional<SpatialRequest>& spatial);
    void play_opened_lesson(Ui& ui);
    void toggle_full_screen();
    void frame(double elapsed_s);
    void present();
    void redraw();
    std::vector<int> hold_tapped_keys();
    void release_keys(const std::vector<int>& tapped);
    void execute_requests();
    void execute(UiState::Request request);
    void follow_journal();
    void measure_monitor();
    void grow_to_monitor();
    void rescale(double wanted);

    // preferences.cpp
    void place_window(const WindowOptions& options);
    void apply_preferences(const WindowOptions& options);
    void read_placement(Preferences& into);
    Preferences present_preferences() const;
    void follow_preferences();
    void write_preferences();
    void close_preferences() noexcept;
    void follow_opened();
    void note_opened(const std::string& name);
    void read_recent();

    void wait_for_events();
    double seconds() const;
    Ui make_ui();

    // status.cpp
    void answer(const std::string& line);
    std::string answer_to(const std::string& line);
    std::string status_line();
    void save_window(const std::string& path);
    /// Writes a new file STEM.EXTENSION, and reports "WHAT its name" or why not. `last`: becomes its name.
    void save_new(const std::string& stem, const char* extension, const std::string& what, std::string& last,
                  const std::function<void(const std::string& name)>& write);
    void save_picture();
    void save_detections();
    void save_failures();
    void save_shrunk();
    void save_figure();     // as the dialog of Ctrl+Shift+S describes it
    void advance_figure();  // a piece of it, between two frames
    void show_data(const DataView& data);
    std::function<std::string()> view_as(bool python, const std::filesystem::path& file);
    void save_as();  // as the dialog of Ctrl+S describes it

    struct Gl;  // GLFW and the context: constructed first, destroyed last
    std::unique_ptr<Gl> gl_;
    GLFWwindow* window_ = nullptr;
    bool started_imgui_ = false;
    std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
    std::unique_ptr<Session> session_;
    std::unique_ptr<CanvasView> canvas_;
    std::unique_ptr<ControlLines> control_;
    Journal journal_{state_folder()};
    std::deque<std::string> unanswered_;  // unanswered control lines
    UiState state_;
    FrameParts parts_;
    Fonts fonts_;
    Layout layout_;
    Boxes boxes_;                                 // of the last frame
    std::unique_ptr<PresenterWindow> presenter_;  // nullptr: not open
    float density_ = 1;                           // pixels per screen coordinate
    bool settled_ = false;                        // the last frame found nothing to redraw
    int redraw_frames_ = 4;                       // frames still to draw without any change
    bool key_repeats_ = false;                    // the next character comes from a held key
    int input_frames_ = 0;                        // frames until all effects of keys and mouse are shown
    uint64_t frames_ = 0;
    double drawn_at_ = 0;    // start of the last frame, seconds
    double frame_rate_ = 0;  // over the last half second with animation
    double rate_from_ = 0;   // start of the count, seconds
    uint64_t rate_frames_ = 0;
    /// The window of a callback for a key, the mouse or another event that may change the picture.
    static Window* with_input(GLFWwindow* window);
    static void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers);
    void follow_presenter();
    double idle_limit_s() const;
    void count_frame(bool animating);
    std::optional<PreferencesFile> preferences_file_;  // none: not kept
    Preferences stored_, begun_;   // the file's, and the window's when the file was read or last written
    Preferences previous_;         // of the last frame
    double changed_at_ = 0;        // last change, seconds
    bool frame_changed_ = false;   // since they were last queried
    double frame_changed_at_ = 0;  // seconds
    std::optional<RecentFiles> recent_;
    std::string first_file_, opened_source_;  // from the command line; the last Opening::source
    bool reported_recent_ = false;            // that the list cannot be kept
    std::string lesson_to_open_;              // from the command line
    int windowed_[4] = {0, 0, 0, 0};          // place and size before full screen
    struct Figure;
    std::shared_ptr<Figure> figure_;                                            // the one being written
    int figure_idle_frames_ = 0;                                                // idle frames since the request
    std::string last_picture_, last_detections_, last_failures_, last_shrunk_;  // file names
};

}  // namespace flipscope::app
