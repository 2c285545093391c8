#include "app/figures/plane_axes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/base/number_text.h"
#include "app/run/plot_axis.h"

namespace flipscope::app {

namespace {

constexpr double kMostSteps = 1e6;   // from zero; beyond, texts would be long and alike
constexpr double kNamedSteps = 1e3;  // the offset is a multiple of so many steps

/// A multiple of `step`, with the digits that the step has.
std::string multiple_text(double count, double step) {
    const double value = count * step;
    if (count == 0) return "0";
    const double power = std::floor(std::log10(step) + 1e-9);
    if (power < -6 || std::abs(value) >= 1e9) {
        char text[48];
        const int digits = std::clamp(static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9) - power), 0, 15);
        std::snprintf(text, sizeof text, "%s%.*e", value < 0 ? "\u2212" : "", digits, std::abs(value));
        return text;
    }
    return number_text(value, static_cast<int>(std::max(-power, 0.0)));
}

}  // namespace

PlaneTicks plane_ticks(double middle, double half, int room) {
    PlaneTicks made;
    if (!std::isfinite(middle) || !(half > 1e-290) || !(half < 1e290) || room < 1) return made;
    const double step = round_step(2 * half / room);
    if (!(step > 0)) return made;
    double origin = 0;
    if (std::abs(middle) > kMostSteps * step) {
        origin = std::round(middle / (kNamedSteps * step)) * (kNamedSteps * step);
        char text[48];
        const double power = std::floor(std::log10(kNamedSteps * step) + 1e-9);
        const double large = std::floor(std::log10(std::abs(origin)));
        if (std::abs(origin) < 1e12 && power > -12)
            made.offset = number_text(origin, static_cast<int>(std::max(-power, 0.0)));
        else {
            std::snprintf(text, sizeof text, "%s%.*e", origin < 0 ? "\u2212" : "",
                          static_cast<int>(std::clamp(large - power, 0.0, 16.0)), std::abs(origin));
            made.offset = text;
        }
    }
    const double from = middle - origin;  // exact, or nearly: both are of one size
    for (double k = std::ceil((from - half) / step); k * step <= from + half; ++k) {
        if (made.ticks.size() > 4 * static_cast<size_t>(room)) break;
        std::string text = multiple_text(k, step);
        if (!made.offset.empty() && k >= 0) text = "+" + text;
        made.ticks.push_back({k * step - from, std::move(text)});
    }
    return made;
}

float plane_axes_height(const Pen& pen) { return Pen::line(*pen.fonts.small) + pen.em(12); }

float draw_plane_axes(const Pen& pen, const Box& box, const Camera& camera, double line, float top, float bottom,
                      float lower, const PictureUnits& units) {
    const ImFont& font = *pen.fonts.small;
    const float high = Pen::line(font), below = plane_axes_height(pen), mark = pen.em(4), pad = pen.em(3);
    const double unit = camera.scale / line / units.size();  // of the draw list, per world unit
    const Point middle = units.given.as_given(camera.center);
    const auto name = [&](const char* letter, const std::string& offset) {
        return offset.empty() ? (units.name.empty() ? std::string() : units.axis(letter))
                              : units.axis(letter) + ": " + offset;
    };
    const float edge = lower - below, right = box.x + box.width;
    const float middle_x = box.x + 0.5f * box.width, middle_y = box.y + 0.5f * box.height;
    const ImU32 color = packed(pen.colors.quiet_text), ground = packed(pen.colors.canvas.alpha(0.85f));
    ImDrawList& draw = pen.draw;
    draw.PushClipRect(box.low(), {right, lower}, true);
    draw.AddRectFilled({box.x, edge}, {right, lower}, ground);
    draw.AddLine({box.x, edge}, {right, edge}, color, pen.em(1));
    const PlaneTicks x = plane_ticks(middle.x, 0.5 * box.width / unit, std::max(2, int(box.width / pen.em(90))));
    float free_from = box.x + pad, free_to = right - pad;
    if (const std::string text = name("x", x.offset); !text.empty()) {
        free_to -= Pen::measure(font, text).x + pen.em(10);
        pen.write(font, {free_to + pen.em(10), edge + mark + pen.em(2)}, pen.colors.text, text);
    }
    for (const PlaneTick& tick : x.ticks) {
        const float at = std::round(middle_x + static_cast<float>(tick.off * unit));
        draw.AddLine({at, edge}, {at, edge + mark}, color, pen.em(1));
        const float wide = Pen::measure(font, tick.text).x;
        if (at - 0.5f * wide < free_from || at + 0.5f * wide > free_to) continue;
        pen.write(font, {at - 0.5f * wide, edge + mark + pen.em(2)}, pen.colors.quiet_text, tick.text);
        free_from = at + 0.5f * wide + pen.em(8);
    }
    const PlaneTicks y = plane_ticks(middle.y, 0.5 * box.height / unit, std::max(2, int(box.height / pen.em(70))));
    const auto label = [&](float at, const std::string& text, const Color& ink) {
        const float wide = Pen::measure(font, text).x;
        draw.AddRectFilled({box.x + mark + pad, at - 0.5f * high - pen.em(1)},
                           {box.x + mark + 3 * pad + wide, at + 0.5f * high + pen.em(1)}, ground, pen.em(3));
        pen.write(font, {box.x + mark + 2 * pad, at - 0.5f * high}, ink, text);
    };
    float lowest = std::min(bottom, edge) - high;
    if (const std::string text = name("y", y.offset); !text.empty()) {
        label(lowest, text, pen.colors.text);
        lowest -= 1.4f * high;
    }
    for (const PlaneTick& tick : y.ticks) {
        const float at = std::round(middle_y - static_cast<float>(tick.off * unit));
        if (at > edge || at < top) continue;
        draw.AddLine({box.x, at}, {box.x + mark, at}, color, pen.em(1));
        if (at > lowest || at < top + 0.5f * high) continue;
        label(at, tick.text, pen.colors.quiet_text);
    }
    draw.AddLine({box.x + 0.5f, top}, {box.x + 0.5f, edge}, color, pen.em(1));
    draw.PopClipRect();
    return below;
}

}  // namespace flipscope::app
