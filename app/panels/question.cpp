// What lies over the window until it is answered: a question before edits are left behind, and the name to save to.
#include <algorithm>
#include <cfloat>
#include <string>
#include <utility>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

namespace {

/// In the middle of the window, whose rest is dimmed and takes no clicks.
void begin_dialog(const Ui& ui, const char* name) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_imgui(ui.colors.panel.alpha(0.6f)));
    ImGui::Begin((std::string(name) + " behind").c_str(), nullptr, kOverlay & ~ImGuiWindowFlags_AlwaysAutoResize);
    if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();  // over all panels
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::SetNextWindowPos({0.5f * screen.x, 0.45f * screen.y}, 0, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(ui.em(440), screen.x - ui.em(20)), 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.em(6));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.em(18), ui.em(14)});
    ImGui::Begin(name, nullptr, kOverlay & ~ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::SetWindowFocus();
}

void end_dialog() {
    ImGui::End();
    ImGui::PopStyleVar(3);
}

/// Side by side at the right end; 1: the first was pressed, 2: the second.
int two_buttons(const Ui& ui, const char* first, const char* second) {
    const float pad = 2 * ImGui::GetStyle().FramePadding.x + ui.em(16);
    const float a = ImGui::CalcTextSize(first).x + pad, b = ImGui::CalcTextSize(second).x + pad;
    ImGui::Spacing();
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetContentRegionMax().x - a - b - ui.em(8)));
    int pressed = 0;
    if (ImGui::Button(first, {a, 0})) pressed = 1;
    ImGui::SameLine(0, ui.em(8));
    if (ImGui::Button(second, {b, 0})) pressed = 2;
    return pressed;
}

}  // namespace

void draw_question(Ui& ui) {
    const Session::Question* question = ui.session.question();
    if (!question) return;
    begin_dialog(ui, "question");
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(question->text.c_str());
    ImGui::PopTextWrapPos();
    const int pressed = two_buttons(ui, (question->yes + " (Return)").c_str(), "Stay (Esc)");
    end_dialog();
    if (pressed > 0) ui.session.answer(pressed == 1);
}

void draw_saving(Ui& ui) {
    UiState& state = ui.state;
    begin_dialog(ui, "saving");
    ImGui::TextUnformatted("Save as");
    if (std::exchange(state.wants_name_field, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered = ImGui::InputText("##name", &state.save_as,
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    quiet_text(ui,
               std::string("The ending says what: .png the picture") +
                   (ui.model.info.makes_triangles ? "; .ply, .obj, .off and others the points and triangles" : "") +
                   "; .csv and .npy a table or an array whose name the file has, as --export takes them.",
               true);
    const int pressed = two_buttons(ui, "Save (Return)", "Back (Esc)");
    end_dialog();
    if ((entered || pressed == 1) && !state.save_as.empty()) state.wants_saved = true;
    if (entered || pressed > 0) state.saving = false;
}

}  // namespace flipscope::app
