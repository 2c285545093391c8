// The field that finds elements by id, name or place, at the top of the picture; and where links of reports lead.
#include <algorithm>
#include <cfloat>
#include <memory>
#include <utility>

#include "app/asked_selection.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/runs.h"
#include "compute/error.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

void follow(Ui& ui, const Link& link) {
    if (link.element.id != kNone) {
        ui.state.wants_shown = ui.session.look_up([element = link.element](const Lab&) { return element; });
        ui.state.shows_close = false;
        ui.state.shown_merged.reset();
    } else if (link.position) {
        ui.session.seek(*link.position);
    } else if (!link.lab.empty()) {
        ui.session.open_lab(link.lab, link.parameters);
    }
}

void open_finding(Ui& ui) {
    ui.state.finding = ui.state.wants_find_field = true;
    ui.state.find_note.clear();
}

void find_typed(Ui& ui) {
    UiState& state = ui.state;
    try {
        constexpr std::string_view kSelectWord = "select ";
        if (state.find_text.starts_with(kSelectWord)) {
            ui.session.select(parse_selection(state.find_text.substr(kSelectWord.size()), "select: "));
            state.finding = false;
            return;
        }
        const AskedElement asked = parse_typed_element(state.find_text);
        state.shown_merged = std::make_shared<std::string>();
        state.wants_shown =
            ui.session.look_up([asked, input = ui.session.input(), merged = state.shown_merged](const Lab& lab) {
                return find_element(asked, lab, lab.scene(), input.get(), "", merged.get());
            });
        state.shows_close = true;
        state.finding = false;
    } catch (const Error& error) {
        state.find_note = error.what();
        state.wants_find_field = true;
    }
}

void draw_finding(Ui& ui) {
    UiState& state = ui.state;
    const Box& canvas = ui.layout.canvas;
    const float wide = std::min(ui.em(380), canvas.width - ui.em(20));
    ImGui::SetNextWindowPos({canvas.x + 0.5f * canvas.width, canvas.y + ui.layout.legend_height + ui.em(10)}, 0,
                            {0.5f, 0});
    ImGui::SetNextWindowSize({wide, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.em(5));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("finding", nullptr, kOverlay & ~ImGuiWindowFlags_AlwaysAutoResize);
    if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Find");
    ImGui::SameLine();
    if (std::exchange(state.wants_find_field, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered = ImGui::InputText("##find", &state.find_text,
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    const bool named = ui.session.input() && !ui.session.input()->names.empty();
    ImGui::PushFont(ui.fonts.small);
    if (state.find_note.empty())
        quiet_text(ui,
                   "edge:417, triangle:88, point:5 (or 5)" + std::string(named ? ", a name" : "") +
                       ", a place as 12.5, 3; or select vertex:3,40..60, species=oak. Return goes there, Esc closes.",
                   true);
    else
        quiet_text(ui, state.find_note, true);
    ImGui::PopFont();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui.layout.find_box = {at.x, at.y, size.x, size.y};
    ImGui::End();
    ImGui::PopStyleVar(2);
    if (entered) find_typed(ui);
}

}  // namespace flipscope::app
