#include "app/window/window.h"

#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "app/base/endings.h"
#include "app/base/signals.h"
#include "app/gl/gl_context.h"
#include "app/view/display.h"
#include "app/window/actions.h"
#include "app/window/panels/panels.h"
#include "app/window/window_main.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "geometry/generators.h"
#include "instruments/intensity_layer.h"
#include "io/files.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

std::string glfw_words() {
    const char* words = nullptr;
    glfwGetError(&words);
    return words ? words : "no reason given";
}

/// Xlib ends the program with its own status when the X server is gone; its handler cannot return.
int on_lost_display(void*) {
    end_at_once(
        "the display is lost: the X server ended or closed the connection, and the window with it. Open it again, or "
        "run without one: flipscope run … --picture out.png",
        kFailed);
}

/// A function of Xlib; nullptr if GLFW does not use Xlib.
template <class Function>
Function of_xlib(const char* name) {
    void* const xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!xlib) return nullptr;
    const auto function = reinterpret_cast<Function>(dlsym(xlib, name));
    dlclose(xlib);
    return function;
}

void end_with_the_display() {
    using Handler = int (*)(void* display);
    if (const auto set = of_xlib<Handler (*)(Handler)>("XSetIOErrorHandler")) set(on_lost_display);
}

constexpr const char* kWithoutWindow = "Without a window, flipscope run … --picture out.png draws the same";

constexpr const char* kInSoftware = "LIBGL_ALWAYS_SOFTWARE=1 flipscope opens a window that the CPU draws, on WSL too. ";

double now_s() { return glfwGetTime(); }

/// If OpenGL 4.5 is unavailable, a sentence about the available version. Empty: none.
std::string older_opengl() {
    // Making an indirect context current may still fail; Xlib would then end the program.
    using Handler = int (*)(void* display, void* error);
    if (const auto set = of_xlib<Handler (*)(Handler)>("XSetErrorHandler")) set([](void*, void*) { return 0; });
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    GLFWwindow* const window = glfwCreateWindow(64, 64, "", nullptr, nullptr);
    if (!window) return "No version of OpenGL was found. ";
    glfwMakeContextCurrent(window);
    const auto text = reinterpret_cast<PFNGLGETSTRINGPROC>(glfwGetProcAddress("glGetString"));
    const auto* const version = text ? reinterpret_cast<const char*>(text(GL_VERSION)) : nullptr;
    const auto* const driver = text ? reinterpret_cast<const char*>(text(GL_RENDERER)) : nullptr;
    std::string found;
    if (version) {
        found = std::string("This display offers OpenGL ") + printable(version);
        if (driver) found += " (" + std::string(printable(driver)) + ")";
        found += ". ";
    }
    glfwDestroyWindow(window);
    return found;
}

/// Environment variables that choose the OpenGL implementation and may break it.
constexpr const char* kOpenGlVariables[] = {"LIBGL_ALWAYS_INDIRECT",       "MESA_GL_VERSION_OVERRIDE",
                                            "MESA_LOADER_DRIVER_OVERRIDE", "GALLIUM_DRIVER",
                                            "__GLX_VENDOR_LIBRARY_NAME",   "LIBGL_DRIVERS_PATH"};

/// "LIBGL_ALWAYS_INDIRECT=1 is set, which …: unset it (…). " Empty: none of them is set.
std::string variables_to_unset() {
    std::vector<std::string> set;
    std::string names;
    for (const char* name : kOpenGlVariables)
        if (const char* const value = std::getenv(name); value && *value) {
            set.push_back(std::string(name) + "=" + printable(value));
            names += std::string(" ") + name;
        }
    if (set.empty()) return "";
    return join_words(set, " and ") + (set.size() == 1 ? " is" : " are") +
           " set, which may keep OpenGL 4.5 from the program: unset " + (set.size() == 1 ? "it" : "them") + " (unset" +
           names + ") and try again. ";
}

}  // namespace

