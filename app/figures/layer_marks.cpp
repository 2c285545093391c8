#include "app/figures/layer_marks.h"

#include <algorithm>
#include <cmath>

#include "app/base/number_text.h"
#include "app/figures/annotation.h"
#include "app/run/plot_axis.h"

namespace flipscope::app {

namespace {

constexpr int kPatches = 64;  // of one colour each

}  // namespace

float colour_bar_height(const ImFont& font, float scale) { return 2 * Pen::line(font) + 33 * scale; }

void draw_colour_bar(ImDrawList& draw, const ImFont& font, const Palette& colors, float scale, const Box& area,
                     const std::string& name, const std::string& unit, const std::vector<BarTick>& ticks,
                     const std::function<Color(double)>& colour_at) {
    const float pad = 9 * scale, line = Pen::line(font), height = 9 * scale;
    const auto write = [&](float x, float y, const std::string& text, const Color& color) {
        draw.AddText(&font, line, {std::round(x), std::round(y)}, packed(color), text.c_str());
    };
    draw.AddRectFilled(area.low(), area.high(), packed(colors.canvas.alpha(0.85f)), 4 * scale);
    draw.PushClipRect(area.low(), area.high(), true);
    const float left = area.x + 1.3f * pad, wide = area.width - 2.6f * pad, top = area.y + pad + line + 3 * scale;
    const std::string title = unit.empty() ? name : name + " (" + unit + ")";
    write(left, area.y + pad - 2 * scale, title, colors.text);
    for (int i = 0; i < kPatches; ++i) {
        const float from = left + wide * static_cast<float>(i) / kPatches;
        const float to = left + wide * static_cast<float>(i + 1) / kPatches;
        draw.AddRectFilled({from, top}, {to, top + height}, packed(colour_at((i + 0.5) / kPatches)));
    }
    float free_from = area.x + 0.3f * pad;
    for (const BarTick& tick : ticks) {
        const std::string text = value_text(tick.value);
        const float width = Pen::measure(font, text).x;
        const float x = left + static_cast<float>(tick.place) * wide;
        const float at = std::clamp(x - 0.5f * width, area.x + 0.3f * pad,
                                    std::max(area.x + 0.3f * pad, area.x + area.width - 0.3f * pad - width));
        if (at < free_from) continue;
        draw.AddLine({x, top + height}, {x, top + height + 3 * scale}, packed(colors.quiet_text), scale);
        write(at, top + height + 4 * scale, text, colors.quiet_text);
        free_from = at + width + 4 * scale;
    }
    draw.PopClipRect();
}

void draw_colour_bar(ImDrawList& draw, const ImFont& font, const Palette& colors, float scale, const Box& area,
                     const ColourScale& of) {
    std::vector<BarTick> ticks;
    if (of.logarithmic && 0 < of.low && of.low < of.high) {
        const int room = std::max(2, static_cast<int>(area.width / (40 * scale)));
        for (const Tick& tick : Axis{of.low, of.high, true, false}.ticks(room))
            ticks.push_back({of.place(tick.value), tick.value});
    } else {
        for (const double place : {0.0, 0.5, 1.0}) ticks.push_back({place, of.low + place * (of.high - of.low)});
    }
    draw_colour_bar(draw, font, colors, scale, area, of.name, of.unit, ticks,
                    [&](double place) { return colors.scale(of.kind, place); });
}

void draw_layer_labels(ImDrawList& draw, const ImFont& font, const Palette& colors,
                       const std::vector<PlacedLabel>& labels, ImVec2 corner, float pixel) {
    for (const PlacedLabel& label : labels) {
        // Cut off where its view ends: beside it is another one, or the legend.
        const ImVec2 low(corner.x + label.view_low_x * pixel, corner.y + label.view_low_y * pixel);
        const ImVec2 high(corner.x + label.view_high_x * pixel, corner.y + label.view_high_y * pixel);
        const ImVec2 size = Pen::measure(font, *label.text);
        const float pad = 0.25f * Pen::line(font), middle = corner.x + static_cast<float>(label.x) * pixel;
        // Beside the place rather than cut, as long as the place itself is seen.
        const float least = low.x + pad, most = high.x - pad - size.x;
        const bool seen = middle > low.x && middle < high.x && least < most;
        const float left = middle - 0.5f * size.x;
        const ImVec2 at(std::round(seen ? std::clamp(left, least, most) : left),
                        std::round(corner.y + static_cast<float>(label.y) * pixel - 0.5f * size.y));
        draw.PushClipRect(low, high, true);
        draw.AddRectFilled({at.x - pad, at.y - 0.3f * pad}, {at.x + size.x + pad, at.y + size.y + 0.3f * pad},
                           packed(colors.canvas.alpha(0.75f)), pad);
        const Color color = label.role == Role::kPlain ? colors.text : colors.role(label.role);
        draw.AddText(&font, Pen::line(font), at, packed(color), label.text->c_str());
        draw.PopClipRect();
    }
}

}  // namespace flipscope::app
