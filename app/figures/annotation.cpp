#include "app/figures/annotation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/number_text.h"
#include "app/base/text_lines.h"
#include "app/run/plot_axis.h"
#include "app/view/legend.h"
#include "app/view/looks.h"

namespace flipscope::app {

namespace {

using Element = LegendEntry::Element;

/// Of pixels that are coloured whole, and not marked.
bool fills_pixels(Role role) { return role == Role::kPositive || role == Role::kZero || role == Role::kNegative; }

}  // namespace

float Pen::line(const ImFont& font) { return font.FontSize * ImGui::GetIO().FontGlobalScale; }

ImVec2 Pen::measure(const ImFont& font, const std::string& text, float wrap) {
    const ImVec2 size = font.CalcTextSizeA(line(font), 1e9f, wrap, text.data(), text.data() + text.size());
    return {std::ceil(size.x), size.y};
}

void Pen::write(const ImFont& font, ImVec2 at, const Color& color, const std::string& text, float wrap) const {
    draw.AddText(&font, line(font), {std::round(at.x), std::round(at.y)}, packed(color), text.data(),
                 text.data() + text.size(), wrap);
}

std::string Pen::cut(const ImFont& font, const std::string& text, float width) {
    return cut_text(text, width, [&](const std::string& part) { return double(measure(font, part).x); });
}

std::vector<std::string> Pen::in_lines(const ImFont& font, const std::string& text, float width) {
    return text_in_lines(text, width, [&](const std::string& part) { return double(measure(font, part).x); });
}

void draw_swatch(const Pen& pen, const LegendEntry& entry, ImVec2 at, float width, float line) {
    Style style = pen.colors.style(entry.element, entry.role, entry.number);
    style.color.a *= entry.strength;
    ImDrawList& draw = pen.draw;
    const ImVec2 middle(at.x + 0.5f * width, at.y + 0.5f * line);
    if (entry.role == Role::kCategory) {
        const float half = std::round(0.36f * line);
        draw.AddRectFilled({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, packed(style.color),
                           pen.em(2));
        return;
    }
    switch (entry.element) {
        case Element::kVertex:
            draw.AddCircleFilled(middle, pen.em(4.2f) * style.size, packed(style.color), 24);
            break;
        case Element::kEdge:
            draw.AddLine({at.x + pen.em(1), middle.y}, {at.x + width - pen.em(1), middle.y}, packed(style.color),
                         pen.em(1.9f) * style.size);
            break;
        case Element::kTriangle:
            draw.AddTriangleFilled(
                {middle.x - 0.45f * line, middle.y + 0.4f * line}, {middle.x + 0.45f * line, middle.y + 0.4f * line},
                {middle.x, middle.y - 0.42f * line}, packed(style.color.alpha(std::min(1.f, 2.2f * style.color.a))));
            break;
        case Element::kPixel: {
            const float half = std::round(0.36f * line);
            const ImVec2 low(middle.x - half, middle.y - half), high(middle.x + half, middle.y + half);
            if (entry.role == Role::kObstacle) {
                draw.AddRectFilled(low, high, packed(style.color));
                draw.PushClipRect(low, high, true);
                for (float off = -half; off < 2 * half; off += pen.em(5))
                    draw.AddLine({low.x + off, high.y}, {low.x + off + 2 * half, low.y}, packed(pen.colors.hatching),
                                 pen.em(1.5f));
                draw.PopClipRect();
            } else if (fills_pixels(entry.role)) {
                draw.AddRectFilled(low, high, packed(style.color));
            } else {
                draw.AddRectFilled(low, high, packed(style.color.alpha(0.35f * style.color.a)));
                draw.AddRect(low, high, packed(style.color), 0, 0, pen.em(2));
            }
            break;
        }
    }
}

float draw_legend_lines(const Pen& pen, const std::vector<LegendEntry>& entries, const std::string& vertices, ImVec2 at,
                        float width, bool drawing) {
    if (entries.empty()) return 0;
    const ImFont& font = *pen.fonts.small;
    const float line = Pen::line(font), pitch = line + pen.em(5), mark = pen.em(20), gap = pen.em(5);
    float x = 0, y = 0;
    for (const LegendGroup& group : legend_groups(entries, vertices)) {
        bool first = true;
        for (const LegendEntry& entry : group.entries) {
            const std::string title = first ? Pen::cut(font, group.title, 0.5f * width) : std::string();
            const float title_width = first ? Pen::measure(font, title).x + pen.em(8) : 0;
            const std::string name = Pen::cut(font, entry.name, width - mark - gap - title_width);
            const float entry_width = mark + gap + Pen::measure(font, name).x;
            if (x > 0 && x + title_width + entry_width > width) {
                x = 0;
                y += pitch;
            }
            if (drawing) {
                if (first) pen.write(font, {at.x + x, at.y + y}, pen.colors.quiet_text, title);
                draw_swatch(pen, entry, {at.x + x + title_width, at.y + y}, mark, line);
                pen.write(font, {at.x + x + title_width + mark + gap, at.y + y}, pen.colors.text, name);
            }
            x += title_width + entry_width + pen.em(12);
            first = false;
        }
        x += pen.em(10);
    }
    return y + line;
}

float draw_legend_column(const Pen& pen, const std::vector<LegendEntry>& entries, const std::string& vertices,
                         ImVec2 at, float width, bool drawing) {
    const ImFont& font = *pen.fonts.small;
    const float line = Pen::line(font), pitch = line + pen.em(5), mark = pen.em(20), gap = pen.em(5);
    float y = 0;
    for (const LegendGroup& group : legend_groups(entries, vertices)) {
        bool first = true;
        for (const LegendEntry& entry : group.entries) {
            if (first && y > 0) y += pen.em(6);
            if (first && drawing)
                pen.write(font, {at.x, at.y + y}, pen.colors.quiet_text, Pen::cut(font, group.title, width));
            if (first) y += pitch;
            first = false;
            if (drawing) {
                draw_swatch(pen, entry, {at.x, at.y + y}, mark, line);
                pen.write(font, {at.x + mark + gap, at.y + y}, pen.colors.text,
                          Pen::cut(font, entry.name, width - mark - gap));
            }
            y += pitch;
        }
    }
    return y > 0 ? y - pen.em(5) : 0;
}

float legend_column_width(const Pen& pen, const std::vector<LegendEntry>& entries) {
    float widest = 0;
    for (const LegendEntry& entry : entries)
        widest = std::max(widest, pen.em(25) + Pen::measure(*pen.fonts.small, entry.name).x);
    return widest;
}

float colour_bar_height(const Pen& pen) { return 2 * (Pen::line(*pen.fonts.small) + pen.em(3)) + pen.em(9); }

double ColourBar::value_at(double place) const {
    return logarithmic ? low * std::pow(high / low, place) : low + place * (high - low);
}

void draw_colour_bar(const Pen& pen, const Box& area, const ColourBar& bar) {
    const ImFont& font = *pen.fonts.small;
    const float line = Pen::line(font);
    const bool beside_number = bar.unit == "°" || bar.unit == "%";
    const std::string title = bar.name + (bar.unit.empty() || beside_number ? "" : " (" + bar.unit + ")");
    pen.write(font, area.low(), pen.colors.quiet_text, Pen::cut(font, title, area.width));

    // The outermost numbers stand around the ends of the bar and within the area.
    const Axis axis{bar.low, bar.high, bar.logarithmic, false};
    const int room = std::max(1, static_cast<int>(area.width / pen.em(48)));
    std::vector<Tick> ticks;
    if (bar.low < bar.high) ticks = axis.ticks(room);
    if (ticks.empty()) ticks.push_back({bar.low, value_text(bar.low)});
    float inset = 0;
    for (Tick& tick : ticks) {
        if (beside_number) tick.text += bar.unit;
        inset = std::max(inset, 0.5f * Pen::measure(font, tick.text).x);
    }
    inset = std::min(inset, 0.25f * area.width);
    const float left = std::round(area.x + inset), right = std::round(area.x + area.width - inset);
    const float top = std::round(area.y + line + pen.em(3)), bottom = top + std::round(pen.em(9));
    constexpr int kPieces = 48;
    for (int i = 0; i < kPieces; ++i) {
        const double from = static_cast<double>(i) / kPieces, to = static_cast<double>(i + 1) / kPieces;
        const auto x_of = [&](double t) { return left + static_cast<float>(t) * (right - left); };
        const ImU32 a = packed(bar.colour_of(bar.value_at(from))), b = packed(bar.colour_of(bar.value_at(to)));
        pen.draw.AddRectFilledMultiColor({x_of(from), top}, {x_of(to), bottom}, a, b, b, a);
    }
    // The lowest and the highest colour may be that of the ground.
    pen.draw.AddRect({left - 0.5f, top - 0.5f}, {right + 0.5f, bottom + 0.5f}, packed(pen.colors.panel_edge));
    float free_from = area.x - pen.em(4);
    for (const Tick& tick : ticks) {
        const auto place = static_cast<float>(bar.low < bar.high ? std::clamp(axis.place(tick.value), 0.0, 1.0) : 0.5);
        const float x = std::round(left + place * (right - left)), wide = Pen::measure(font, tick.text).x;
        pen.draw.AddLine({x, bottom}, {x, bottom + pen.em(2)}, packed(pen.colors.quiet_text), pen.em(1));
        if (x - 0.5f * wide < free_from) continue;
        pen.write(font, {x - 0.5f * wide, bottom + pen.em(3)}, pen.colors.quiet_text, tick.text);
        free_from = x + 0.5f * wide + pen.em(4);
    }
}

ColourBar bar_of(const ColourScale& scale, const Palette& colors) {
    return {scale.low,
            scale.high,
            scale.name,
            scale.unit,
            [&colors, scale](double value) { return colors.scale(scale.kind, scale.place(value)); },
            scale.logarithmic && 0 < scale.low && scale.low < scale.high};
}

std::vector<ColourBar> colour_bars(const Scene& scene, const Look& look, const Palette& colors) {
    std::vector<ColourBar> bars;
    if (shows_angles(look, scene))
        bars.push_back({0, 60, "minimum angle of each triangle", "°",
                        [&colors](double degrees) { return colors.angle(degrees); }});
    for (const ColourScale& scale : shown_scales(look, scene)) bars.push_back(bar_of(scale, colors));
    return bars;
}

}  // namespace flipscope::app
