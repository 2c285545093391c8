#include "app/window/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figures/pen.h"

namespace flipscope::app {

namespace {

constexpr float kPale = 0.4f;      // opacity of the range around a mean
constexpr double kWideEnough = 4;  // minimum pixels for a bar and its gap

/// A plot while it is drawn.
struct Plot {
    const PlotSeries& series;
    const PlotStyle& style;
    ImDrawList& draw;
    PlotPlane plane;
    Box box;          // of the plane
    double slot = 1;  // pixels from one pass or round to the next

    float x_of(size_t i) const { return static_cast<float>(plane.x_at(series.place_of(i))); }
    float y_of(double value) const {
        return static_cast<float>(std::clamp(plane.y_at(value), plane.box.y, plane.box.bottom()));
    }
    Color color_of(size_t which) const { return which == 0 ? style.first : style.second; }

    /// Whether gaps between bars would alias with the pixel grid.
    bool is_dense() const { return slot >= 1 && slot < kWideEnough * static_cast<double>(series.of.size()); }

    /// Bars; two series side by side. Dense bars have no gaps. Where bars are narrower than a pixel, each column shows
    /// its tallest; where a value is a mean, the bar is pale from the mean up to the maximum.
    void draw_bars(int hovered) const {
        const size_t kinds = series.of.size(), count = series.count();
        const float group =
            static_cast<float>(std::clamp(slot * 0.78, 1.0, 26.0 * style.scale * static_cast<double>(kinds)));
        const auto column = [&](size_t i) {
            const double place = series.place_of(i);
            return slot < 1 ? std::floor(place * slot) : place;
        };
        for (size_t which = 0; which < kinds; ++which) {
            const PlotSeries::Values& one = series.of[which];
            for (size_t i = 0, end = 0; i < count; i = end) {
                PlotColumn all;
                for (end = i; end == i || (end < count && column(end) == column(i)); ++end)
                    if (one.high_of(end) > 0)
                        all.add(one.low_of(end), one.high_of(end), one.values[end], end, one.weight_of(end));
                if (all.count == 0) continue;
                Color color = color_of(which).alpha(i >= series.shown ? 0.28f : 1.f);
                if (hovered >= 0 && static_cast<size_t>(hovered) == i) color = style.colors.text;
                const double width = series.width_of(i);
                const float whole = width > 1 ? std::max(group, static_cast<float>(width * slot)) : group;
                const float bar = whole / static_cast<float>(kinds);
                const bool filled = slot < 1 && !one.high.empty() && width * slot <= 1;  // fill its pixel column
                const float begin = filled ? box.x + static_cast<float>(column(i)) : x_of(i) - 0.5f * whole;
                float left = begin + bar * static_cast<float>(which);
                float right = left + bar - (kinds > 1 && bar > 3 ? 1.f : 0.f);
                if (is_dense()) {
                    const auto half = static_cast<float>(0.5 * slot * std::max(width, 1.0));
                    left = std::round(x_of(i) - half);
                    right = std::round(x_of(i) + half);
                }
                const float rounding = bar > 6 * style.scale ? 1.5f * style.scale : 0;
                const float top = y_of(all.high), solid = one.high.empty() ? top : y_of(all.mean);
                if (solid > top)
                    draw.AddRectFilled({left, top}, {right, solid}, packed(color.alpha(color.a * kPale)), rounding);
                draw.AddRectFilled({left, solid}, {right, box.high().y}, packed(color), rounding);
            }
        }
    }

    /// A line through the existing values, thinner across gaps.
    void draw_lines(int hovered) const {
        const float s = style.scale;
        if (slot < 1)
            draw_bands();
        else
            draw_each_value();
        if (hovered < 0) return;
        const float x = x_of(static_cast<size_t>(hovered));
        draw.AddLine({x, box.y}, {x, box.high().y}, packed(style.colors.quiet_text.alpha(0.5f)), s);
        for (size_t which = 0; which < series.of.size(); ++which) {
            const double value = series.of[which].values[static_cast<size_t>(hovered)];
            if (!std::isnan(value)) draw.AddCircleFilled({x, y_of(value)}, 3.5f * s, packed(style.colors.text), 12);
        }
    }

