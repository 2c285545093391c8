// The keyboard: one list for the help, one function that does what it says.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

#include "app/window_ui.h"

namespace flipscope::app {

const std::vector<KeyHelp>& key_help() {
    static const std::vector<KeyHelp> keys{
        {"Space", "play or pause", "Time"},
        {"→  ←", "a pass forward, a pass back", "Time"},
        {"Shift →  ←", "a flip pass forward, back", "Time"},
        {"Page ↓  ↑", "a round forward, back", "Time"},
        {"Ctrl →  ←", "the same", "Time"},
        {"Home", "back to the start", "Time"},
        {"End", "run to the end", "Time"},
        {"[  ]", "play slower, faster", "Time"},
        {"R", "start over, with changed parameters", "Time"},
        {"V", "verify: is it Delaunay? exactly", "Time"},
        {"Esc", "cancel, close", "Time"},
        {"drag", "move the picture", "View"},
        {"wheel  +  −", "zoom, about the cursor", "View"},
        {"F", "fit the picture", "View"},
        {"click", "ask what this is", "View"},
        {"P", "save the picture as PNG", "View"},
        {"L", "light or dark", "View"},
        {"1", "input and parameters", "Panels"},
        {"2", "counters, plots, timings", "Panels"},
        {"3", "transport and timeline", "Panels"},
        {"4", "legend", "Panels"},
        {"Tab", "all panels away, or back", "Panels"},
        {"Ctrl +  −  0", "larger, smaller, as the monitor says", "Panels"},
        {"C", "copy the timings as CSV", "Panels"},
        {"?  H  F1", "this list", "Panels"},
    };
    return keys;
}

namespace {

void change_speed(Session& session, double factor) {
    if (session.unlimited && factor < 1) {
        session.unlimited = false;
        session.speed = 500;
        return;
    }
    session.speed = std::clamp(session.speed * factor, 0.5, 1000.0);
    if (session.speed >= 1000) session.unlimited = true;
}

void toggle_all(UiState& state) {
    const bool any = state.show_left || state.show_right || state.show_bottom;
    state.show_left = state.show_right = state.show_bottom = !any;
}

// Where panels share too little room, opening one side closes the other.
void toggle_side(Ui& ui, bool& mine, bool& other, bool visible) {
    mine = !visible;
    if (!has_room_for_all(ui.state, ImGui::GetIO().DisplaySize.x)) other = false;
}

void close_something(Ui& ui) {
    if (ui.state.show_help)
        ui.state.show_help = false;
    else if (ui.session.busy() && !ui.session.progress().title.empty())
        ui.session.cancel();
    else if (ui.model.inspection.any())
        ui.session.close_inspection();
    else
        ui.session.play(false);
}

void handle_character(Ui& ui, unsigned character) {
    Session& session = ui.session;
    UiState& state = ui.state;
    const Box& canvas = ui.layout.canvas;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto zoom = [&](double factor) {
        Point anchor{0, 0};
        if (canvas.holds(mouse))
            anchor = {mouse.x - canvas.x - 0.5 * canvas.width, 0.5 * canvas.height - (mouse.y - canvas.y)};
        const double density = ImGui::GetIO().DisplayFramebufferScale.x;
        state.camera.zoom(factor, {anchor.x * density, anchor.y * density});
        state.fitted = false;
    };
    switch (character) {
        case '?':
        case 'h':
        case 'H':
            state.show_help = !state.show_help;
            break;
        case '+':
        case '=':
            zoom(1.25);
            break;
        case '-':
            zoom(1 / 1.25);
            break;
        case '[':
            change_speed(session, 1 / 1.5);
            break;
        case ']':
            change_speed(session, 1.5);
            break;
        case 'f':
        case 'F':
            state.wants_fit = true;
            break;
        case 'r':
        case 'R':
            session.restart();
            break;
        case 'v':
        case 'V':
            session.verify();
            break;
        case 'p':
        case 'P':
            state.wants_picture = true;
            break;
        case 'l':
        case 'L':
            state.wants_theme = true;
            break;
        case 'c':
        case 'C':
            state.wants_copy = true;
            break;
        case '1':
            toggle_side(ui, state.show_left, state.show_right, ui.layout.has_left);
            break;
        case '2':
            toggle_side(ui, state.show_right, state.show_left, ui.layout.has_right);
            break;
        case '3':
            state.show_bottom = !state.show_bottom;
            break;
        case '4':
            state.show_legend = !state.show_legend;
            break;
        default:
            break;
    }
}

void handle_key(Ui& ui, const KeyPress& press) {
    Session& session = ui.session;
    UiState& state = ui.state;
    const bool control = press.modifiers & GLFW_MOD_CONTROL, shift = press.modifiers & GLFW_MOD_SHIFT;
    const Level span = control ? Level::kRound : shift ? Level::kIteration : Level::kPass;
    // Held down, the arrows go on: but never faster than the passes can run.
    if (press.repeated && !session.idle()) return;
    switch (press.key) {
        case GLFW_KEY_RIGHT:
            return session.step(span);
        case GLFW_KEY_LEFT:
            return session.back(span);
        case GLFW_KEY_PAGE_DOWN:
            return session.step(Level::kRound);
        case GLFW_KEY_PAGE_UP:
            return session.back(Level::kRound);
        default:
            break;
    }
    if (press.repeated) return;
    switch (press.key) {
        case GLFW_KEY_SPACE:
            return session.play(!session.playing());
        case GLFW_KEY_HOME:
            return session.seek(0);
        case GLFW_KEY_END:
            return session.run_to_end();
        case GLFW_KEY_TAB:
            return toggle_all(state);
        default:
            break;
    }
    if (!control) return;
    switch (press.key) {
        case GLFW_KEY_EQUAL:
        case GLFW_KEY_KP_ADD:
            state.wanted_scale = state.scale * 1.125;
            break;
        case GLFW_KEY_MINUS:
        case GLFW_KEY_KP_SUBTRACT:
            state.wanted_scale = state.scale / 1.125;
            break;
        case GLFW_KEY_0:
            state.wanted_scale = -1;
            break;
        default:
            break;
    }
}

}  // namespace

void handle_keys(Ui& ui) {
    const std::vector<KeyPress> keys = std::exchange(ui.state.keys, {});
    const ImGuiIO& io = ImGui::GetIO();
    for (const KeyPress& press : keys) {
        if (press.repeated && io.WantTextInput) continue;
        if (press.key == GLFW_KEY_ESCAPE && !io.WantTextInput) close_something(ui);
        if (press.key == GLFW_KEY_F1) ui.state.show_help = !ui.state.show_help;
        if (!io.WantTextInput) handle_key(ui, press);  // else somebody is writing
    }
    if (io.WantTextInput || io.KeyCtrl) return;
    for (const ImWchar character : io.InputQueueCharacters) handle_character(ui, character);
}

}  // namespace flipscope::app
