// Distributions as plots: bars over an axis, or a rose of directions.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "app/figures/pen.h"
#include "app/window/plot.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

double sum_of(const std::vector<double>& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

std::string amount_text(double amount) {
    return amount == std::floor(amount) ? number_text(amount) : value_text(amount);
}

std::string share_text(double count, double all) {
    std::string text = amount_text(count);
    if (all > 0) text += " (" + number_text(100 * count / all, 1) + " %)";
    return text;
}

/// The outline of the bins as separate rectangles: a polyline bulges where a step has no height.
void draw_outline(ImDrawList& draw, const std::vector<double>& counts, float foot,
                  const std::function<float(size_t)>& x_of, const std::function<float(double)>& y_of, ImU32 color,
                  float width) {
    const float half = 0.5f * width;
    float before = foot;
    for (size_t i = 0; i <= counts.size(); ++i) {
        const float x = x_of(i), y = i < counts.size() && counts[i] > 0 ? y_of(counts[i]) : foot;
        if (y != before)
            draw.AddRectFilled({x - half, std::min(y, before) - half}, {x + half, std::max(y, before)}, color);
        if (y != foot) draw.AddRectFilled({x - half, y - half}, {x_of(i + 1) + half, y + half}, color);
        before = y;
    }
}

/// The axis of the bins' counts, from zero; whole ticks if all counts are whole.
Axis axis_of_amounts(const Distribution& bins, bool logarithmic) {
    double most = 0, least = INFINITY;  // least: of the positive ones
    bool whole = true;
    for (const auto* series : {&bins.before, &bins.now})
        for (const double amount : *series) {
            most = std::max(most, amount);
            if (amount > 0) least = std::min(least, amount);
            whole = whole && amount == std::floor(amount);
        }
    if (whole || !(least <= most)) return Axis::of_counts(most, logarithmic);
    return logarithmic ? Axis{0.5 * least, most, true, false} : Axis{0, 1.04 * most, false, false};
}

/// "10° – 20°", and the count and share of both series there.
std::string describe_bin(const Distribution& bins, size_t i) {
    const double from = bins.edge(i), to = bins.edge(i + 1);
    const bool degrees = bins.unit == "°";
    std::string text = value_text(from) + (degrees ? bins.unit : "") + " \u2013 " + value_text(to) +
                       (degrees || bins.unit.empty() ? "" : " ") + bins.unit;
    if (bins.before.size() == bins.now.size())
        text += "\n" + bins.before_name + ": " + share_text(bins.before[i], sum_of(bins.before));
    if (!bins.counted.empty())  // these counts form no total to take shares of
        return text + "\n" + amount_text(bins.now[i]) + " " + bins.counted;
    return text + "\n" + bins.now_name + ": " + share_text(bins.now[i], sum_of(bins.now));
}

/// The names of both series with their signs, in the upper right corner of the area.
void draw_bin_names(ImDrawList& draw, const PlotStyle& style, const Area& area, const Distribution& bins,
                    bool has_before) {
    const float s = style.scale, line = Pen::line(*style.fonts.small), mark = 0.55f * line;
    ListDrawing words(draw, *style.fonts.small);
    const Ink ink = words.ink(style.colors);
    ImVec2 end(static_cast<float>(area.right()), static_cast<float>(area.y));
    const auto sign = [&](const std::string& name, bool filled) {
        ink.write({end.x, end.y}, style.colors.quiet_text, name, 1);
        end.x -= static_cast<float>(ink.width(name)) + mark + 4 * s;
        const ImVec2 low(end.x, end.y + 0.25f * line), high(end.x + mark, end.y + 0.25f * line + mark);
        if (filled)
            draw.AddRectFilled(low, high, packed(style.first), s);
        else
            draw.AddRect(low, high, packed(style.second), s, 0, 1.6f * s);
        end.x -= 12 * s;
    };
    if (!has_before && bins.now_name == Distribution().now_name) return;  // nothing to distinguish
    sign(bins.now_name, true);
    if (has_before) sign(bins.before_name, false);
}

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

void draw_bins(const char* id, const Distribution& bins, const PlotStyle& style, float height) {
    const float s = style.scale;
    Area area = plot_area(id, height);
    area.width -= 2 * s;
    const size_t count = bins.now.size();
    if (count == 0 || !(bins.high > bins.low)) return;
    const bool has_before = bins.before.size() == count;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    ListDrawing words(draw, *style.fonts.small), numbers(draw, *style.fonts.small_numbers);
    const Ink word_ink = words.ink(style.colors), ink = numbers.ink(style.colors);

    draw_bin_names(draw, style, area, bins, has_before);
    std::vector<std::string> beyond;
    if (bins.below > 0) beyond.push_back(amount_text(bins.below) + " below");
    if (bins.above > 0) beyond.push_back(amount_text(bins.above) + " above");
    const std::string text =
        bins.counted + (bins.counted.empty() || beyond.empty() ? "" : "; ") + join_words(beyond, ", ");
    word_ink.write({area.x, area.y}, style.colors.quiet_text, word_ink.cut(text, area.width));

    PlotPlane plane{{bins.low, bins.high, bins.in_decades, false}, axis_of_amounts(bins, style.logarithmic.y)};
    const double top = area.y + word_ink.line() + 0.5 * ink.line() + 2 * s;
    draw_axes(ink, {area.x, top, area.width, area.bottom() - top}, plane, bins.unit == "°" ? bins.unit : "");
    const Box box = Box::of(plane.box);
    const float y0 = box.high().y;
    const auto y_of = [&](double value) { return static_cast<float>(plane.y_at(value)); };
    const auto x_of = [&](double value) { return static_cast<float>(plane.x_at(value)); };

    int under_mouse = -1;
    if (ImGui::IsItemHovered()) {
        const double at = (ImGui::GetIO().MousePos.x - box.x) / box.width * static_cast<double>(count);
        if (at >= 0 && at < static_cast<double>(count)) under_mouse = static_cast<int>(at);
    }
    const auto edge = [&](size_t i) { return x_of(bins.edge(i)); };
    const bool whole = bins.unit.empty() && !bins.in_decades && bins.high - bins.low == static_cast<double>(count);
    for (size_t i = 0; i < count; ++i) {
        const float gap = edge(i + 1) - edge(i) > 4 * s ? s : 0;
        if (under_mouse == static_cast<int>(i))
            draw.AddRectFilled({edge(i), box.y}, {edge(i + 1), y0}, packed(style.colors.text.alpha(0.10f)));
        if (bins.now[i] > 0)
            draw.AddRectFilled({edge(i), y_of(bins.now[i])}, {edge(i + 1) - gap, y0}, packed(style.first.alpha(0.85f)));
    }
    if (style.brush) {
        Brush& brush = *style.brush;
        const auto place_at = [&](float x) {  // in bins
            return std::clamp<double>((x - box.x) / box.width, 0, 1) * static_cast<double>(count);
        };
        if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, 3 * s)) {
            const double a = place_at(ImGui::GetIO().MouseClickedPos[0].x), b = place_at(ImGui::GetIO().MousePos.x);
            // Select whole bins, as displayed; for whole numbers exactly these, without half-open ends.
            const double low = bins.edge(static_cast<size_t>(std::floor(std::min(a, b))));
            const double high = bins.edge(static_cast<size_t>(std::ceil(std::max(a, b))));
            brush.changed = !brush.chosen || brush.low != low || brush.high != (whole ? high - 0.5 : high);
            brush.chosen = true;
            brush.low = low;
            brush.high = whole ? high - 0.5 : high;
        }
        const auto place_of = [&](double value) { return x_of(std::clamp(value, bins.low, bins.high)); };
        if (brush.chosen)
            draw.AddRectFilled({place_of(brush.low), box.y}, {place_of(brush.high), y0},
                               packed(style.colors.text.alpha(0.16f)));
        for (const double mark : brush.marks) {
            const float x = place_of(whole ? mark + 0.5 : mark);
            draw.AddLine({x, box.y}, {x, y0}, packed(style.colors.text), 2 * s);
            draw.AddTriangleFilled({x - 4 * s, box.y - 5 * s}, {x + 4 * s, box.y - 5 * s}, {x, box.y + 2 * s},
                                   packed(style.colors.text));
        }
    }
    if (has_before) draw_outline(draw, bins.before, y0, edge, y_of, packed(style.second), 1.6f * s);
    if (under_mouse >= 0) ImGui::SetTooltip("%s", describe_bin(bins, static_cast<size_t>(under_mouse)).c_str());
}

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