struct Window::Gl {
    Gl() {
        if (!glfwInit()) throw std::runtime_error("no window can be opened: " + glfw_words() + ". " + kWithoutWindow);
        end_with_the_display();
    }
    ~Gl() { glfwTerminate(); }
};

Window::Window(WindowOptions options) : gl_(std::make_unique<Gl>()) {
    try {
        open(options);
        session_ = std::make_unique<Session>(options, [] { glfwPostEmptyEvent(); });
        canvas_ = std::make_unique<CanvasView>();
        if (options.control_stdin) control_ = std::make_unique<ControlLines>([] { glfwPostEmptyEvent(); });
        first_input(options);
        session_->selection().colour_by(options.run.scenario().colour_by);
        session_->selection().study(options.run.scenario().within, options.run.area());
        show_spatial(options.run.scenario().spatial);
        show_data(options.run.scenario().data);
        apply_preferences(options);
        for (const std::string& sentence : options.warnings) session_->say(Message::Kind::kWarning, sentence);
        for (std::string& sentence : journal_.take_up()) session_->say(Message::Kind::kWarning, std::move(sentence));
    } catch (const std::bad_alloc&) {
        end_out_of_memory();
    }
}

Window::~Window() {
    close_preferences();
    presenter_.reset();
    control_.reset();
    canvas_.reset();
    state_.structure.reset();
    session_.reset();
    if (started_imgui_) {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
    }
    if (window_) glfwDestroyWindow(window_);
}

void Window::open(const WindowOptions& options) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    window_ =
        glfwCreateWindow(std::max(options.width, 320), std::max(options.height, 240), "Flipscope", nullptr, nullptr);
    if (!window_) {
        const std::string why = glfw_words();
        throw std::runtime_error("no window with OpenGL 4.5 can be opened: " + why + ". " + older_opengl() +
                                 variables_to_unset() + kInSoftware + kWithoutWindow);
    }
    glfwSetWindowSizeLimits(window_, 480, 360, GLFW_DONT_CARE, GLFW_DONT_CARE);
    measure_monitor();
    if (!options.is_sized && options.remembered.width == 0) grow_to_monitor();
    place_window(options);
    glfwMakeContextCurrent(window_);
    load_gl(reinterpret_cast<void (*(*)(const char*))()>(glfwGetProcAddress));
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window_, this);
    glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
        Window* const self = with_input(window);
        if (count == 1) self->state_.file = paths[0];
        self->session_->opener().load_files({paths, paths + count});
    });

    glfwSetWindowCloseCallback(window_, [](GLFWwindow* window) {
        Window* const self = with_input(window);
        if (self->session_ && !self->session_->undo().may_close()) glfwSetWindowShouldClose(window, GLFW_FALSE);
    });

    // Before Dear ImGui's own callback, which chains to this one.
    glfwSetKeyCallback(window_, on_key);

    glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int) {
        Window* const self = with_input(window);
        if (button <= GLFW_MOUSE_BUTTON_MIDDLE && action == GLFW_PRESS) self->state_.pressed_at = self->state_.mouse_at;
        if (button != GLFW_MOUSE_BUTTON_LEFT) return;
        self->state_.pressed = action == GLFW_PRESS;
        if (action == GLFW_PRESS) self->state_.path = {self->state_.mouse_at};
    });
    // In the order of events: queried now, the pointer may be far from the place of the press.
    glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double x, double y) {
        Window* const self = with_input(window);
        self->state_.mouse_at = {static_cast<float>(x), static_cast<float>(y)};
        self->state_.help_waits = false;
        if (self->state_.pressed) self->state_.path.push_back(self->state_.mouse_at);
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double) { with_input(window); });
    glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned character) {
        Window* const self = with_input(window);
        self->state_.keys.push_back({GLFW_KEY_UNKNOWN, 0, self->key_repeats_, character});
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { with_input(window); });
    const auto frame_changed = [](GLFWwindow* window, int, int) {
        auto* self = static_cast<Window*>(glfwGetWindowUserPointer(window));
        self->frame_changed_ = true;
        self->frame_changed_at_ = self->seconds();
    };
    glfwSetWindowPosCallback(window_, frame_changed);
    glfwSetFramebufferSizeCallback(window_, frame_changed);
    glfwSetWindowSizeCallback(window_, [](GLFWwindow* window, int, int) { with_input(window); });

    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    started_imgui_ = true;
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().ConfigWindowsMoveFromTitleBarOnly = true;
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init("#version 450 core");

    state_.light = options.light;
    state_.display = options.run.scenario().display;
    rescale(options.run.scenario().presenter_scale > 0 ? options.run.scenario().presenter_scale
            : options.remembered.scale > 0             ? options.remembered.scale
                                                       : state_.usual_scale);
}

