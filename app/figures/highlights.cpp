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

InView in_view(uint32_t part, const ShownView& view) {
    const double half_width = 0.5 * view.box.width / view.pixel, half_height = 0.5 * view.box.height / view.pixel;
    return {part, view.camera.to_world({-half_width, -half_height}), view.camera.to_world({half_width, half_height})};
}

void draw_element_labels(const Ink& ink, const std::vector<ElementLabel>& labels, const std::vector<ShownView>& views) {
    std::vector<Area> drawn;
    const double pad = 0.19 * ink.font, beside = 0.47 * ink.font, high = ink.line();
    ink.drawing.begin_layer("labels", "Labels", {});
    for (const ElementLabel& label : labels) {
        if (label.element.part >= views.size()) continue;
        const ShownView& view = views[label.element.part];
        const Point at = view.placed(view.camera.to_pixels(label.place));
        const double wide = ink.width(label.text);
        const bool vertex = label.element.kind == ElementKind::kVertex;
        // The label leaves the vertex's dot visible: to its upper right, or at another corner with room.
        const Point corners[] = {{at.x + beside, at.y - beside - high},
                                 {at.x + beside, at.y + beside},
                                 {at.x - beside - wide, at.y - beside - high},
                                 {at.x - beside - wide, at.y + beside}};
        const Point middle{at.x - 0.5 * wide, at.y - 0.5 * high};
        for (int k = 0; k < (vertex ? 4 : 1); ++k) {
            const Point low = vertex ? corners[k] : middle;
            const Area place{low.x - pad, low.y, wide + 2 * pad, high}, &box = view.box;
            const bool inside =
                place.x >= box.x && place.y >= box.y && place.right() <= box.right() && place.bottom() <= box.bottom();
            const bool free = std::ranges::none_of(drawn, [&](const Area& b) {
                return place.x < b.right() && b.x < place.right() && place.y < b.bottom() && b.y < place.bottom();
            });
            if (!inside || !free) continue;
            ink.ground(place, 0.7f);
            ink.write(low, vertex ? ink.colors.text : ink.colors.quiet_text, label.text);
            drawn.push_back(place);
            break;
        }
    }
    ink.drawing.end_layer();
}

void draw_layer_words(const Ink& ink, const std::vector<PlacedLabel>& words, Point corner, double pixel) {
    for (const PlacedLabel& word : words) {
        const auto placed = [&](double x, double y) { return Point{corner.x + x * pixel, corner.y + y * pixel}; };
        const PixelBox& box = word.box;
        const Point low = placed(box.x, box.y), high = placed(box.x + box.width, box.y + box.height);
        const Area view{low.x, low.y, high.x - low.x, high.y - low.y};
        ink.drawing.begin_layer("words", "Words", view);
        draw_word(ink, view, placed(word.x, word.y), *word.text,
                  word.role == Role::kPlain ? ink.colors.text : ink.colors.role(word.role));
        ink.drawing.end_layer();
    }
}

}  // namespace flipscope::app
