// A banner over the canvas that offers the edits of a program that ended early; it blocks nothing else.
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"

namespace flipscope::app {

void draw_leftover(Ui& ui) {
    UiState& state = ui.state;
    if (state.leftover.empty() || state.lesson.presenting()) return;
    begin_banner(ui, "leftover", ui.em(460), ui.layout.canvas.y + ui.layout.legend_height + ui.em(12));
    ImGui::TextWrapped("%s", state.leftover.c_str());
    const std::pair<const char*, UiState::Leftover> buttons[] = {{"Restore (Return)", UiState::Leftover::kRestore},
                                                                 {"Discard", UiState::Leftover::kDiscard},
                                                                 {"Later (Esc)", UiState::Leftover::kLater}};
    for (const auto& [text, answer] : buttons) {
        if (answer != UiState::Leftover::kRestore) ImGui::SameLine(0, ui.em(8));
        if (ImGui::Button(text)) state.leftover_answer = answer;
        ui.boxes.add(std::string("dialog/") + text, box_of_last());
    }
    end_banner();
}

}  // namespace flipscope::app
