#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figures/pen.h"
#include "app/window/plot.h"

namespace flipscope::app {

namespace {

constexpr double kPi = std::numbers::pi;

double most_of(const std::vector<double>& counts) { return counts.empty() ? 0 : *std::ranges::max_element(counts); }

/// A rose while it is drawn.
struct Rose {
    ImDrawList& draw;
    ImVec2 middle;
    float radius;  // of the largest count, screen coordinates
    double most;   // that count
    std::vector<Tick> rings;
    size_t sectors;  // in half a turn

    float length(double count) const { return radius * static_cast<float>(std::min(count / most, 1.0)); }
    ImVec2 at(double angle, float distance) const {
        return {middle.x + distance * static_cast<float>(std::cos(angle)),
                middle.y - distance * static_cast<float>(std::sin(angle))};
    }
    /// Start of sector i; i ≥ `sectors`: in the mirrored half.
    double angle_of(size_t i) const { return kPi * static_cast<double>(i) / static_cast<double>(sectors); }

    /// From the end of sector i to its start: clockwise on the screen, as filled shapes require.
    void arc(size_t i, float reach) const {
        const double from = angle_of(i), to = angle_of(i + 1);
        const int pieces = std::clamp(static_cast<int>((to - from) * reach / 3), 1, 32);
        for (int k = pieces; k >= 0; --k) draw.PathLineTo(at(from + (to - from) * k / pieces, reach));
    }
    void fill(const std::vector<double>& counts, const Color& color, size_t strong) const {
        for (size_t i = 0; i < 2 * sectors; ++i) {
            const float reach = length(counts[i % sectors]);
            if (reach < 0.5f) continue;
            draw.PathLineTo(middle);
            arc(i, reach);
            draw.PathFillConvex(packed(color.alpha(i % sectors == strong ? 1.f : 0.85f)));
        }
    }
    /// Arcs and the steps between them, drawn one by one: a single polyline bulges where a step has no height.
    void outline(const std::vector<double>& counts, const Color& color, float width) const {
        for (size_t i = 0; i < 2 * sectors; ++i) {
            const float reach = length(counts[i % sectors]), before = length(counts[(i + sectors - 1) % sectors]);
            if (reach > 0.5f) {
                arc(i, reach);
                draw.PathStroke(packed(color), 0, width);
            }
            if (std::abs(reach - before) > 0.5f)
                draw.AddLine(at(angle_of(i), before), at(angle_of(i), reach), packed(color), width);
        }
    }
};

void draw_rings(const Rose& rose, const PlotStyle& style) {
    const float s = style.scale, line = ImGui::GetTextLineHeight();
    const ImU32 quiet = packed(style.colors.quiet_text);
    for (const Tick& tick : rose.rings)
        rose.draw.AddCircle(rose.middle, rose.length(tick.value), packed(style.colors.grid), 64, s);
    rose.draw.AddLine({rose.middle.x - rose.radius, rose.middle.y}, {rose.middle.x + rose.radius, rose.middle.y},
                      packed(style.colors.grid), s);
    rose.draw.AddLine({rose.middle.x, rose.middle.y - rose.radius}, {rose.middle.x, rose.middle.y + rose.radius},
                      packed(style.colors.grid), s);
    rose.draw.AddText({rose.middle.x + rose.radius + 5 * s, rose.middle.y - 0.5f * line}, quiet, "0°");
    const float wide = ImGui::CalcTextSize("90°").x;
    rose.draw.AddText({rose.middle.x - 0.5f * wide, rose.middle.y - rose.radius - line - s}, quiet, "90°");
}

/// The rings' counts along a line to the lower right, over the sectors.
void draw_ring_texts(const Rose& rose, const PlotStyle& style) {
    const float s = style.scale;
    for (const Tick& tick : rose.rings) {
        const ImVec2 size = ImGui::CalcTextSize(tick.text.c_str());
        const ImVec2 p = rose.at(-0.25 * kPi, rose.length(tick.value));
        const ImVec2 low(std::round(p.x - 0.5f * size.x), std::round(p.y - 0.5f * size.y));
        rose.draw.AddRectFilled({low.x - 2 * s, low.y}, {low.x + size.x + 2 * s, low.y + size.y},
                                packed(style.colors.panel.alpha(0.75f)), 2 * s);
        rose.draw.AddText(low, packed(style.colors.text), tick.text.c_str());
    }
}

}  // namespace

void draw_rose(const char* id, const Distribution& bins, const PlotStyle& style, float height) {
    const float s = style.scale;
    Area area = plot_area(id, height);
    area.width -= 2 * s;
    const size_t count = bins.now.size();
    if (count == 0) return;
    const bool has_before = bins.before.size() == count;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw_bin_names(draw, style, area, bins, has_before);

    ImGui::PushFont(style.fonts.small_numbers);
    const float width = static_cast<float>(area.width) + 2 * s, line = ImGui::GetTextLineHeight();
    const float top = Pen::line(*style.fonts.small) + line + 4 * s;
    const float radius = std::max(10 * s, std::min(0.5f * (height - top) - 2 * s, 0.5f * width - 40 * s));
    const double largest = std::max(most_of(bins.now), has_before ? most_of(bins.before) : 0.0);
    const double most = largest > 0 ? largest : 1;  // the largest bin reaches the rim
    std::vector<Tick> rings = axis_of_amounts(bins, false).ticks(std::max(1, static_cast<int>(radius / (1.5f * line))));
    std::erase_if(rings, [&](const Tick& tick) { return tick.value <= 0 || tick.value > most; });
    const ImVec2 corner = Box::of(area).low();
    const Rose rose{draw, {corner.x + 0.5f * width, corner.y + top + radius}, radius, most, rings, count};
    size_t under_mouse = count;
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const double x = mouse.x - rose.middle.x, y = rose.middle.y - mouse.y;
        double angle = std::atan2(y, x);
        if (angle < 0) angle += kPi;
        if (std::hypot(x, y) <= radius)
            under_mouse = std::min(count - 1, static_cast<size_t>(angle / kPi * static_cast<double>(count)));
    }
    draw_rings(rose, style);
    rose.fill(bins.now, style.first, under_mouse);
    if (has_before) rose.outline(bins.before, style.second, 1.6f * s);
    draw_ring_texts(rose, style);
    ImGui::PopFont();
    if (under_mouse < count) ImGui::SetTooltip("%s", describe_bin(bins, under_mouse).c_str());
}

}  // namespace flipscope::app