    void draw_each_value() const {
        const float s = style.scale, radius = static_cast<float>(std::clamp(0.22 * slot, 0.0, 3.2 * s));
        for (size_t which = 0; which < series.of.size(); ++which) {
            const std::vector<double>& values = series.of[which].values;
            size_t before = values.size();  // the last existing one
            for (size_t i = 0; i < values.size(); ++i) {
                if (std::isnan(values[i])) continue;
                const Color color = color_of(which).alpha(i >= series.shown ? 0.35f : 1.f);
                const ImVec2 at(x_of(i), y_of(values[i]));
                const float low = y_of(series.of[which].low_of(i)), high = y_of(series.of[which].high_of(i));
                const float half = static_cast<float>(0.5 * series.width_of(i) * slot);
                if (low - high >= 1)
                    draw.AddRectFilled({at.x - half, high}, {at.x + half, low}, packed(color.alpha(color.a * kPale)));
                if (before < values.size())
                    draw.AddLine({x_of(before), y_of(values[before])}, at, packed(color),
                                 (i == before + 1 ? 2 : 1) * s);
                before = i;
                if (radius > 1.2f * s) draw.AddCircleFilled(at, radius, packed(color), 12);
            }
        }
    }

    /// For each pixel column: the pale range from minimum to maximum, and a line through the means.
    void draw_bands() const {
        const float s = style.scale;
        for (size_t which = 0; which < series.of.size(); ++which) {
            const std::vector<PlotColumn> columns = columns_of(series, which, slot);
            ImVec2 before;
            bool down = false;
            for (size_t c = 0; c < columns.size(); ++c) {
                const PlotColumn& column = columns[c];
                if (column.count == 0) continue;
                const Color color = color_of(which).alpha(column.first >= series.shown ? 0.35f : 1.f);
                const float x = box.x + static_cast<float>(c), low = y_of(column.low), high = y_of(column.high);
                if (low - high >= 1) draw.AddRectFilled({x, high}, {x + 1, low}, packed(color.alpha(color.a * kPale)));
                const ImVec2 at(x + 0.5f, y_of(column.mean));
                if (down)
                    draw.AddLine(before, at, packed(color), 2 * s);
                else
                    draw.AddCircleFilled(at, 1.2f * s, packed(color), 12);  // a single value has no line
                before = at;
                down = true;
            }
        }
    }

    /// The axis's quantities along the top, with a colour patch each if there are two.
    void draw_names(ImVec2 at, float end) const {
        const float line = ImGui::GetTextLineHeight(), mark = 0.5f * line;
        for (size_t which = 0; which < series.of.size(); ++which) {
            // Names that do not fit share the line evenly.
            const float share = (end - at.x) / static_cast<float>(series.of.size() - which) - mark - 4 * style.scale;
            const std::string name = Pen::cut(*ImGui::GetFont(), series.of[which].name,
                                              share - (which + 1 < series.of.size() ? 12 * style.scale : 0));
            draw.AddRectFilled({at.x, at.y + 0.28f * line}, {at.x + mark, at.y + 0.28f * line + mark},
                               packed(color_of(which)), style.scale);
            at.x += mark + 4 * style.scale;
            draw.AddText(at, packed(style.colors.quiet_text), name.c_str());
            at.x += ImGui::CalcTextSize(name.c_str()).x + 12 * style.scale;
        }
    }

