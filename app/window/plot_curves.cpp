#include "app/window/plot_curves.h"

#include "app/figures/pen.h"

namespace flipscope::app {

void draw_curves(const char* id, const std::vector<DrawnCurve>& curves, const PlotStyle& style, float height) {
    ListDrawing drawing(*ImGui::GetWindowDrawList(), *style.fonts.small);
    const Ink ink = drawing.ink(style.colors);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const auto legend = static_cast<float>(curve_legend_height(ink, curves));
    ImGui::InvisibleButton(id, {std::max(width, 1.f), height + legend});
    if (curves.empty()) return;
    const Area area{origin.x, origin.y, width - 2 * style.scale, height + legend};
    const auto [box, x_axis, y_axis] = draw_curves(ink, area, curves, style.logarithmic && has_logarithm(curves));
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsItemHovered() || mouse.x < box.x || mouse.x > box.right() || mouse.y > origin.y + height) return;
    drawing.stroke({mouse.x, box.y}, {mouse.x, box.bottom()}, style.colors.quiet_text.alpha(0.5f), style.scale);
    const double at = x_axis.low + (mouse.x - box.x) / box.width * (x_axis.high - x_axis.low);
    ImGui::SetTooltip("%s", describe_curves(curves, at).c_str());
}

}  // namespace flipscope::app
