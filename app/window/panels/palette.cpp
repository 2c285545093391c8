// The command palette: finds actions by a few letters, and shows their keys, or the reason why they are disabled.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>  // UTF-8

#include <algorithm>
#include <cmath>

#include "app/base/fuzzy.h"
#include "app/window/actions.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"

namespace flipscope::app {

namespace {

/// Closes the palette, then runs an enabled action.
void run(Ui& ui, const Action& action) {
    if (!action.why_not(ui).empty()) return;
    ui.state.palette.open = false;
    action.run(ui);
}

void erase_last_character(std::string& text) {
    while (!text.empty() && (text.back() & 0xc0) == 0x80) text.pop_back();
    if (!text.empty()) text.pop_back();
}

/// Its help text, and in grey why it is disabled; its group and keys at the right end.
void draw_row(Ui& ui, const Action& action, const Box& box, float keys_wide) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const std::string why = action.why_not(ui);
    const ImU32 quiet = packed(ui.colors.quiet_text);
    const float pad = ui.em(8), y = box.y + 0.5f * (box.height - ImGui::GetTextLineHeight());
    ImGui::PushFont(ui.fonts.small);
    const float small_y = box.y + 0.5f * (box.height - ImGui::GetTextLineHeight());
    const std::string keys = join_words(action.keys, "  ");
    const float right = box.x + box.width - pad;
    draw.AddText({right - ImGui::CalcTextSize(keys.c_str()).x, small_y}, packed(ui.colors.text), keys.c_str());
    const float group = right - keys_wide - ImGui::CalcTextSize(action.group.c_str()).x;
    draw.AddText({group, small_y}, quiet, action.group.c_str());
    ImGui::PopFont();
    const float room = group - box.x - 2 * pad;
    std::string help = capitalised(action.help);
    std::replace(help.begin(), help.end(), '\n', ' ');
    help = elided(help, room);
    draw.AddText({box.x + pad, y}, why.empty() ? packed(ui.colors.text) : quiet, help.c_str());
    if (why.empty()) return;
    const float wide = ImGui::CalcTextSize(help.c_str()).x + ui.em(8);
    const Scoped font(ui.fonts.small);
    if (room - wide > ui.em(40)) draw.AddText({box.x + pad + wide, small_y}, quiet, elided(why, room - wide).c_str());
}

void draw_rows(Ui& ui, const std::vector<Action>& found, float room) {
    UiState::Palette& palette = ui.state.palette;
    const float pitch = ImGui::GetTextLineHeight() + ui.em(8);
    constexpr float kMostRows = 14;
    const float rows = std::clamp(std::floor(room / pitch), 1.f, std::clamp(float(found.size()), 1.f, kMostRows));
    ImGui::PushFont(ui.fonts.small);
    float keys_wide = ui.em(24);
    for (const Action& action : found)
        keys_wide = std::max(keys_wide, ImGui::CalcTextSize(join_words(action.keys, "  ").c_str()).x + ui.em(16));
    ImGui::PopFont();
    const Scoped spacing(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild("rows", {0, rows * pitch}, false, ImGuiWindowFlags_NoNav);
    const float width = ImGui::GetContentRegionAvail().x;
    for (size_t i = 0; i < found.size(); ++i) {
        const Scoped id(i);
        const bool pressed = ImGui::InvisibleButton("row", {std::max(width, 1.f), pitch});
        const Box box = box_of_last();
        if (!ui.state.help_waits && ImGui::IsItemHovered()) palette.chosen = i;
        if (i == palette.chosen && std::exchange(palette.to_view, false) && !ImGui::IsItemVisible())
            ImGui::SetScrollHereY();
        if (i == palette.chosen)
            ImGui::GetWindowDrawList()->AddRectFilled(box.low(), box.high(), packed(ui.colors.accent.alpha(0.25f)),
                                                      ui.em(4));
        if (ImGui::IsItemVisible()) draw_row(ui, found[i], box, keys_wide);
        if (pressed) run(ui, found[i]);
    }
    if (found.empty()) quiet_text(ui, "No action is called that.");
    ImGui::EndChild();
}

}  // namespace

// The table's actions, then those of choices().
std::vector<Action> palette_rows(const Ui& ui) {
    std::vector<Action> all;
    for (const Action& action : actions())
        if (action.run && action.id != "palette") all.push_back(action);
    for (Action& choice : choices(ui)) all.push_back(std::move(choice));
    std::vector<std::string> texts;
    for (const Action& action : all) texts.push_back(action.help);
    std::vector<size_t> ranking = fuzzy_ranking(ui.state.palette.typed, texts);
    // Among equal matches, what opens another run comes last: "vor" shows the diagram, and keeps the points.
    std::ranges::stable_sort(ranking, {}, [&](size_t i) {
        const bool opens = all[i].group == "Labs" || all[i].group == "Points" || all[i].group == "Lessons";
        return std::pair(-fuzzy_score(ui.state.palette.typed, texts[i]), opens);
    });
    std::vector<Action> found;
    for (const size_t i : ranking) found.push_back(std::move(all[i]));
    return found;
}

void open_palette(Ui& ui, const std::string& typed) {
    ui.state.palette = {.open = true, .typed = typed};
    ui.state.recent.wanted = true;
}

void press_in_palette(Ui& ui, const KeyPress& press) {
    UiState::Palette& palette = ui.state.palette;
    const std::vector<Action> found = palette_rows(ui);
    const auto choose = [&](std::ptrdiff_t by) {
        const auto count = static_cast<std::ptrdiff_t>(found.size());
        if (count > 0)
            palette.chosen = static_cast<size_t>((static_cast<std::ptrdiff_t>(palette.chosen) + by + count) % count);
        palette.to_view = true;
    };
    const auto type = [&](auto change) {
        change(palette.typed);
        palette.chosen = 0;
        palette.to_view = true;
    };
    const bool control = press.modifiers & GLFW_MOD_CONTROL;
    if (control && press.key == GLFW_KEY_P) palette.open = false;
    if (press.character != 0)
        return type([&](std::string& text) {
            char letter[5];
            text += ImTextCharToUtf8(letter, press.character);
        });
    switch (press.key) {
        case GLFW_KEY_BACKSPACE:
            return type([&](std::string& text) { control ? text.clear() : erase_last_character(text); });
        case GLFW_KEY_UP:
            return choose(-1);
        case GLFW_KEY_DOWN:
            return choose(1);
        case GLFW_KEY_ESCAPE:
            palette.open = false;
            return;
        case GLFW_KEY_ENTER:
            if (palette.chosen < found.size()) run(ui, found[palette.chosen]);
            return;
        default:
            return;
    }
}

void draw_palette(Ui& ui) {
    UiState::Palette& palette = ui.state.palette;
    const std::vector<Action> found = palette_rows(ui);
    palette.chosen = std::min(palette.chosen, found.empty() ? 0 : found.size() - 1);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float top = std::min(ui.em(40), 0.1f * screen.y);
    ImGui::SetNextWindowPos({0.5f * screen.x, top}, 0, {0.5f, 0});
    ImGui::SetNextWindowSize({std::min(ui.em(700), screen.x - ui.em(24)), 0});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x, screen.y - top});
    ImGui::Begin("palette", nullptr, kSizedOverlay);
    ImGui::SetWindowFocus();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (palette.typed.empty())
        quiet_text(ui, " What to do: a few letters of it");
    else
        ImGui::TextUnformatted(palette.typed.c_str());
    const float caret = palette.typed.empty() ? 0 : ImGui::GetItemRectSize().x, line = ImGui::GetTextLineHeight();
    ImGui::GetWindowDrawList()->AddLine({at.x + caret + 1, at.y}, {at.x + caret + 1, at.y + line},
                                        packed(ui.colors.accent), ui.em(1.5f));
    ImGui::Separator();
    draw_rows(ui, found, 0.8f * screen.y - top - 4 * line - ui.em(24));
    ImGui::Separator();
    const std::string why = found.empty() ? "" : found[palette.chosen].why_not(ui);
    small_text(ui, why.empty() ? "\u2191 \u2193 choose, Return does it, Esc closes." : why, true);
    if (ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) palette.open = false;
    ImGui::End();
}

}  // namespace flipscope::app
