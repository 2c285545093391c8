#include "app/window/presenter_window.h"

#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <optional>
#include <string>

#include "app/base/child_process.h"
#include "app/images/png.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

/// Moves the window to a monitor on which the first one does not begin.
void leave_monitor_of(GLFWwindow* first, GLFWwindow* window) {
    int count = 0, at[2], place[4];
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    glfwGetWindowPos(first, &at[0], &at[1]);
    for (int i = 0; i < count; ++i) {
        glfwGetMonitorWorkarea(monitors[i], &place[0], &place[1], &place[2], &place[3]);
        const bool inside =
            at[0] >= place[0] && at[1] >= place[1] && at[0] < place[0] + place[2] && at[1] < place[1] + place[3];
        if (!inside) return glfwSetWindowPos(window, place[0] + 40, place[1] + 60);
    }
}

}  // namespace

/// While it lives, this window's contexts are current.
class PresenterWindow::Current {
  public:
    explicit Current(const PresenterWindow& of) : before_(ImGui::GetCurrentContext()), first_(of.first_) {
        glfwMakeContextCurrent(of.window_);
        ImGui::SetCurrentContext(of.context_);
    }
    ~Current() {
        ImGui::SetCurrentContext(before_);
        glfwMakeContextCurrent(first_);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

  private:
    ImGuiContext* before_;
    GLFWwindow* first_;
};

/// Another process of the program draws the steps of the lesson's file, while this one presents.
struct PresenterWindow::Pictures {
    std::filesystem::path lesson;
    ScratchFolder folder;
    ChildProcess process;
    GLuint texture = 0;
    std::optional<size_t> step;  // in the texture
    int width = 0, height = 0;

    Pictures(const std::filesystem::path& file, bool light)
        : lesson(file),
          process({"/proc/self/exe", "run", std::filesystem::absolute(file).string(), "--sequence",
                   folder.path() / "%d.png", "--frame-rate", "0", "--size", "480x300", "--device", "cpu",
                   light ? "--light" : "--quiet"},
                  folder.path(), folder.path() / "said") {}
    ~Pictures() { glDeleteTextures(1, &texture); }

    /// Loads the picture of this step if it is drawn.
    void load(size_t wanted) {
        const std::filesystem::path file = folder.path() / (std::to_string(wanted) + ".png");
        if (step == wanted || !std::filesystem::exists(file)) return;
        const std::vector<unsigned char> rgba = read_png(file, width, height);
        glDeleteTextures(1, &texture);
        glCreateTextures(GL_TEXTURE_2D, 1, &texture);
        glTextureStorage2D(texture, 1, GL_RGBA8, width, height);
        glTextureSubImage2D(texture, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
        step = wanted;
    }
};

PresenterWindow::PresenterWindow(GLFWwindow* first, OnKey on_key, bool light, float scale)
    : first_(first), light_(light) {
    glfwWindowHint(GLFW_VISIBLE, GLFW_TRUE);
    window_ = glfwCreateWindow(900, 600, "Flipscope: presenter", nullptr, nullptr);
    if (!window_) throw Error("the presenter's window cannot be opened");
    leave_monitor_of(first, window_);
    glfwSetWindowUserPointer(window_, glfwGetWindowUserPointer(first));
    glfwSetKeyCallback(window_, on_key);
    context_ = ImGui::CreateContext();
    const Current current(*this);
    glfwSwapInterval(0);  // the first window keeps the pace
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(window_, false);
    ImGui_ImplOpenGL3_Init("#version 450 core");
    apply_theme(light_, scale);
    fonts_ = load_fonts(scale, 1);
}

PresenterWindow::~PresenterWindow() {
    {
        const Current current(*this);
        pictures_.reset();
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
    }
    ImGui::DestroyContext(context_);
    glfwDestroyWindow(window_);
}

bool PresenterWindow::closed() const { return glfwWindowShouldClose(window_); }

void PresenterWindow::draw(const LessonPlayer& player) {
    const Current current(*this);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushFont(fonts_.body);
    ImGui::Begin("presenter", nullptr, ImGuiWindowFlags_NoDecoration);
    say(player);
    show_picture(player, player.index() + 1);
    ImGui::End();
    ImGui::PopFont();
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glViewport(0, 0, width, height);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window_);
}

/// A lesson that is being written is drawn as its file was when it was first shown.
void PresenterWindow::show_picture(const LessonPlayer& player, size_t step) {
    if (step >= player.lesson().steps.size() || !std::filesystem::exists(player.file())) return;
    if (!pictures_ || pictures_->lesson != player.file()) pictures_ = std::make_unique<Pictures>(player.file(), light_);
    pictures_->load(step);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (pictures_->step != step || room.x < 80 || room.y < 80) return;
    const float part =
        std::min(room.x / static_cast<float>(pictures_->width), room.y / static_cast<float>(pictures_->height));
    ImGui::Image(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(pictures_->texture)),
                 {part * static_cast<float>(pictures_->width), part * static_cast<float>(pictures_->height)});
}

void PresenterWindow::say(const LessonPlayer& player) const {
    const Palette& colors = palette(light_);
    const auto words = [&](const char* before, const std::string& text, const Color& color, ImFont* font) {
        if (text.empty()) return;
        ImGui::PushFont(font);
        ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(color));
        ImGui::TextWrapped("%s%s", before, text.c_str());
        ImGui::PopStyleColor();
        ImGui::PopFont();
        ImGui::Spacing();
    };
    const Lesson& lesson = player.lesson();
    const LessonStep& step = player.step();
    const size_t next = player.index() + 1;
    words("",
          clock_text(player.elapsed_s()) + "   " + std::to_string(next) + " / " + std::to_string(lesson.steps.size()),
          colors.quiet_text, fonts_.caption);
    words("", step.why, colors.accent, fonts_.caption);
    words("", step.caption, colors.text, fonts_.caption);
    if (step.question) {
        words("", step.question->ask, colors.warning, fonts_.caption);
        words("", step.question->answer, colors.success, fonts_.caption);
    }
    words("Notes: ", step.notes, colors.text, fonts_.caption);
    ImGui::Separator();
    if (next == lesson.steps.size()) return words("", "This is the last step.", colors.quiet_text, fonts_.body);
    const LessonStep& after = lesson.steps[next];
    words("Next: ", after.why.empty() ? after.caption : after.why + "\n" + after.caption, colors.quiet_text,
          fonts_.body);
    if (after.question) words("It asks: ", after.question->ask, colors.quiet_text, fonts_.body);
}

}  // namespace flipscope::app