void Window::on_key(GLFWwindow* window, int key, int, int action, int modifiers) {
    Window* const self = with_input(window);
    self->key_repeats_ = action == GLFW_REPEAT;
    if (action != GLFW_RELEASE) self->state_.keys.push_back({key, modifiers, self->key_repeats_});
}

/// Opens, draws or closes the presenter's window.
void Window::follow_presenter() {
    if (presenter_ && presenter_->closed()) state_.presenter = false;
    state_.presenter &= state_.lesson.presents();
    if (!state_.presenter) return presenter_.reset();
    try {
        if (!presenter_) presenter_ = std::make_unique<PresenterWindow>(window_, on_key, state_.light, state_.scale);
        presenter_->draw(state_.lesson.player());
    } catch (const Error& error) {
        session_->say(Message::Kind::kError, error.what());
        state_.presenter = false;
    }
}

void Window::measure_monitor() {
    int width = 0, height = 0, pixels_x = 0, pixels_y = 0;
    glfwGetWindowSize(window_, &width, &height);
    glfwGetFramebufferSize(window_, &pixels_x, &pixels_y);
    density_ = width > 0 ? static_cast<float>(pixels_x) / static_cast<float>(width) : 1.f;
    float content_x = 1, content_y = 1;
    glfwGetWindowContentScale(window_, &content_x, &content_y);
    state_.usual_scale = std::clamp(content_x / density_, 0.5f, 4.f);
}

/// Enlarges a window of the default size when text is larger, so that the content stays the same, within the monitor.
void Window::grow_to_monitor() {
    if (state_.usual_scale <= 1) return;
    int width = 0, height = 0, x = 0, y = 0, most_wide = 0, most_high = 0;
    glfwGetWindowSize(window_, &width, &height);
    if (GLFWmonitor* const monitor = glfwGetPrimaryMonitor())
        glfwGetMonitorWorkarea(monitor, &x, &y, &most_wide, &most_high);
    const auto grown = [&](int size, int most) {
        const int wanted = static_cast<int>(std::lround(static_cast<float>(size) * state_.usual_scale));
        return most > 0 ? std::max(std::min(wanted, most), std::min(size, most)) : wanted;
    };
    glfwSetWindowSize(window_, grown(width, most_wide), grown(height, most_high));
}

void Window::first_input(const WindowOptions& options) {
    state_.draft.seed = options.run.input().seed;
    lesson_to_open_ = options.lesson;
    show_in_form(options.run.input().text);
}

/// Fills the form for points and the file field from the current input.
void Window::show_in_form(const std::string& source) {
    try {
        state_.draft = parse_generator(source);
    } catch (const Error&) {
        std::error_code ignored;
        if (std::filesystem::exists(io::user_path(source), ignored)) state_.file = source;
        return;
    }
    state_.generator_options = options_text(state_.draft);
    state_.draft.options.clear();
}

/// Applies the window's part of an opened scenario.
void Window::show_opened_scenario() {
    const auto scenario = session_->opener().take_opened_scenario();
    if (!scenario) return;
    if (scenario->places.count("show") + scenario->places.count("hide") > 0) state_.display = scenario->display;
    if (scenario->presenter_scale > 0) state_.wanted_scale = scenario->presenter_scale;
    show_spatial(scenario->spatial);
    show_data(scenario->data);
}

