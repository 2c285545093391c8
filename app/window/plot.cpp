#include "app/window/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
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
    Axis axis;
    PlaceAxis places = {};
    float x0 = 0, x1 = 0, y0 = 0, y1 = 0;  // of the axes; y0 > y1
    double slot = 1;                       // pixels from one pass or round to the next

    float x_of(size_t i) const { return places.x_of(series.place_of(i)); }
    float y_of(double value) const {
        return y0 - static_cast<float>(std::clamp(axis.place(value), 0.0, 1.0)) * (y0 - y1);
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
                const float begin = filled ? x0 + static_cast<float>(column(i)) : x_of(i) - 0.5f * whole;
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
                draw.AddRectFilled({left, solid}, {right, y0}, packed(color), rounding);
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
        draw.AddLine({x, y0}, {x, y1}, packed(style.colors.quiet_text.alpha(0.5f)), s);
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
                const float x = x0 + static_cast<float>(c), low = y_of(column.low), high = y_of(column.high);
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

    /// Ticks below, at round numbers, never closer than their labels are wide.
    void draw_places() const {
        if (series.count() == 0) return;
        const ImU32 quiet = packed(style.colors.quiet_text);
        const float widest = ImGui::CalcTextSize(number_text(places.last).c_str()).x + 14 * style.scale;
        float free_from = x0 - 5 * style.scale;
        for (const Tick& tick : places.ticks(widest)) {
            const float at = places.x_of(tick.value), wide = ImGui::CalcTextSize(tick.text.c_str()).x;
            const float left = placed_within(at - 0.5f * wide, x0 - 4 * style.scale, x1 - wide);
            draw.AddLine({at, y0}, {at, y0 + 3 * style.scale}, quiet, 1);
            if (left < free_from) continue;
            draw.AddText({left, y0 + 3 * style.scale}, quiet, tick.text.c_str());
            free_from = left + wide + 6 * style.scale;
        }
    }

    void draw_scale(float line) const {
        const ImU32 quiet = packed(style.colors.quiet_text);
        for (const Tick& tick : axis.ticks(std::max(2, static_cast<int>((y0 - y1) / (1.7f * line))))) {
            const float y = std::round(y_of(tick.value));
            draw.AddLine({x0, y}, {x1, y}, packed(style.colors.grid), 1);
            draw.AddText({x0 - 6 * style.scale - ImGui::CalcTextSize(tick.text.c_str()).x, y - 0.5f * line}, quiet,
                         tick.text.c_str());
        }
        draw.AddLine({x0, y0}, {x1, y0}, quiet, 1);
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

bool has_room(float left, float right, float top, float bottom) { return right - left >= 1 && bottom - top >= 1; }

float placed_within(float wanted, float low, float high) { return std::max(low, std::min(wanted, high)); }

void draw_plot(const char* id, const PlotSeries& series, const PlotStyle& style, float height) {
    const float s = style.scale, width = ImGui::GetContentRegionAvail().x;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(id, {std::max(width, 1.f), height});
    const bool hovered = ImGui::IsItemHovered();
    Plot plot{series, style, *ImGui::GetWindowDrawList(), axis_of(series, style.logarithmic)};
    ImGui::PushFont(style.fonts.small);
    const float name_line = ImGui::GetTextLineHeight();
    plot.draw_names(origin, origin.x + width - 2 * s);
    const float x_name_width = ImGui::CalcTextSize(series.x_name.c_str()).x;
    plot.draw.AddText({origin.x + width - 2 * s - x_name_width, origin.y + height - name_line},
                      packed(style.colors.quiet_text), series.x_name.c_str());
    ImGui::PopFont();

    ImGui::PushFont(style.fonts.small_numbers);
    const float line = ImGui::GetTextLineHeight();
    plot.y0 = origin.y + height - line - name_line - 2 * s;
    plot.y1 = origin.y + name_line + 0.5f * line + 2 * s;
    float label_width = 0;
    for (const Tick& tick : plot.axis.ticks(std::max(2, static_cast<int>((plot.y0 - plot.y1) / (1.7f * line)))))
        label_width = std::max(label_width, ImGui::CalcTextSize(tick.text.c_str()).x);
    plot.x0 = origin.x + label_width + 6 * s;
    plot.x1 = origin.x + width - 2 * s;
    if (!has_room(plot.x0, plot.x1, plot.y1, plot.y0)) {
        ImGui::PopFont();
        return;
    }
    plot.places = {series.end(), plot.x0, plot.x1};
    plot.slot = plot.places.slot();
    plot.draw_scale(line);

    int under_mouse = -1;
    if (hovered) {
        const double at = plot.places.place_at(ImGui::GetIO().MousePos.x);
        if (series.count() > 0 && at >= 1 && at <= series.end()) under_mouse = static_cast<int>(series.nearest(at));
    }
    // Two dense rows of bars would hide each other.
    if (series.lines || (series.of.size() > 1 && plot.slot < kWideEnough * static_cast<double>(series.of.size())))
        plot.draw_lines(under_mouse);
    else
        plot.draw_bars(under_mouse);
    plot.draw_places();
    ImGui::PopFont();
    if (under_mouse >= 0) ImGui::SetTooltip("%s", plot.describe(static_cast<size_t>(under_mouse)).c_str());
}

}  // namespace flipscope::app
