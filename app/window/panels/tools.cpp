// Over the edges of the canvas: editing tools, for labs that support more than moving and flipping, and the buttons
// that open side panels.
#include <algorithm>

#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"

namespace flipscope::app {

namespace {

/// In the order of Tool.
constexpr Icon kToolIcons[] = {Icon::kPointer, Icon::kMove,  Icon::kAdd, Icon::kRemove,
                               Icon::kFreeze,  Icon::kPaint, Icon::kWipe};

}  // namespace

void draw_tools(Ui& ui) {
    ui.layout.tools = {};
    if (!can_use(ui, ui.state.tool)) ui.state.tool = Tool::kLook;  // not usable in this lab
    int usable = 0;
    for (const ToolHelp& each : tool_help()) usable += can_use(ui, each.tool);
    if (!ui.model.loaded || (usable < 2 && !ui.state.locked)) return;
    const Box& canvas = ui.layout.canvas;
    const float pad = ui.em(4);
    const Scoped padding(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    const Scoped spacing(ImGuiStyleVar_ItemSpacing, ImVec2(pad, pad));
    ImGui::SetNextWindowPos({canvas.x + ui.em(8), canvas.y + ui.layout.legend_height + ui.em(8)});
    ImGui::Begin("tools", nullptr, kOverlay);
    for (const ToolHelp& each : tool_help()) {
        if (!can_use(ui, each.tool)) continue;
        const Scoped id(each.name);
        const std::string help = std::string(each.name) + " (" + each.key + ")\n" + each.sentence;
        const float accent = each.tool == ui.state.tool ? 0.6f : 0;
        if (icon_button(ui, "##tool", kToolIcons[static_cast<int>(each.tool)], help, true, accent))
            ui.state.tool = each.tool;
    }
    action_button(ui, "lock", Icon::kLock, ui.state.locked ? 0.6f : 0);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui.layout.tools = {at.x, at.y, size.x, size.y};
    ImGui::End();
}

void draw_side_buttons(Ui& ui) {
    const Layout& layout = ui.layout;
    for (const bool left : {true, false}) {
        if (left ? layout.has_left : layout.has_right) continue;
        const Box& canvas = layout.canvas;
        const float x = left ? canvas.x + ui.em(8) : canvas.x + canvas.width - ui.em(8);
        const Box& tools = layout.tools;
        const float high = ImGui::GetFrameHeight() + ui.em(8), below = left ? tools.y + tools.height + ui.em(8) : 0;
        const float y = std::max(canvas.y + 0.5f * (canvas.height - high), below);
        const ImVec2 inner(left ? x + ui.em(48) : x - ui.em(48), y);  // where an inspector would cut the button
        if (layout.inspector.holds(inner) || layout.detail_view.holds(inner)) continue;
        ImGui::SetNextWindowPos({x, y}, 0, {left ? 0.f : 1.f, 0.f});
        const Scoped padding(ImGuiStyleVar_WindowPadding, ImVec2(ui.em(4), ui.em(4)));
        ImGui::Begin(left ? "open left" : "open right", nullptr, kOverlay);
        action_button(ui, left ? "left-panel" : "right-panel", left ? "Input" : "Numbers");
        ImGui::End();
    }
}

}  // namespace flipscope::app
