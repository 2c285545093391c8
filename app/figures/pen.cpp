#include "app/figures/pen.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/text_lines.h"

namespace flipscope::app {

namespace {

/// Clamped to what floats represent well.
ImVec2 to_list(Point p) {
    constexpr double kFar = 1e6;
    return {static_cast<float>(std::clamp(p.x, -kFar, kFar)), static_cast<float>(std::clamp(p.y, -kFar, kFar))};
}

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

Ink ListDrawing::ink(const Palette& colors) {
    const ImFont* const font = &font_;
    return {*this, colors, font_size(font_), [font](const std::string& text, double size) {
                return font
                    ->CalcTextSizeA(static_cast<float>(size * Ink::kLine), 1e9f, 0, text.data(),
                                    text.data() + text.size())
                    .x;
            }};
}

void ListDrawing::begin_layer(const std::string&, const std::string&, const std::optional<Area>& clip) {
    clipped_.push_back(clip.has_value());
    if (clip) list_.PushClipRect(to_list({clip->x, clip->y}), to_list({clip->right(), clip->bottom()}), true);
}

void ListDrawing::end_layer() {
    if (clipped_.back()) list_.PopClipRect();
    clipped_.pop_back();
}

void ListDrawing::polyline(const std::vector<Point>& places) {
    if (!paint_.stroke) return;
    const ImU32 color = packed(*paint_.stroke);
    const auto width = static_cast<float>(paint_.width);
    double before = 0;  // length of the segments so far, for the dashes
    // ImGui's polylines have spikes at sharp corners; its lines have none.
    for (size_t i = 1; i < places.size(); ++i) {
        const Point a = places[i - 1], b = places[i];
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        if (!(length > 0)) continue;
        const auto at = [&](double along) {
            const double t = std::clamp(along / length, 0.0, 1.0);
            return to_list({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
        };
        const double dash = paint_.dash, period = 2 * dash;
        if (dash <= 0) list_.AddLine(to_list(a), to_list(b), color, width);
        for (double from = -std::fmod(before, period); dash > 0 && from < length; from += period)
            if (from + dash > 0) list_.AddLine(at(from), at(from + dash), color, width);
        before += length;
    }
    if (paint_.dash > 0 || !paint_.round) return;
    for (const Point& end : {places.front(), places.back()})
        list_.AddCircleFilled(to_list(end), 0.5f * width, color, 12);
}

void ListDrawing::polygon(const std::vector<Point>& places) {
    std::vector<ImVec2> corners;
    for (const Point& place : places) corners.push_back(to_list(place));
    // Rectangles on whole pixels have sharp edges.
    const bool upright = places.size() == 4 && places[0].y == places[1].y && places[1].x == places[2].x &&
                         places[2].y == places[3].y && places[3].x == places[0].x;
    if (paint_.fill && upright)
        list_.AddRectFilled(corners[0], corners[2], packed(*paint_.fill));
    else if (paint_.fill)
        list_.AddConvexPolyFilled(corners.data(), static_cast<int>(corners.size()), packed(*paint_.fill));
    if (paint_.stroke)
        list_.AddPolyline(corners.data(), static_cast<int>(corners.size()), packed(*paint_.stroke), ImDrawFlags_Closed,
                          static_cast<float>(paint_.width));
}

void ListDrawing::band(const std::vector<Point>& one, const std::vector<Point>& other) {
    if (!paint_.fill) return;
    // Without antialiasing there are no seams.
    const ImDrawListFlags flags = std::exchange(list_.Flags, list_.Flags & ~ImDrawListFlags_AntiAliasedFill);
    for (size_t i = 1; i < one.size(); ++i)
        list_.AddQuadFilled(to_list(one[i - 1]), to_list(one[i]), to_list(other[i]), to_list(other[i - 1]),
                            packed(*paint_.fill));
    list_.Flags = flags;
}

void ListDrawing::disc(Point centre, double radius) {
    const auto size = static_cast<float>(radius);
    if (paint_.fill) list_.AddCircleFilled(to_list(centre), size, packed(*paint_.fill), 32);
    if (paint_.stroke)
        list_.AddCircle(to_list(centre), size, packed(*paint_.stroke), 32, static_cast<float>(paint_.width));
}

void ListDrawing::text(Point at, double size, double anchor, const Color& color, const std::string& text) {
    const auto high = static_cast<float>(size * Ink::kLine);
    const char* const end = text.data() + text.size();
    const float wide = anchor > 0 ? font_.CalcTextSizeA(high, 1e9f, 0, text.data(), end).x : 0;
    const ImVec2 corner = to_list({at.x - anchor * wide, at.y - Ink::kAscent * size});
    list_.AddText(&font_, high, {std::round(corner.x), std::round(corner.y)}, packed(color), text.data(), end);
}

}  // namespace flipscope::app
