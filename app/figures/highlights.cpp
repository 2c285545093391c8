#include "app/figures/highlights.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "app/figures/clip.h"

namespace flipscope::app {

namespace {

/// The arc of a circle (pixels) within `reach` of the middle. A circle through nearly collinear points becomes a line.
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

void draw_highlights(const Ink& ink, const std::vector<Highlight>& highlights, const std::vector<ShownView>& views) {
    constexpr double kRing = 0.84, kThick = 0.28, kThin = 0.14, kDash = 0.56;  // multiples of the font size
    std::optional<uint32_t> layer;                                             // the part whose layer is open
    for (const Highlight& highlight : highlights) {
        if (highlight.places.empty() || highlight.part >= views.size()) continue;
        const ShownView& view = views[highlight.part];
        const Area& box = view.box;
        const double reach = std::hypot(box.width, box.height) / view.pixel;
        std::vector<Point> pixels;  // from the middle of the view, y up
        for (const Point3& place : highlight.places) pixels.push_back(view.camera.to_pixels(place));
        const bool circle = highlight.kind == Highlight::Kind::kCircle,
                   point = highlight.kind == Highlight::Kind::kPoint;
        if (circle) {
            const double radius = highlight.radius * view.camera.scale;
            if (std::abs(std::hypot(pixels[0].x, pixels[0].y) - radius) > reach) continue;
            pixels = visible_arc(pixels[0], radius, reach);
        }
        const Color color = highlight.role == Role::kPlain ? ink.colors.mark : ink.colors.role(highlight.role);
        const bool solid = highlight.style == Highlight::Style::kSolid && !circle;
        const double width = (point ? 0.19 : solid ? kThick : kThin) * ink.font;
        if (layer && layer != highlight.part) ink.drawing.end_layer();
        if (layer != highlight.part) ink.drawing.begin_layer("marks", "Marks", box);
        layer = highlight.part;
        for (const bool halo : {true, false}) {
            Paint paint{{}, halo ? ink.colors.canvas.alpha(0.65f) : color, halo ? width + kThick * ink.font : width};
            paint.round = true;
            if (highlight.style == Highlight::Style::kDashed && !halo) paint.dash = kDash * ink.font;
            ink.drawing.begin_group({}, paint);
            if (circle) {
                std::vector<Point> arc;
                for (const Point& at : pixels) arc.push_back(view.placed(at));
                ink.drawing.polyline(arc);
            }
            // Clip in double: far outside the view, floats are too coarse.
            const bool closed = highlight.kind == Highlight::Kind::kPolygon;
            for (size_t i = 0; !point && !circle && i + (closed ? 0 : 1) < pixels.size(); ++i) {
                Point a = pixels[i], b = pixels[(i + 1) % pixels.size()];
                if (clip_segment(a, b, {-reach, -reach}, {reach, reach}))
                    ink.drawing.line(view.placed(a), view.placed(b));
            }
            for (size_t i = 0; point && i < pixels.size(); ++i)
                if (std::hypot(pixels[i].x, pixels[i].y) < reach)
                    ink.drawing.disc(view.placed(pixels[i]), kRing * ink.font);
            ink.drawing.end_group();
        }
    }
    if (layer) ink.drawing.end_layer();
}

}  // namespace flipscope::app
