// A second window for the lecturer, on another monitor where there is one: the words of the step, its answer and notes,
// the next step with its picture, and the time. The class does not see it. Its keys are those of the first window.
#pragma once

#include <memory>

#include "app/figures/theme.h"
#include "app/session/lesson_player.h"

struct GLFWwindow;
struct ImGuiContext;

namespace flipscope::app {

class PresenterWindow {
  public:
    /// Its key events go to `on_key`, with the first window's user pointer. Throws Error if no window can be opened.
    using OnKey = void (*)(GLFWwindow*, int key, int scancode, int action, int modifiers);
    PresenterWindow(GLFWwindow* first, OnKey on_key, bool light, float scale);
    ~PresenterWindow();
    PresenterWindow(const PresenterWindow&) = delete;
    PresenterWindow& operator=(const PresenterWindow&) = delete;

    /// The user has closed it.
    bool closed() const;
    /// Draws it; the contexts of OpenGL and Dear ImGui are then those of the first window again.
    void draw(const LessonPlayer& player);

  private:
    class Current;
    struct Pictures;
    void say(const LessonPlayer& player) const;
    void show_picture(const LessonPlayer& player, size_t step);

    GLFWwindow *first_, *window_ = nullptr;
    ImGuiContext* context_ = nullptr;
    bool light_;
    Fonts fonts_;
    std::unique_ptr<Pictures> pictures_;  // of the lesson's steps
};

}  // namespace flipscope::app
