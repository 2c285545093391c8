// Keyboard: finds the action of a key press, and handles keys while a dialog is open.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>  // to close an open list

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/window/actions.h"
#include "app/window/panels/panels.h"
#include "app/window/ui.h"

namespace flipscope::app {

namespace {

constexpr std::pair<int, const char*> kNamedKeys[] = {
    {GLFW_KEY_RIGHT, "→"},   {GLFW_KEY_LEFT, "←"},         {GLFW_KEY_UP, "↑"},
    {GLFW_KEY_DOWN, "↓"},    {GLFW_KEY_PAGE_UP, "Page ↑"}, {GLFW_KEY_PAGE_DOWN, "Page ↓"},
    {GLFW_KEY_HOME, "Home"}, {GLFW_KEY_END, "End"},        {GLFW_KEY_SPACE, "Space"},
    {GLFW_KEY_TAB, "Tab"},   {GLFW_KEY_ESCAPE, "Esc"},     {GLFW_KEY_DELETE, "Delete"},
    {GLFW_KEY_F1, "F1"},     {GLFW_KEY_F5, "F5"},          {GLFW_KEY_F11, "F11"}};

/// The key's letter in the current keyboard layout, which may exchange Y and Z; 0: not a letter.
char letter_of(int key) {
    const char* name = glfwGetKeyName(key, 0);
    return name && name[0] && !name[1] ? static_cast<char>(std::toupper(static_cast<unsigned char>(name[0]))) : '\0';
}

/// A sign as actions name it; + also stands for =, its key without Shift.
std::string name_of_sign(char sign) { return sign == '=' ? "+" : sign == '-' ? "−" : std::string(1, sign); }

/// The key as actions name it: "Ctrl+Shift+S", "→", "F". Empty: not a key of an action. Letters and signs without Ctrl
/// and Alt arrive as characters.
std::string name_of(const KeyPress& press) {
    if (press.character != 0) {
        if (press.character > 126) return "";
        return name_of_sign(static_cast<char>(std::toupper(static_cast<int>(press.character))));
    }
    const bool control = press.modifiers & GLFW_MOD_CONTROL, alt = press.modifiers & GLFW_MOD_ALT;
    const std::string with = std::string(control ? "Ctrl+" : "") + (alt ? "Alt+" : "");
    const std::string shift = press.modifiers & GLFW_MOD_SHIFT ? "Shift+" : "";
    for (const auto& [key, name] : kNamedKeys)
        if (press.key == key) return with + shift + name;
    if (with.empty()) return "";
    if (press.key == GLFW_KEY_EQUAL || press.key == GLFW_KEY_KP_ADD) return with + "+";
    if (press.key == GLFW_KEY_MINUS || press.key == GLFW_KEY_KP_SUBTRACT) return with + "−";
    if (press.key >= GLFW_KEY_0 && press.key <= GLFW_KEY_9) return with + static_cast<char>(press.key);
    const char letter = letter_of(press.key);
    return letter ? with + shift + letter : "";
}

/// While a lesson plays, plain arrows act as the Page keys of a clicker, and Shift+arrows step.
std::string name_in_lesson(const std::string& name) {
    for (const auto& [key, meant] : {std::pair("→", "Page ↓"), {"←", "Page ↑"}, {"Shift+→", "→"}, {"Shift+←", "←"}})
        if (name == key) return meant;
    return name;
}

void run_action_of(Ui& ui, const std::string& name, bool repeated) {
    const Action* chosen = nullptr;
    for (const Action& action : actions()) {
        if (!action.run || std::ranges::find(action.keys, name) == action.keys.end()) continue;
        if (!chosen || action.why_not(ui).empty()) chosen = &action;
    }
    if (!chosen) return;
    if (repeated &&
        (chosen->held == Action::Held::kOnce || (chosen->held == Action::Held::kRepeatsAtRest && !ui.session.idle())))
        return;
    run_or_refuse(ui, *chosen);
}

/// While a question is open, keys only answer it.
void answer_question(Ui& ui, int key) {
    if (key == GLFW_KEY_ESCAPE) ui.session.undo().answer(false);
    if (key == GLFW_KEY_ENTER) ui.session.undo().answer(true);
}

void answer_shrink_question(Ui& ui, int key) {
    UiState& state = ui.state;
    const size_t count = state.shrink_choices.size();
    if (key == GLFW_KEY_ESCAPE) state.shrink_question = false;
    if (key == GLFW_KEY_ENTER) begin_shrinking(ui);
    if (key != GLFW_KEY_DOWN && key != GLFW_KEY_UP) return;
    state.shrink_choice = (state.shrink_choice + (key == GLFW_KEY_DOWN ? 1 : count - 1)) % count;
    state.shrink_choice_requested = true;
}

/// Return saves; Alt and a letter reach everything except text fields.
void press_in_figure(UiState& state, const KeyPress& press) {
    FigureDialog& dialog = state.figure;
    if (press.key == GLFW_KEY_ESCAPE) {
        if (dialog.drawing)
            dialog.cancel_requested = true;
        else
            dialog.open = false;
        return;
    }
    if (dialog.drawing) return;
    if (press.key == GLFW_KEY_ENTER) dialog.save_requested = true;
    if (!(press.modifiers & GLFW_MOD_ALT)) return;
    using What = FigureDialog::What;
    if (press.key == GLFW_KEY_F) {
        set_format(dialog,
                   dialog.what == What::kPlotsCsv ? What::kPng : static_cast<What>(static_cast<int>(dialog.what) + 1));
        ImGui::ClearActiveID();  // an active field keeps its own copy of the name
        state.focus = UiState::Field::kFigureName;
    }
    for (const FigurePart& part : kFigureParts)
        if (press.key == part.key) dialog.parts.*part.shown = !(dialog.parts.*part.shown);
    for (const auto& [key, on] :
         {std::pair(GLFW_KEY_G, &dialog.parts.transparent), {GLFW_KEY_W, &dialog.whole}, {GLFW_KEY_K, &dialog.kept}})
        if (press.key == key) *on = !*on;
}

constexpr ImGuiPopupFlags kAnyPopup = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;

/// Without an open dialog.
void press_in_window(Ui& ui, const KeyPress& press) {
    UiState& state = ui.state;
    const bool writes = ImGui::GetIO().WantTextInput, escape = press.key == GLFW_KEY_ESCAPE;
    if (press.repeated && writes) return;
    if (state.chooses) {  // an open list receives all keys
        if (escape && ImGui::IsPopupOpen("", kAnyPopup)) ImGui::ClosePopupToLevel(0, true);
        return;
    }
    if (escape && state.find_open) {
        state.find_open = false;
        state.find_answer.clear();
        return;
    }
    if (press_in_import(ui, press)) return;
    const std::string name = name_of(press);
    const bool works_in_fields = name == "Ctrl+P" || (press.key >= GLFW_KEY_F1 && press.key <= GLFW_KEY_F25);
    if (writes && !works_in_fields) return;
    if (!state.leftover.empty() && (escape || press.key == GLFW_KEY_ENTER)) {
        state.leftover_answer = escape ? UiState::Leftover::kLater : UiState::Leftover::kRestore;
        return;
    }
    if (state.drawn_ring && press.key == GLFW_KEY_ENTER) return close_drawn_ring(ui);
    if (!name.empty()) run_action_of(ui, state.lesson.presenting() ? name_in_lesson(name) : name, press.repeated);
}

}  // namespace

void handle_keys(Ui& ui) {
    UiState& state = ui.state;
    const std::vector<KeyPress> keys = std::exchange(state.keys, {});
    if (!keys.empty()) state.help_waits = true;
    for (KeyPress press : keys) {
        if (press.key == GLFW_KEY_KP_ENTER) press.key = GLFW_KEY_ENTER;
        if (ui.session.undo().question())
            answer_question(ui, press.key);
        else if (state.saving)
            state.saving = press.key != GLFW_KEY_ESCAPE;
        else if (state.figure.open)
            press_in_figure(state, press);
        else if (state.palette.open)
            press_in_palette(ui, press);
        else if (state.shrink_question)
            answer_shrink_question(ui, press.key);
        else
            press_in_window(ui, press);
    }
}

}  // namespace flipscope::app
