// A banner over the canvas that offers the edits of a program that ended early; it blocks nothing else.
#include <algorithm>

#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"

namespace flipscope::app {

void draw_leftover(Ui& ui) {
    UiState& state = ui.state;
    if (state.leftover.empty() || state.lesson.presenting()) return;
    const Box& canvas = ui.layout.canvas;
    const float width = std::min(ui.em(460), canvas.width - ui.em(20));
    ImGui::SetNextWindowPos({canvas.x + 0.5f * canvas.width, canvas.y + ui.layout.legend_height + ui.em(12)}, 0,
                            {0.5f, 0});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.em(5));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("leftover", nullptr, kOverlay & ~ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::TextWrapped("%s", state.leftover.c_str());
    const std::pair<const char*, UiState::Leftover> buttons[] = {{"Restore (Return)", UiState::Leftover::kRestore},
                                                                 {"Discard", UiState::Leftover::kDiscard},
                                                                 {"Later (Esc)", UiState::Leftover::kLater}};
    for (const auto& [text, answer] : buttons) {
        if (answer != UiState::Leftover::kRestore) ImGui::SameLine(0, ui.em(8));
        if (ImGui::Button(text)) state.leftover_answer = answer;
        ui.boxes.add(std::string("dialog/") + text, box_of_last());
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
}

}  // namespace flipscope::app