void Window::show_spatial(const std::optional<SpatialRequest>& spatial) {
    if (!spatial) return;
    session_->selection().measure_spatial(std::make_shared<SpatialRequest>(*spatial));
    if (!spatial->functions.empty()) state_.curve = name_of(spatial->functions.front());
    state_.wanted_section = "Curves";
}

void Window::show_data(const DataView& data) {
    if (data == DataView{}) return;
    state_.data = data;
    if (!data.curve.empty()) state_.curve = data.curve;
    ExplorationChoice choice = session_->selection().exploration();
    choice.style = data.style;
    choice.size_by = data.size_by;
    session_->selection().explore(std::move(choice));
}

/// A malformed lesson leaves the open one unchanged.
void Window::play_opened_lesson(Ui& ui) {
    std::optional<std::string> file = session_->opener().take_opened_lesson();
    if (!file && !lesson_to_open_.empty() && session_->model().loaded) file = std::exchange(lesson_to_open_, {});
    if (!file) return;
    try {
        state_.lesson.open(ui, io::user_path(*file));
        note_opened(*file);
    } catch (const Error& error) {
        session_->say(Message::Kind::kError, error.what());
    }
}

void Window::toggle_full_screen() {
    if (glfwGetWindowMonitor(window_)) {
        glfwSetWindowMonitor(window_, nullptr, windowed_[0], windowed_[1], windowed_[2], windowed_[3], 0);
        return;
    }
    glfwGetWindowPos(window_, &windowed_[0], &windowed_[1]);
    glfwGetWindowSize(window_, &windowed_[2], &windowed_[3]);
    // The monitor under the middle of the window.
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    GLFWmonitor* chosen = glfwGetPrimaryMonitor();
    const int x = windowed_[0] + windowed_[2] / 2, y = windowed_[1] + windowed_[3] / 2;
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* const mode = glfwGetVideoMode(monitors[i]);
        if (mode && x >= left && y >= top && x < left + mode->width && y < top + mode->height) chosen = monitors[i];
    }
    const GLFWvidmode* const mode = chosen ? glfwGetVideoMode(chosen) : nullptr;
    if (!mode) return session_->say(Message::Kind::kNote, "There is no monitor that the window could fill.");
    glfwSetWindowMonitor(window_, chosen, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::rescale(double wanted) {
    state_.scale = static_cast<float>(std::clamp(wanted, 0.5, 4.0));
    apply_theme(state_.light, state_.scale);
    fonts_ = load_fonts(state_.scale, density_);
    state_.opened_left = state_.opened_right = false;
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

double Window::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - opened_).count();
}

Ui Window::make_ui() {
    return {*session_,
            session_->model(),
            state_,
            parts_,
            palette(state_.light),
            fonts_,
            state_.scale,
            seconds(),
            session_->idle() ? 0 : frame_rate_,
            layout_};
}

// While nothing is animating, sleeps until a key, the mouse or the worker wakes it.
void Window::wait_for_events() {
    if (!session_->idle() || redraw_frames_ > 0) {
        glfwPollEvents();
        if (redraw_frames_ > 0) --redraw_frames_;
        return;
    }
    const double begin = now_s(), nap = idle_limit_s();
    if (nap > 0)
        glfwWaitEventsTimeout(nap);
    else
        glfwPollEvents();
    if (now_s() - begin < 0.98 * nap) redraw_frames_ = 3;  // after an event Dear ImGui needs a frame or two to settle
}

// Seconds until the next frame is due without an event: for the finer picture, or for time-dependent content.
double Window::idle_limit_s() const {
    constexpr double kLongest = 0.5;
    return std::clamp(std::min(drawn_at_ + kLongest, canvas_->finer_at()) - seconds(), 0.0, kLongest);
}

