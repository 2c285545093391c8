#include "app/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace flipscope::app {

std::string number_text(double value, int decimals) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.*f", decimals, std::abs(value));
    std::string text = digits;
    const size_t point = std::min(text.find('.'), text.size());
    for (size_t i = point; i > 3; i -= 3) text.insert(i - 3, ",");
    return (value < 0 ? "\u2212" : "") + text;
}

std::string short_number(double value) {
    static constexpr const char* kNames[] = {"", " k", " M", " G", " T"};
    int power = 0;
    while (std::abs(value) >= 999.5 && power < 4) {
        value /= 1000;
        ++power;
    }
    char text[64];
    const int decimals = power == 0 ? (value == std::floor(value) ? 0 : 1) : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::snprintf(text, sizeof text, "%.*f%s", decimals, value, kNames[power]);
    return text;
}

namespace {

// "20 k": a tick is a round number.
std::string tick_text(double value) {
    std::string text = short_number(value);
    const size_t zeros = text.find(".0");
    if (zeros == text.npos) return text;
    const size_t end = text.find_first_not_of('0', zeros + 1);
    if (end != text.npos && text[end] != ' ') return text;
    return text.substr(0, zeros) + (end == text.npos ? "" : text.substr(end));
}

// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-300))));
    for (double factor : {1., 2., 5., 10.})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

struct Axis {
    double top = 1;
    bool logarithmic = false;
    // 0 at the foot of the plot, 1 at its top.
    double place(double value) const {
        if (!logarithmic) return value / top;
        return value < 1 ? 0 : (std::log10(value) + 0.3) / (std::log10(top) + 0.3);  // a bar of 1 is still a bar
    }
    std::vector<double> ticks(int room) const {
        std::vector<double> found;
        if (logarithmic) {
            const int decades = static_cast<int>(std::ceil(std::log10(top) - 1e-9));
            const int stride = std::max(1, (decades + room - 1) / std::max(room, 1));
            for (int power = 0; power <= decades; power += stride)
                if (std::pow(10, power) <= top) found.push_back(std::pow(10, power));
        } else {
            const double step = std::max(round_step(top / std::max(room, 1)), 1.0);
            for (double value = 0; value <= top * (1 + 1e-9); value += step) found.push_back(value);
        }
        return found;
    }
};

}  // namespace

void draw_plot(const char* id, const PlotSeries& series, const PlotLook& look, float height) {
    const float s = look.scale, width = ImGui::GetContentRegionAvail().x;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(id, {std::max(width, 1.f), height});
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    ImGui::PushFont(look.fonts.small_numbers);
    const float line = ImGui::GetTextLineHeight();

    double most = 1;
    for (double value : series.values)
        if (value > most) most = value;
    Axis axis{look.logarithmic ? most : most * 1.04, look.logarithmic};
    const std::vector<double> ticks = axis.ticks(static_cast<int>(height / (3 * line)));
    float label_width = 0;
    for (double tick : ticks) label_width = std::max(label_width, ImGui::CalcTextSize(tick_text(tick).c_str()).x);
    const float x0 = origin.x + label_width + 6 * s, x1 = origin.x + width - 2 * s;
    const float y0 = origin.y + height - 2 * line - 6 * s, y1 = origin.y + 0.5f * line + 2 * s;
    const auto y_of = [&](double value) { return y0 - static_cast<float>(axis.place(value)) * (y0 - y1); };

    const ImU32 quiet = packed(look.colors.quiet_text);
    for (double tick : ticks) {
        const float y = std::round(y_of(tick));
        draw.AddLine({x0, y}, {x1, y}, packed(look.colors.grid), 1);
        const std::string text = tick_text(tick);
        draw.AddText({x0 - 6 * s - ImGui::CalcTextSize(text.c_str()).x, y - 0.5f * line}, quiet, text.c_str());
    }
    draw.AddLine({x0, y0}, {x1, y0}, quiet, 1);

    const size_t count = series.values.size();
    const double slot = (x1 - x0) / static_cast<double>(std::max<size_t>(count, 8));
    const auto x_of = [&](size_t i) { return x0 + static_cast<float>((static_cast<double>(i) + 0.5) * slot); };
    const float bar = static_cast<float>(std::clamp(slot * 0.78, 1.0, 26.0 * s));
    int hovered_bar = -1;
    if (hovered && count > 0) {
        const double at = (ImGui::GetIO().MousePos.x - x0) / slot;
        if (at >= 0 && at < static_cast<double>(count)) hovered_bar = static_cast<int>(at);
    }
    for (size_t i = 0; i < count; ++i) {
        const double value = series.values[i];
        if (!(value > 0)) continue;
        const bool future = i >= series.shown;
        Color color = look.color.alpha(future ? 0.28f : 1.f);
        if (static_cast<int>(i) == hovered_bar) color = look.colors.text;
        draw.AddRectFilled({x_of(i) - 0.5f * bar, y_of(value)}, {x_of(i) + 0.5f * bar, y0}, packed(color),
                           bar > 6 * s ? 1.5f * s : 0);
    }

    // Ticks below, at round numbers and never closer than their texts are wide.
    const double widest = ImGui::CalcTextSize(number_text(static_cast<double>(count)).c_str()).x + 14.0 * s;
    const double stride = std::max(1.0, round_step(widest / slot));
    for (double x = stride >= 2 ? stride : 1; x <= static_cast<double>(count); x += stride) {
        const std::string text = number_text(x);
        const float at = x_of(static_cast<size_t>(x) - 1), wide = ImGui::CalcTextSize(text.c_str()).x;
        draw.AddLine({at, y0}, {at, y0 + 3 * s}, quiet, 1);
        draw.AddText({std::clamp(at - 0.5f * wide, x0 - 4 * s, x1 - wide), y0 + 3 * s}, quiet, text.c_str());
    }
    ImGui::PopFont();
    ImGui::PushFont(look.fonts.small);
    const float name_width = ImGui::CalcTextSize(series.x_name.c_str()).x;
    draw.AddText({x1 - name_width, y0 + line + 4 * s}, quiet, series.x_name.c_str());
    ImGui::PopFont();

    if (hovered_bar >= 0) {
        const double value = series.values[static_cast<size_t>(hovered_bar)];
        ImGui::SetTooltip("%s %d: %s %s", series.x_name.c_str(), hovered_bar + 1,
                          std::isnan(value) ? "no" : number_text(value).c_str(), series.y_name.c_str());
    }
}

}  // namespace flipscope::app
