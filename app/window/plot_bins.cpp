#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/figures/pen.h"
#include "app/window/plot.h"

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

std::string beyond_text(const Distribution& bins) {
    std::string text;
    if (bins.below > 0) text = amount_text(bins.below) + " below";
    if (bins.above > 0) text += (text.empty() ? "" : ", ") + amount_text(bins.above) + " above";
    return text;
}

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
    const double width = (bins.high - bins.low) / static_cast<double>(bins.now.size());
    const double from = bins.low + width * static_cast<double>(i);
    const bool degrees = bins.unit == "°";
    std::string text = value_text(from) + (degrees ? bins.unit : "") + " \u2013 " + value_text(from + width) +
                       (degrees || bins.unit.empty() ? "" : " ") + bins.unit;
    if (bins.before.size() == bins.now.size())
        text += "\n" + bins.before_name + ": " + share_text(bins.before[i], sum_of(bins.before));
    if (!bins.counted.empty())  // these counts form no total to take shares of
        return text + "\n" + amount_text(bins.now[i]) + " " + bins.counted;
    return text + "\n" + bins.now_name + ": " + share_text(bins.now[i], sum_of(bins.now));
}

void draw_bin_names(ImDrawList& draw, const PlotStyle& style, ImVec2 end, const Distribution& bins, bool has_before) {
    const float s = style.scale, line = ImGui::GetTextLineHeight(), mark = 0.55f * line;
    const auto sign = [&](const std::string& name, bool filled) {
        end.x -= ImGui::CalcTextSize(name.c_str()).x;
        draw.AddText(end, packed(style.colors.quiet_text), name.c_str());
        end.x -= mark + 4 * s;
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
    const float s = style.scale, width = ImGui::GetContentRegionAvail().x;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(id, {std::max(width, 1.f), height});
    const size_t count = bins.now.size();
    if (count == 0 || !(bins.high > bins.low)) return;
    const bool has_before = bins.before.size() == count, hovered = ImGui::IsItemHovered();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 quiet = packed(style.colors.quiet_text);

    ImGui::PushFont(style.fonts.small);
    const float name_line = ImGui::GetTextLineHeight();
    draw_bin_names(draw, style, {origin.x + width - 2 * s, origin.y}, bins, has_before);
    std::string beside = bins.counted;
    if (const std::string beyond = beyond_text(bins); !beyond.empty()) beside += (beside.empty() ? "" : "; ") + beyond;
    if (!beside.empty()) draw.AddText(origin, quiet, Pen::cut(*ImGui::GetFont(), beside, width - 2 * s).c_str());
    ImGui::PopFont();

    ImGui::PushFont(style.fonts.small_numbers);
    const float line = ImGui::GetTextLineHeight();
    const Axis counts = axis_of_amounts(bins, style.logarithmic);
    const float y0 = origin.y + height - line - 5 * s, y1 = origin.y + name_line + 0.5f * line + 2 * s;
    const std::vector<Tick> ticks = counts.ticks(std::max(2, static_cast<int>((y0 - y1) / (1.7f * line))));
    float label_width = 0;
    for (const Tick& tick : ticks) label_width = std::max(label_width, ImGui::CalcTextSize(tick.text.c_str()).x);
    const float x0 = origin.x + label_width + 6 * s, x1 = origin.x + width - 2 * s;
    if (!has_room(x0, x1, y1, y0)) {
        ImGui::PopFont();
        return;
    }
    const auto y_of = [&](double value) { return y0 - static_cast<float>(counts.place(value)) * (y0 - y1); };
    const auto x_of = [&](double part) { return x0 + static_cast<float>(part) * (x1 - x0); };
    for (const Tick& tick : ticks) {
        const float y = std::round(y_of(tick.value));
        draw.AddLine({x0, y}, {x1, y}, packed(style.colors.grid), 1);
        draw.AddText({x0 - 6 * s - ImGui::CalcTextSize(tick.text.c_str()).x, y - 0.5f * line}, quiet,
                     tick.text.c_str());
    }

    int under_mouse = -1;
    if (hovered) {
        const double at = (ImGui::GetIO().MousePos.x - x0) / (x1 - x0) * static_cast<double>(count);
        if (at >= 0 && at < static_cast<double>(count)) under_mouse = static_cast<int>(at);
    }
    const auto edge = [&](size_t i) { return x_of(static_cast<double>(i) / static_cast<double>(count)); };
    for (size_t i = 0; i < count; ++i) {
        const float gap = edge(i + 1) - edge(i) > 4 * s ? s : 0;
        if (under_mouse == static_cast<int>(i))
            draw.AddRectFilled({edge(i), y1}, {edge(i + 1), y0}, packed(style.colors.text.alpha(0.10f)));
        if (bins.now[i] > 0)
            draw.AddRectFilled({edge(i), y_of(bins.now[i])}, {edge(i + 1) - gap, y0}, packed(style.first.alpha(0.85f)));
    }
    if (style.brush) {
        Brush& brush = *style.brush;
        const auto value_at = [&](float x) {
            const double part = std::clamp<double>((x - x0) / (x1 - x0), 0, 1);
            return bins.low + part * (bins.high - bins.low);
        };
        if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, 3 * s)) {
            const double a = value_at(ImGui::GetIO().MouseClickedPos[0].x), b = value_at(ImGui::GetIO().MousePos.x);
            // Select whole bins, as displayed; for whole numbers exactly these, without half-open ends.
            const double width = (bins.high - bins.low) / static_cast<double>(count);
            const double low = bins.low + std::floor((std::min(a, b) - bins.low) / width) * width;
            const double high = bins.low + std::ceil((std::max(a, b) - bins.low) / width) * width;
            const bool whole = bins.unit.empty() && width == 1;
            brush.changed = !brush.chosen || brush.low != low || brush.high != (whole ? high - 0.5 : high);
            brush.chosen = true;
            brush.low = low;
            brush.high = whole ? high - 0.5 : high;
        }
        const auto place_of = [&](double value) {
            return x_of(std::clamp((value - bins.low) / (bins.high - bins.low), 0.0, 1.0));
        };
        if (brush.chosen)
            draw.AddRectFilled({place_of(brush.low), y1}, {place_of(brush.high), y0},
                               packed(style.colors.text.alpha(0.16f)));
        for (const double mark : brush.marks) {
            const bool whole = bins.unit.empty() && (bins.high - bins.low) == static_cast<double>(count);
            const float x = place_of(whole ? mark + 0.5 : mark);
            draw.AddLine({x, y1}, {x, y0}, packed(style.colors.text), 2 * s);
            draw.AddTriangleFilled({x - 4 * s, y1 - 5 * s}, {x + 4 * s, y1 - 5 * s}, {x, y1 + 2 * s},
                                   packed(style.colors.text));
        }
    }
    if (has_before) draw_outline(draw, bins.before, y0, edge, y_of, packed(style.second), 1.6f * s);
    draw.AddLine({x0, y0}, {x1, y0}, quiet, 1);
    const Axis values{bins.low, bins.high, false, false};
    float free_from = x0 - 8 * s;
    for (const Tick& tick : values.ticks(std::max(2, static_cast<int>((x1 - x0) / (46 * s))))) {
        const std::string text = tick.text + (bins.unit == "°" ? bins.unit : "");
        const float at = x_of(values.place(tick.value)), wide = ImGui::CalcTextSize(text.c_str()).x;
        const float left = placed_within(at - 0.5f * wide, x0 - 6 * s, x1 - wide);
        draw.AddLine({at, y0}, {at, y0 + 3 * s}, quiet, 1);
        if (left < free_from) continue;
        draw.AddText({left, y0 + 4 * s}, quiet, text.c_str());
        free_from = left + wide + 8 * s;
    }
    ImGui::PopFont();
    if (under_mouse >= 0) ImGui::SetTooltip("%s", describe_bin(bins, static_cast<size_t>(under_mouse)).c_str());
}

}  // namespace flipscope::app