int Window::run() {
    const Interrupt interrupt;  // the first Ctrl-C closes the window as quitting does; the second ends the program
    double before = now_s();
    while (!glfwWindowShouldClose(window_)) {
        throw_if_cancelled();
        const bool was_idle = session_->idle(), was_still = was_idle && redraw_frames_ == 0;
        wait_for_events();
        const double now = now_s();
        // Playback does not catch up on time slept.
        const double elapsed = was_idle ? 0 : std::min(now - before, 0.5);
        before = now;
        count_frame(!was_idle);
        if (control_) {
            for (std::string& line : control_->take()) unanswered_.push_back(std::move(line));
            if (!unanswered_.empty()) {
                // The answer must include keys and mouse from before the request: querying the pointer from the display
                // waits until all earlier events have arrived.
                double x = 0, y = 0;
                glfwGetCursorPos(window_, &x, &y);
                glfwPollEvents();
            }
            const bool has_requests = !unanswered_.empty();
            bool only_status = true;
            // In order. The state hash may take the worker a while; the window goes on meanwhile.
            while (!unanswered_.empty() && (unanswered_.front() != "status" || session_->request_state_hash())) {
                only_status = only_status && unanswered_.front() == "status";
                answer(unanswered_.front());
                unanswered_.pop_front();
            }
            // A status request changes nothing; a key that arrived with it requests frames itself.
            if (was_still && has_requests && unanswered_.empty() && only_status && session_->idle() &&
                input_frames_ == 0) {
                redraw_frames_ = 0;
                if (idle_limit_s() > 0) continue;
            }
        }
        drawn_at_ = seconds();
        frame(elapsed);
        ++frames_;
        if (session_->undo().closes()) glfwSetWindowShouldClose(window_, GLFW_TRUE);
    }
    journal_.forget();
    return 0;
}

void Window::follow_journal() {
    using Answer = UiState::Leftover;
    const Answer answer = std::exchange(state_.leftover_answer, Answer::kNone);
    if (answer == Answer::kRestore) journal_.restore(*session_);
    if (answer == Answer::kDiscard) journal_.discard();
    if (answer == Answer::kLater) journal_.postpone();
    if (answer != Answer::kNone) redraw_frames_ = 3;
    journal_.follow(*session_, seconds());
    state_.leftover = journal_.offer();
}

// The effects of a key or the mouse are shown within three frames; until then the picture has not settled.
Window* Window::with_input(GLFWwindow* window) {
    auto* const self = static_cast<Window*>(glfwGetWindowUserPointer(window));
    self->redraw_frames_ = self->input_frames_ = 3;
    return self;
}

void Window::count_frame(bool animating) {
    const double now = seconds(), span = now - rate_from_;
    if (!animating) {
        rate_from_ = now;
        rate_frames_ = 0;
        return;
    }
    ++rate_frames_;
    if (span < 0.5) return;
    frame_rate_ = static_cast<double>(rate_frames_) / span;
    rate_from_ = now;
    rate_frames_ = 0;
}

