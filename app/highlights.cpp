#include "app/highlights.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/theme.h"

namespace flipscope::app {

namespace {

/// Of a circle in pixels the part that can be seen within `reach` of the middle: one through nearly collinear points is
/// as good as a line.
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
        std::vector<ImVec2> line;
        for (const Point& at : pixels)
            line.push_back({box.x + 0.5f * box.width + static_cast<float>(at.x) * pixel,
                            box.y + 0.5f * box.height - static_cast<float>(at.y) * pixel});
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
                draw_outline(draw, line, closed, halo, thick + 3 * scale);
                draw_outline(draw, line, closed, packed(color), thick);
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

Highlight highlight_of(const Element& element, const std::vector<Point3>& corners, std::string name) {
    using Kind = Highlight::Kind;
    return {corners.size() >= 3   ? Kind::kPolygon
            : corners.size() == 2 ? Kind::kLine
                                  : Kind::kPoint,
            corners,
            0,
            Role::kPlain,
            std::move(name),
            element.part};
}

}  // namespace flipscope::app
