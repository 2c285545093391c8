#include "app/window/plot_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flipscope::app {

namespace {

bool shown(double y, bool logarithmic) { return std::isfinite(y) && (!logarithmic || y > 0); }

/// The axes that span all curves.
struct Axes {
    Axis x, y;
    Axes(const std::vector<DrawnCurve>& curves, bool logarithmic) {
        const double none = std::numeric_limits<double>::infinity();
        double low = none, high = -none, least = none, most = -none;
        for (const DrawnCurve& drawn : curves) {
            const Curve& curve = *drawn.curve;
            for (size_t i = 0; i < curve.x.size(); ++i) {
                low = std::min(low, curve.x[i]), high = std::max(high, curve.x[i]);
                if (shown(curve.y[i], logarithmic))
                    least = std::min(least, curve.y[i]), most = std::max(most, curve.y[i]);
            }
            if (curve.low < curve.high) low = std::min(low, curve.low), high = std::max(high, curve.high);
        }
        x = low < high ? Axis{low, high, false, false} : Axis::of_values(low, high, false);
        y = Axis::of_values(least, most, logarithmic);
    }
};

}  // namespace

void draw_curves(const char* id, const std::vector<DrawnCurve>& curves, const PlotStyle& style, float height) {
    const float s = style.scale, width = ImGui::GetContentRegionAvail().x;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(id, {std::max(width, 1.f), height});
    if (curves.empty()) return;
    const bool hovered = ImGui::IsItemHovered(), logarithmic = style.logarithmic && has_logarithm(curves);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 quiet = packed(style.colors.quiet_text);
    const Axes axes(curves, logarithmic);

    ImGui::PushFont(style.fonts.small);
    const float name_line = ImGui::GetTextLineHeight();
    draw.AddText(origin, quiet, cut_to_fit(curves[0].curve->y_name, width - 2 * s).c_str());
    const std::string x_name = cut_to_fit(curves[0].curve->x_name, width - 2 * s);
    draw.AddText({origin.x + width - 2 * s - ImGui::CalcTextSize(x_name.c_str()).x, origin.y + height - name_line},
                 quiet, x_name.c_str());
    ImGui::PopFont();

    ImGui::PushFont(style.fonts.small_numbers);
    const float line = ImGui::GetTextLineHeight();
    const float y0 = origin.y + height - line - name_line - 4 * s, y1 = origin.y + name_line + 0.5f * line + 2 * s;
    const std::vector<Tick> ticks = axes.y.ticks(std::max(2, static_cast<int>((y0 - y1) / (1.7f * line))));
    float label_width = 0;
    for (const Tick& tick : ticks) label_width = std::max(label_width, ImGui::CalcTextSize(tick.text.c_str()).x);
    const float x0 = origin.x + label_width + 6 * s, x1 = std::max(x0 + 1, origin.x + width - 2 * s);
    const auto x_of = [&](double x) { return x0 + static_cast<float>(axes.x.place(x)) * (x1 - x0); };
    const auto y_of = [&](double y) { return y0 - static_cast<float>(axes.y.place(y)) * (y0 - y1); };
    for (const Tick& tick : ticks) {
        const float y = std::round(y_of(tick.value));
        draw.AddLine({x0, y}, {x1, y}, packed(style.colors.grid), 1);
        draw.AddText({x0 - 6 * s - ImGui::CalcTextSize(tick.text.c_str()).x, y - 0.5f * line}, quiet,
                     tick.text.c_str());
    }
    draw.AddLine({x0, y0}, {x1, y0}, quiet, 1);
    float free_from = x0 - 8 * s;
    for (const Tick& tick : axes.x.ticks(std::max(2, static_cast<int>((x1 - x0) / (46 * s))))) {
        const float at = x_of(tick.value), wide = ImGui::CalcTextSize(tick.text.c_str()).x;
        const float left = std::max(x0 - 6 * s, std::min(at - 0.5f * wide, x1 - wide));
        draw.AddLine({at, y0}, {at, y0 + 3 * s}, quiet, 1);
        if (left < free_from) continue;
        draw.AddText({left, y0 + 4 * s}, quiet, tick.text.c_str());
        free_from = left + wide + 8 * s;
    }
    ImGui::PopFont();

    for (size_t k = curves.size(); k-- > 0;) {
        const Curve& curve = *curves[k].curve;
        const float pen = (k == 0 ? 2.4f : 1.5f) * s;
        bool down = false;
        for (size_t i = 0; i < curve.x.size(); ++i) {
            const bool here = shown(curve.y[i], logarithmic);
            if (here && down)
                draw.AddLine({x_of(curve.x[i - 1]), y_of(curve.y[i - 1])}, {x_of(curve.x[i]), y_of(curve.y[i])},
                             packed(curves[k].color), pen);
            else if (here)
                draw.AddCircleFilled({x_of(curve.x[i]), y_of(curve.y[i])}, 0.5f * pen, packed(curves[k].color), 8);
            down = here;
        }
    }
    ImGui::PushFont(style.fonts.small);
    for (const DrawnCurve& drawn : curves) {
        if (drawn.label.empty()) continue;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float middle = at.y + 0.5f * ImGui::GetTextLineHeight();
        draw.AddLine({at.x + 2 * s, middle}, {at.x + 20 * s, middle}, packed(drawn.color), 2.4f * s);
        ImGui::Dummy({20 * s, ImGui::GetTextLineHeight()});
        ImGui::SameLine(0, 8 * s);
        ImGui::TextUnformatted(cut_to_fit(drawn.label, width - 30 * s).c_str());
    }
    ImGui::PopFont();
    const float mouse = ImGui::GetIO().MousePos.x;
    if (!hovered || mouse < x0 || mouse > x1) return;
    const double at = axes.x.low + static_cast<double>((mouse - x0) / (x1 - x0)) * (axes.x.high - axes.x.low);
    draw.AddLine({mouse, y0}, {mouse, y1}, packed(style.colors.quiet_text.alpha(0.5f)), s);
    ImGui::SetTooltip("%s", describe_curves(curves, at).c_str());
}

}  // namespace flipscope::app