void Window::frame(double elapsed_s) {
    const double t0 = now_s();
    if (!session_->idle()) redraw_frames_ = 3;  // its results must be shown
    session_->patience_ms = parts_.draw.last_ms + parts_.panels.last_ms + parts_.present.last_ms;
    session_->frame(elapsed_s);
    show_opened_scenario();
    const uint64_t inspected = session_->model().inspected;
    state_.inspects_another = std::exchange(state_.inspected, inspected) != inspected;
    follow_journal();
    follow_preferences();
    const double t1 = now_s();

    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    const std::vector<int> tapped = hold_tapped_keys();
    // An open list receives the arrow keys; elsewhere they are commands.
    ImGuiIO& io = ImGui::GetIO();
    state_.chooses = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    if (state_.chooses) {
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
        // Return chooses, too; Dear ImGui only uses the space bar.
        for (const ImGuiKey key : {ImGuiKey_Enter, ImGuiKey_KeyPadEnter})
            if (ImGui::IsKeyDown(ImGui::GetKeyIndex(key))) io.NavInputs[ImGuiNavInput_Activate] = 1;
    } else {
        io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    }
    ImGui::NewFrame();
    ImGui::PushFont(fonts_.body);
    Ui ui = make_ui();
    play_opened_lesson(ui);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const Layout before = layout_;
    const TransportHeight full = transport_height(ui, size.x, false), compact = transport_height(ui, size.x, true);
    Room room{size.x, size.y, full.steady, compact.steady};
    room.bottom_more = full.more;
    room.compact_bottom_more = compact.more;
    if (ui.model.inspection.any())
        room.aside = state_.inspector_height > 0 ? state_.inspector_height : ui.em(240);
    else if (ui.model.detail_view.any())
        room.aside = ui.em(280);
    if (state_.show_legend) {
        room.legend = legend_strip(ui, 2);
        room.legend_line = legend_strip(ui, 1);
    }
    room.halved = shows_kept(*session_, state_);
    room.import = import_height(ui);
    layout_ = lay_out(state_, room);
    state_.lesson.place(ui, layout_);
    if (room.halved) share_canvas(layout_, ui.scale, ImGui::GetIO().DisplayFramebufferScale.x);
    // Results of the last frame, which the mouse and the camera use.
    layout_.legend_height = state_.show_legend || room.halved ? before.legend_height : 0;
    layout_.detail_view = before.detail_view;
    layout_.inspector = before.inspector;
    layout_.inspector_controls = before.inspector_controls;
    layout_.inspector_scrolls = before.inspector_scrolls;
    ui.layout = layout_;
    handle_keys(ui);
    if (!state_.wanted_section.empty()) open_numbers(ui, std::exchange(state_.wanted_section, {}));
    if (std::exchange(state_.recent.wanted, false)) read_recent();
    canvas_->handle_mouse(ui);
    state_.lesson.frame(ui, *canvas_);
    ExplorationChoice explored = session_->selection().exploration();
    explored.marks_disclinations = state_.display.shows(Exploration::kDisclinationsLayer, false);
    explored.structures = structures_of(state_.display);
    explored.shows_data = state_.display.shows(Exploration::kDataLayer, false);
    explored.shows_intensity = state_.display.shows(IntensityLayer::kName, false);
    session_->selection().explore(std::move(explored));
    if (!state_.data.select.empty() && session_->model().explorable && !session_->busy())
        session_->selection().select(parse_selection(std::exchange(state_.data.select, {}), "select: "));
    session_->selection().follow_motion(moves(ui));
    session_->selection().lift(paraboloid_choice(state_.display));
    const double t2 = now_s();
    bool drew = canvas_->update(ui);
    if (state_.lesson.fly(ui, *canvas_)) drew |= canvas_->update(ui);
    if (state_.lesson.is_animating()) redraw_frames_ = 3;
    const double t3 = now_s();

    canvas_->show(ui);
    const float import_before = state_.import.height;
    draw_import(ui);
    // Panels keep their order: the one drawn first is in front, so that the transport may grow over the others.
    if (layout_.has_bottom) draw_transport_panel(ui);
    if (layout_.has_left) draw_input_panel(ui);
    if (layout_.has_right) state_.lesson.writing ? draw_lesson_panel(ui) : draw_numbers_panel(ui);
    ui.layout.legend_height = 0;
    if (state_.show_legend) draw_legend(ui);
    draw_captions(ui);
    const float inspector_height = state_.inspector_height;
    if (!state_.lesson.presenting()) {
        draw_tools(ui);
        draw_side_buttons(ui);
    }
    draw_inspector(ui);
    const bool settles = drew || state_.lesson.is_animating() || layout_.legend_height != ui.layout.legend_height ||
                         inspector_height != state_.inspector_height || import_before != state_.import.height ||
                         input_frames_ > 0;
    if (settles) redraw_frames_ = std::max(redraw_frames_, 1);
    settled_ = !settles && canvas_->settled();
    if (input_frames_ > 0) --input_frames_;
    draw_detail_view(ui);
    state_.lesson.draw(ui);
    draw_emptiness(ui);
    draw_leftover(ui);
    draw_busy(ui);
    if (state_.show_help) draw_help(ui);
    if (state_.find_open) draw_find_field(ui);
    if (state_.saving) draw_saving(ui);
    if (state_.figure.open) draw_figure_dialog(ui);
    if (state_.palette.open) draw_palette(ui);
    if (state_.shrink_question) draw_shrink_question(ui);
    draw_question(ui);
    layout_ = ui.layout;
    boxes_ = std::move(ui.boxes);
    session_->watch_timings(layout_.shows_timings);
    if (const auto copied = session_->selection().take_copied()) ImGui::SetClipboardText(copied->c_str());
    ImGui::PopFont();
    ImGui::Render();
    release_keys(tapped);
    const double t4 = now_s();
    present();
    follow_presenter();
    execute_requests();
    const double t5 = now_s();
    parts_.step.add(1e3 * (t1 - t0));
    parts_.draw.add(1e3 * (t3 - t2));
    parts_.panels.add(1e3 * (t2 - t1 + t4 - t3));
    parts_.present.add(1e3 * (t5 - t4));
    parts_.whole.add(1e3 * (t5 - t0));
}

