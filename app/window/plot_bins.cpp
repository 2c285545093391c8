#include <algorithm>
#include <cmath>
#include <functional>
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

}  // namespace

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

}  // namespace flipscope::app
