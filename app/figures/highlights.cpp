#include "app/figures/highlights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/figures/theme.h"

namespace flipscope::app {

std::vector<Point> visible_arc(Point centre, double radius, double reach) {
    constexpr int kPieces = 96;
    const double towards = std::atan2(-centre.y, -centre.x);
    const double half = radius > reach ? std::min(std::numbers::pi, 2 * reach / radius) : std::numbers::pi;
    std::vector<Point> arc;
    for (int i = 0; i <= kPieces; ++i) {
        const double angle = towards + half * (2.0 * i / kPieces - 1);
        arc.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
    }
    return arc;
}

bool clip_segment(Point& a, Point& b, double half_width, double half_height) {
    double begin = 0, end = 1;
    const double dx = b.x - a.x, dy = b.y - a.y;
    const auto cut = [&](double along, double room) {  // where along · t <= room
        if (along == 0) return room >= 0;
        const double t = room / along;
        if (along > 0)
            end = std::min(end, t);
        else
            begin = std::max(begin, t);
        return begin <= end;
    };
    if (!cut(dx, half_width - a.x) || !cut(-dx, half_width + a.x) || !cut(dy, half_height - a.y) ||
        !cut(-dy, half_height + a.y))
        return false;
    b = {a.x + end * dx, a.y + end * dy};
    a = {a.x + begin * dx, a.y + begin * dy};
    return true;
}

namespace {

/// Dashes and gaps of equal length, in units of the draw list.
void draw_dashes(ImDrawList& draw, const ImVec2& from, const ImVec2& to, ImU32 color, float thick, float dash) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    if (!(length > 0)) return;
    const int pieces = std::max(1, static_cast<int>(length / (2 * dash)));
    const float step = length / (static_cast<float>(pieces) - 0.5f) / length;
    for (int i = 0; i < pieces; ++i) {
        const float begin = static_cast<float>(i) * step, end = std::min(1.f, begin + 0.5f * step);
        draw.AddLine({from.x + begin * (to.x - from.x), from.y + begin * (to.y - from.y)},
                     {from.x + end * (to.x - from.x), from.y + end * (to.y - from.y)}, color, thick);
    }
}

}  // namespace

void draw_highlights(ImDrawList& draw, const Palette& colors, float scale, const std::vector<Highlight>& highlights,
                     const std::vector<ShownView>& views) {
    for (const Highlight& highlight : highlights) {
        if (highlight.places.empty() || highlight.part >= views.size()) continue;
        const auto& [box, camera, pixel] = views[highlight.part];
        const bool circle = highlight.kind == Highlight::Kind::kCircle;
        std::vector<Point> pixels;  // from the middle of the view, y up
        for (const Point3& place : highlight.places) pixels.push_back(camera.to_pixels(place));
        if (circle)
            pixels = visible_arc(pixels[0], highlight.radius * camera.scale, std::hypot(box.width, box.height) / pixel);
        const auto on_screen = [&, low = box.low(), wide = box.width, tall = box.height, size = pixel](Point at) {
            constexpr double kFar = 1e6;  // floats carry no more
            at = {std::clamp(at.x, -kFar, kFar), std::clamp(at.y, -kFar, kFar)};
            return ImVec2(low.x + 0.5f * wide + static_cast<float>(at.x) * size,
                          low.y + 0.5f * tall - static_cast<float>(at.y) * size);
        };
        std::vector<ImVec2> line;
        for (const Point& at : pixels) line.push_back(on_screen(at));
        const Color color = highlight.role == Role::kPlain ? colors.mark : colors.role(highlight.role);
        const ImU32 halo = packed(colors.canvas.alpha(0.65f));
        const auto count = static_cast<int>(line.size());
        draw.PushClipRect(box.low(), box.high(), true);
        if (highlight.kind == Highlight::Kind::kPoint) {
            for (const ImVec2& at : line) {
                draw.AddCircle(at, 9 * scale, halo, 32, 5 * scale);
                draw.AddCircle(at, 9 * scale, packed(color), 32, 2 * scale);
            }
        } else {
            const bool closed = highlight.kind == Highlight::Kind::kPolygon;
            const float thick = (circle ? 1.5f : 3) * scale;
            if (circle) {
                draw.AddPolyline(line.data(), count, halo, 0, thick + 3 * scale);
                draw.AddPolyline(line.data(), count, packed(color.alpha(0.8f)), 0, thick);
            } else {
                // What lies far beyond the view is cut off in doubles.
                const double half_width = 0.5 * box.width / pixel + 100, half_height = 0.5 * box.height / pixel + 100;
                const bool dashed = highlight.style == Highlight::Style::kDashed;
                const float wide = highlight.style == Highlight::Style::kSolid ? thick : 1.5f * scale;
                std::vector<std::array<ImVec2, 2>> pieces;
                for (size_t i = 0; i + (closed ? 0 : 1) < pixels.size(); ++i) {
                    Point a = pixels[i], b = pixels[(i + 1) % pixels.size()];
                    if (clip_segment(a, b, half_width, half_height)) pieces.push_back({on_screen(a), on_screen(b)});
                }
                for (const auto& [a, b] : pieces) draw_outline(draw, {a, b}, false, halo, wide + 3 * scale);
                for (const auto& [a, b] : pieces)
                    if (dashed)
                        draw_dashes(draw, a, b, packed(color), 2 * scale, 6 * scale);
                    else
                        draw_outline(draw, {a, b}, false, packed(color), wide);
            }
        }
        draw.PopClipRect();
    }
}

void draw_outline(ImDrawList& draw, const std::vector<ImVec2>& corners, bool closed, ImU32 color, float thick) {
    const size_t pieces = corners.size() - (closed ? 0 : 1);
    for (size_t i = 0; i < pieces; ++i) draw.AddLine(corners[i], corners[(i + 1) % corners.size()], color, thick);
    for (const ImVec2& corner : corners) draw.AddCircleFilled(corner, 0.5f * thick, color, 12);
}

}  // namespace flipscope::app