void Window::present() {
    redraw();
    glfwSwapBuffers(window_);
}

// Dear ImGui 1.86 samples keys once a frame and would miss a key pressed and released in between, such as Return in a
// text field. Hold such keys for this frame.
std::vector<int> Window::hold_tapped_keys() {
    ImGuiIO& io = ImGui::GetIO();
    std::vector<int> tapped;
    for (const KeyPress& press : state_.keys) {
        if (press.key < 0 || io.KeysDown[press.key]) continue;
        io.KeysDown[press.key] = true;
        io.KeyCtrl |= (press.modifiers & GLFW_MOD_CONTROL) != 0;
        io.KeyShift |= (press.modifiers & GLFW_MOD_SHIFT) != 0;
        tapped.push_back(press.key);
    }
    return tapped;
}

void Window::release_keys(const std::vector<int>& tapped) {
    if (tapped.empty()) return;
    ImGuiIO& io = ImGui::GetIO();
    for (int key : tapped) io.KeysDown[key] = false;
    io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
    io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
}

void Window::redraw() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    const Color& back = palette(state_.light).panel;
    glClearColor(back.r, back.g, back.b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

// After the frame, when fonts and style are not in use.
void Window::execute_requests() {
    const std::vector<UiState::Request> requests = std::exchange(state_.requests, {});
    if (!requests.empty() || state_.wanted_scale != 0) {
        redraw_frames_ = 3;
        settled_ = false;  // the next frame shows the result
    }
    if (const double wanted = std::exchange(state_.wanted_scale, 0); wanted != 0) {
        const float before = state_.scale;
        rescale(wanted < 0 ? state_.usual_scale : wanted);
        if (state_.scale == before)
            session_->reply(Message::Kind::kNote, wanted < 0 ? "The text is as large as the monitor says already."
                                                  : wanted > before ? "The text is as large as it can be already."
                                                                    : "The text is as small as it can be already.");
    }
    for (const UiState::Request request : requests) execute(request);
    advance_figure();
}

void Window::execute(UiState::Request request) {
    using Request = UiState::Request;
    switch (request) {
        case Request::kTheme:
            state_.light = !state_.light;
            return apply_theme(state_.light, state_.scale);
        case Request::kFullScreen:
            return toggle_full_screen();
        case Request::kPicture:
            return save_picture();
        case Request::kDetections:
            return save_detections();
        case Request::kFailures:
            return save_failures();
        case Request::kShrunk:
            return save_shrunk();
        case Request::kSave:
            return save_as();
        case Request::kCopyTimings:
            ImGui::SetClipboardText(timings_csv(make_ui()).c_str());
            session_->say(Message::Kind::kGood, "the timings are on the clipboard as CSV");
            return;
        case Request::kCopyPython:
            session_->selection().copy_text(view_as(true, {}), "The clipboard has a Python script of this picture.");
    }
}

int run_window(WindowOptions options) {
    // Report a missing display, OpenGL 4.5 or device as a user error.
    const auto window = as_user_error([&] { return std::make_unique<Window>(std::move(options)); });
    try {
        return window->run();
    } catch (const std::bad_alloc&) {
        end_out_of_memory();
    }
}

}  // namespace flipscope::app
