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
int two_buttons(Ui& ui, const char* first, const char* second) {
    const float pad = 2 * ImGui::GetStyle().FramePadding.x + ui.em(16);
    const float a = ImGui::CalcTextSize(first).x + pad, b = ImGui::CalcTextSize(second).x + pad;
    ImGui::Spacing();
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetContentRegionMax().x - a - b - ui.em(8)));
    int pressed = 0;
    if (ImGui::Button(first, {a, 0})) pressed = 1;
    ui.layout.dialog_buttons.emplace_back(first, box_of_last());
    ImGui::SameLine(0, ui.em(8));
    if (ImGui::Button(second, {b, 0})) pressed = 2;
    ui.layout.dialog_buttons.emplace_back(second, box_of_last());
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

void draw_shrink_question(Ui& ui) {
    UiState& state = ui.state;
    begin_dialog(ui, "shrinking");
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted("Shrink to the fewest points with which\u2026");
    ImGui::PopTextWrapPos();
    // As high as the choices turned out to be in the last frame, as far as there is room.
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID high_id = ImGui::GetID("height of choices"), rest_id = ImGui::GetID("height of the rest");
    const float shown = std::min(storage.GetFloat(high_id, ui.em(160)),
                                 0.88f * ImGui::GetIO().DisplaySize.y - storage.GetFloat(rest_id, ui.em(160)));
    ImGui::BeginChild("choices", {0, shown});
    const float top = ImGui::GetCursorPosY();
    for (size_t i = 0; i < state.shrink_choices.size(); ++i) {
        const ShrinkChoice& choice = state.shrink_choices[i];
        ImGui::PushID(static_cast<int>(i));
        ImGui::BeginGroup();
        if (ImGui::RadioButton(choice.title.c_str(), state.shrink_choice == i)) state.shrink_choice = i;
        ui.layout.shrink_choices.emplace_back(choice.asked, box_of_last());
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
        ImGui::Indent(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
        ImGui::PushFont(ui.fonts.small);
        quiet_text(ui, capitalised(choice.sentence), true);
        ImGui::PopFont();
        ImGui::Unindent(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
        ImGui::EndGroup();
        if (state.shrink_choice == i && state.wants_shrink_choice && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
        ImGui::PopID();
    }
    state.wants_shrink_choice = false;
    const float high = ImGui::GetCursorPosY() - top + 2;
    ImGui::EndChild();
    storage.SetFloat(high_id, high);
    storage.SetFloat(rest_id, ImGui::GetWindowHeight() - shown);
    ImGui::PushFont(ui.fonts.small);
    quiet_text(
        ui,
        "The lab is run on fewer and fewer points, with the same parameters, in the background. \u2191 \u2193 choose.",
        true);
    ImGui::PopFont();
    const int pressed = two_buttons(ui, "Shrink (Return)", "Back (Esc)");
    end_dialog();
    if (pressed == 1) begin_shrinking(ui);
    if (pressed > 0) state.asks_to_shrink = false;
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