    std::string describe(size_t i) const {
        const double place = series.place_of(i), half = 0.5 * (series.width_of(i) - 1);
        std::string text = series.x_name + " " + number_text(place - half);
        if (half > 0) text = series.x_name + "s " + number_text(place - half) + " – " + number_text(place + half);
        for (const PlotSeries::Values& one : series.of) {
            text += "\n" + one.name + ": " + (std::isnan(one.values[i]) ? "not measured" : value_text(one.values[i]));
            if (one.low_of(i) < one.high_of(i))
                text += " on average, from " + value_text(one.low_of(i)) + " to " + value_text(one.high_of(i));
        }
        return text;
    }
};

Axis axis_of(const PlotSeries& series, bool logarithmic) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const PlotSeries::Values& one : series.of)
        for (size_t i = 0; i < one.values.size(); ++i) {
            if (std::isnan(one.values[i])) continue;
            least = std::min(least, one.low_of(i));
            most = std::max(most, one.high_of(i));
        }
    const bool log = logarithmic && series.has_logarithm();
    return series.lines ? Axis::of_values(least, most, log) : Axis::of_counts(most, log);
}

}  // namespace

Area plot_area(const char* id, float height) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = std::max(ImGui::GetContentRegionAvail().x, 1.f);
    ImGui::InvisibleButton(id, {width, height});
    return {origin.x, origin.y, width, height};
}

void draw_plot(const char* id, const PlotSeries& series, const PlotStyle& style, float height) {
    const float s = style.scale, name_line = Pen::line(*style.fonts.small);
    const Area area = plot_area(id, height);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    PlotPlane plane{Axis::of_places(series.end()), axis_of(series, style.logarithmic.y)};
    ListDrawing words(draw, *style.fonts.small), numbers(draw, *style.fonts.small_numbers);
    words.ink(style.colors)
        .write({area.right() - 2 * s, area.bottom() - name_line}, style.colors.quiet_text, series.x_name, 1);
    const Ink ink = numbers.ink(style.colors);
    const double top = area.y + name_line + 0.5 * ink.line() + 2 * s;
    draw_axes(ink, {area.x, top, area.width - 2 * s, area.bottom() - name_line - top}, plane);
    const Plot plot{series, style, draw, plane, Box::of(plane.box), plane.box.width / (plane.x.high - plane.x.low)};
    ImGui::PushFont(style.fonts.small);
    plot.draw_names(Box::of(area).low(), static_cast<float>(area.right() - 2 * s));
    ImGui::PopFont();

    int under_mouse = -1;
    if (ImGui::IsItemHovered() && series.count() > 0) {
        const double at = std::round(plane.x.low + (ImGui::GetIO().MousePos.x - plot.box.x) / plot.slot);
        if (at >= 1 && at <= series.end()) under_mouse = static_cast<int>(series.nearest(at));
    }
    // Two dense rows of bars would hide each other.
    if (series.lines || (series.of.size() > 1 && plot.slot < kWideEnough * static_cast<double>(series.of.size())))
        plot.draw_lines(under_mouse);
    else
        plot.draw_bars(under_mouse);
    if (under_mouse >= 0) ImGui::SetTooltip("%s", plot.describe(static_cast<size_t>(under_mouse)).c_str());
}

void draw_curves(const char* id, const std::vector<DrawnCurve>& curves, const PlotStyle& style, float height) {
    ListDrawing drawing(*ImGui::GetWindowDrawList(), *style.fonts.small);
    const Ink ink = drawing.ink(style.colors);
    const double width = std::max(ImGui::GetContentRegionAvail().x, 1.f) - 2 * style.scale;
    Area area = plot_area(id, height + static_cast<float>(curve_legend_height(ink, curves, width)));
    if (curves.empty()) return;
    area.width = width;
    const auto [x, y, box] = draw_curves(ink, area, curves, drawable_axes(curves, style.logarithmic));
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsItemHovered() || mouse.x < box.x || mouse.x > box.right() || mouse.y > area.y + height) return;
    drawing.stroke({mouse.x, box.y}, {mouse.x, box.bottom()}, style.colors.quiet_text.alpha(0.5f), style.scale);
    ImGui::SetTooltip("%s", describe_curves(curves, x, (mouse.x - box.x) / box.width).c_str());
}

}  // namespace flipscope::app
