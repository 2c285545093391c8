#include "app/figures/page.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <stdexcept>

#include "app/figures/picture.h"
#include "app/gl/gl_context.h"

namespace flipscope::app {

struct Page::Text {
    ImGuiContext* before = ImGui::GetCurrentContext();
    ImGuiContext* context = nullptr;
    Fonts fonts;
    bool started = false;

    Text(int width, int height, bool light, float scale) {
        IMGUI_CHECKVERSION();
        context = ImGui::CreateContext();
        ImGui::SetCurrentContext(context);
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = io.LogFilename = nullptr;
        io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
        apply_theme(light, scale);
        fonts = load_fonts(scale, 1);
        started = ImGui_ImplOpenGL3_Init("#version 450 core");
        if (!started) {
            end();
            throw std::runtime_error(
                "no text can be drawn into a picture: OpenGL's functions are not found. Install libGL.so.1 (Debian: "
                "apt "
                "install libgl1), or do without a legend");
        }
        ImGui_ImplOpenGL3_NewFrame();
        ImGui::NewFrame();
    }
    ~Text() { end(); }
    void end() {
        ImGui::SetCurrentContext(context);
        if (started) ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext(context);
        ImGui::SetCurrentContext(before);
    }
};

Page::Page(int width, int height, bool light, float scale) : colors_(palette(light)), scale_(scale) {
    require_room_for(width, height);
    const DriverGuard guard;
    canvas_.resize(width, height);
    const float ground[] = {colors_.canvas.r, colors_.canvas.g, colors_.canvas.b, 1};
    glDisable(GL_SCISSOR_TEST);
    glClearNamedFramebufferfv(canvas_.framebuffer(), GL_COLOR, 0, ground);
    text_ = std::make_unique<Text>(width, height, light, scale);
}

Page::~Page() = default;

Pen Page::pen() const { return {*ImGui::GetBackgroundDrawList(), colors_, text_->fonts, scale_}; }

void Page::place(const Canvas& picture, const PixelBox& part, int x, int y) {
    const int bottom = canvas_.height() - y - part.height;  // OpenGL counts from below
    glDisable(GL_SCISSOR_TEST);
    glBlitNamedFramebuffer(picture.framebuffer(), canvas_.framebuffer(), part.x, part.y, part.x + part.width,
                           part.y + part.height, x, bottom, x + part.width, bottom + part.height, GL_COLOR_BUFFER_BIT,
                           GL_NEAREST);
}

std::vector<unsigned char> Page::pixels() {
    const DriverGuard guard;
    ImGui::Render();
    glBindFramebuffer(GL_FRAMEBUFFER, canvas_.framebuffer());
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return canvas_.pixels();
}

}  // namespace flipscope::app
