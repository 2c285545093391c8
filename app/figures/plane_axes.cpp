#include "app/figures/plane_axes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/base/number_text.h"
#include "app/run/plot_axis.h"

namespace flipscope::app {

namespace {

constexpr double kMostSteps = 1e6;   // from zero; beyond it labels would be long and alike
constexpr double kNamedSteps = 1e3;  // the offset is a multiple of this many steps

/// A multiple of `step`, with as many digits as the step.
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
    const double from = middle - origin;  // exact or nearly so: both have the same magnitude
    for (double k = std::ceil((from - half) / step); k * step <= from + half; ++k) {
        if (made.ticks.size() > 4 * static_cast<size_t>(room)) break;
        std::string text = multiple_text(k, step);
        if (!made.offset.empty() && k >= 0) text = "+" + text;
        made.ticks.push_back({k * step - from, std::move(text)});
    }
    return made;
}

void draw_plane_axes(const Ink& ink, const ShownView& view, const AxesFrame& frame, const PictureUnits& units) {
    const Area& box = view.box;
    const double font = ink.font, high = ink.line(), mark = 0.35 * font, pad = 0.3 * font;
    const double unit = view.camera.scale * view.pixel / units.size();  // of the drawing per world unit
    const Point middle = units.given.as_given(view.camera.center);
    const PlaneTicks x = plane_ticks(middle.x, 0.5 * box.width / unit, std::max(2, int(box.width / (8 * font))));
    const PlaneTicks y =
        plane_ticks(middle.y, 0.5 * box.height / unit, std::max(2, int(box.height / ((frame.outside ? 3 : 5) * font))));
    const auto name = [&](const char* letter, const std::string& offset) {
        return offset.empty() ? (units.name.empty() ? std::string() : units.axis(letter))
                              : units.axis(letter) + ": " + offset;
    };
    const Color& color = ink.colors.quiet_text;
    const double thin = 0.09 * font, edge = frame.outside ? box.bottom() : frame.lower - plane_axes_height(font);
    const double top = frame.outside ? box.y : frame.top;
    Drawing& drawing = ink.drawing;
    drawing.begin_layer("axes", "Axes",
                        frame.outside ? std::optional<Area>() : Area{box.x, box.y, box.width, frame.lower - box.y});
    if (frame.outside)
        drawing.rectangle(box, {{}, color, thin});
    else
        ink.ground({box.x, edge, box.width, frame.lower - edge});
    drawing.begin_group({}, {{}, color, thin});
    if (!frame.outside) {
        drawing.line({box.x, edge}, {box.right(), edge});
        drawing.line({box.x, top}, {box.x, edge});
    }
    const double inwards = frame.outside ? -mark : mark;
    for (const PlaneTick& tick : x.ticks) {
        const double at = box.x + 0.5 * box.width + tick.off * unit;
        drawing.line({at, edge}, {at, edge + mark});
    }
    const auto height_of = [&](const PlaneTick& tick) { return box.y + 0.5 * box.height - tick.off * unit; };
    for (const PlaneTick& tick : y.ticks)
        if (height_of(tick) <= edge && height_of(tick) >= top)
            drawing.line({box.x, height_of(tick)}, {box.x + inwards, height_of(tick)});
    drawing.end_group();

    const double under = edge + mark + 0.1 * font;
    double free_from = frame.outside ? box.x - 5 * font : box.x + pad,
           free_to = box.right() + (frame.outside ? font : -pad);
    if (const std::string text = name("x", x.offset); !text.empty()) {
        ink.write({box.right() - pad, frame.outside ? edge - high - pad : under}, ink.colors.text, text, 1);
        if (!frame.outside) free_to -= ink.width(text) + font;
    }
    for (const PlaneTick& tick : x.ticks) {
        const double at = box.x + 0.5 * box.width + tick.off * unit, half = 0.5 * ink.width(tick.text);
        if (at - half < free_from || at + half > free_to) continue;
        ink.write({at, under}, color, tick.text, 0.5);
        free_from = at + half + 0.7 * font;
    }
    const auto label = [&](double at, const std::string& text, const Color& shade) {
        const double left = box.x + mark + pad;
        ink.ground({left, at - 0.55 * high, ink.width(text) + 2 * pad, 1.1 * high});
        ink.write({left + pad, at - 0.5 * high}, shade, text);
    };
    double lowest = frame.outside ? box.bottom() : std::min(frame.bottom, edge) - high;
    if (const std::string text = name("y", y.offset); !text.empty()) {
        if (frame.outside) {
            ink.write({box.x + pad, box.y + pad}, ink.colors.text, text);
        } else {
            label(lowest, text, ink.colors.text);
            lowest -= 1.4 * high;
        }
    }
    for (const PlaneTick& tick : y.ticks) {
        const double at = height_of(tick);
        if (frame.outside)
            ink.write({box.x - mark - pad, at - 0.5 * high}, color, tick.text, 1);
        else if (at <= lowest && at >= top + 0.5 * high)
            label(at, tick.text, color);
    }
    drawing.end_layer();
}

}  // namespace flipscope::app
