#include "app/window/panels/report_view.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/window/panels/widgets.h"

namespace flipscope::app {

namespace {

using Shape = Diagram::Shape;
using LegendElement = LegendEntry::Element;

constexpr ptrdiff_t kFewExact = 6;
constexpr float kVanishing = 4.2f;   // half the size of the sign for a shorter edge
constexpr float kExactWidth = 3.2f;  // edges of the exact diagram, screen coordinates at scale 1

double cross(ImVec2 a, ImVec2 b, ImVec2 c) {
    return (double(b.x) - a.x) * (double(c.y) - a.y) - (double(b.y) - a.y) * (double(c.x) - a.x);
}

/// Twice the area; positive if the corners run clockwise on the screen (y down).
double clockwise(const std::vector<ImVec2>& corners) {
    double sum = 0;
    for (size_t i = 1; i + 1 < corners.size(); ++i) sum += cross(corners[0], corners[i], corners[i + 1]);
    return sum;
}

bool is_convex(const std::vector<ImVec2>& corners) {
    const size_t n = corners.size();
    for (size_t i = 0; i < n; ++i)
        if (cross(corners[i], corners[(i + 1) % n], corners[(i + 2) % n]) < -1e-3) return false;
    return true;
}

/// Dear ImGui fills only convex polygons; cut others ear by ear.
void fill_by_ears(ImDrawList& draw, const std::vector<ImVec2>& corners, ImU32 color) {
    std::vector<size_t> left(corners.size());
    std::iota(left.begin(), left.end(), size_t(0));
    while (left.size() >= 3) {
        bool cut = false;
        for (size_t i = 0; i < left.size() && !cut; ++i) {
            const size_t n = left.size(), before = left[(i + n - 1) % n], after = left[(i + 1) % n];
            const ImVec2 a = corners[before], b = corners[left[i]], c = corners[after];
            if (n > 3 && cross(a, b, c) <= 0) continue;
            const bool empty = std::ranges::none_of(left, [&](size_t k) {
                const ImVec2 p = corners[k];
                return k != before && k != left[i] && k != after && cross(a, b, p) > 0 && cross(b, c, p) > 0 &&
                       cross(c, a, p) > 0;
            });
            if (!empty) continue;
            draw.AddTriangleFilled(a, b, c, color);
            left.erase(left.begin() + static_cast<ptrdiff_t>(i));
            cut = true;
        }
        if (!cut) return;  // self-intersecting: leave the rest empty
    }
}

/// A diagram while it is drawn.
struct DiagramDrawing {
    const Ui& ui;
    ImDrawList& draw;
    ImVec2 low, high;  // of the drawing, screen coordinates
    Point middle;      // of the shown part, world units
    double scale;      // screen coordinates per world unit
    bool few_exact;    // edges of the exact diagram are the subject; else a background

    ImVec2 place(Point p) const {
        return {0.5f * (low.x + high.x) + static_cast<float>((p.x - middle.x) * scale),
                0.5f * (low.y + high.y) - static_cast<float>((p.y - middle.y) * scale)};
    }
    std::vector<ImVec2> places(const Shape& shape) const {
        std::vector<ImVec2> found;
        for (const Point& corner : shape.corners) found.push_back(place(corner));
        return found;
    }

    /// Hatched, as in the picture; obstacles are rectangles.
    void obstacle(const std::vector<ImVec2>& corners) const {
        ImVec2 from = corners[0], to = corners[0];
        for (const ImVec2& corner : corners) {
            from = {std::min(from.x, corner.x), std::min(from.y, corner.y)};
            to = {std::max(to.x, corner.x), std::max(to.y, corner.y)};
        }
        draw.AddRectFilled(from, to, packed(ui.colors.role(Role::kObstacle)));
        draw.PushClipRect(from, to, true);
        const float tall = to.y - from.y;
        for (float x = from.x - tall; x < to.x; x += ui.em(5))
            draw.AddLine({x, to.y}, {x + tall, from.y}, packed(ui.colors.hatching), ui.em(1.5f));
        draw.PopClipRect();
    }

    void polygon(const Shape& shape) const {
        std::vector<ImVec2> corners = places(shape);
        if (corners.size() < 3) return;
        if (shape.role == Role::kObstacle) return obstacle(corners);
        if (clockwise(corners) < 0) std::reverse(corners.begin(), corners.end());
        Color color = ui.colors.style(LegendElement::kTriangle, shape.role).color;
        if (shape.name != kNone) color = ui.colors.cell(shape.name);
        if (is_convex(corners))
            draw.AddConvexPolyFilled(corners.data(), static_cast<int>(corners.size()), packed(color));
        else
            fill_by_ears(draw, corners, packed(color));
        // The outline shows a cell's role.
        const bool plain = shape.role == Role::kPlain;
        const Color edge = plain ? ui.colors.canvas.alpha(0.6f) : ui.colors.role(shape.role);
        draw.AddPolyline(corners.data(), static_cast<int>(corners.size()), packed(edge), ImDrawFlags_Closed,
                         ui.em(plain ? 1 : 2));
    }

    void line(const Shape& shape) const {
        const std::vector<ImVec2> corners = places(shape);
        if (corners.size() < 2) return;
        const Style style = ui.colors.style(LegendElement::kEdge, shape.role);
        const auto stroke = [&](const Color& color, float width) {
            draw.AddPolyline(corners.data(), static_cast<int>(corners.size()), packed(color), 0, width);
        };
        if (shape.role == Role::kExact && few_exact) {
            // Contacts of cells are the subject of such a drawing: over the links, with a rim to tell them apart.
            const ImVec2 from = corners.front(), to = corners.back();
            if (std::hypot(to.x - from.x, to.y - from.y) < ui.em(2 * kVanishing))
                return draw_vanishing_edge(ui, draw, {0.5f * (from.x + to.x), 0.5f * (from.y + to.y)});
            stroke(ui.colors.canvas.alpha(0.9f), kExactWidth * ui.em(1) + ui.em(2.4f));
            stroke(style.color.alpha(1), kExactWidth * ui.em(1));
            return;
        }
        const bool changed = shape.role == Role::kLostContact || shape.role == Role::kCreatedContact;
        stroke(style.color, std::max(1.f, ui.em(changed ? 1.2f : 1.6f) * style.size));
    }

    void point(const Shape& shape) const {
        if (shape.corners.empty()) return;
        const Style style = ui.colors.style(LegendElement::kVertex, shape.role);
        const ImVec2 at = place(shape.corners[0]);
        if (shape.role == Role::kExact) return draw_vanishing_edge(ui, draw, at);
        const float radius = ui.em(3.6f) * style.size;
        draw.AddCircleFilled(at, radius + ui.em(1.2f), packed(ui.colors.canvas.alpha(0.8f)), 24);
        draw.AddCircleFilled(at, radius, packed(style.color), 24);
    }

    /// Candidate places for a shape's text, upper left corners: around a point, best first; centred for other shapes.
    std::vector<ImVec2> text_places(const Shape& shape, ImVec2 size) const {
        ImVec2 at{0, 0};
        for (const Point& corner : shape.corners) {
            const ImVec2 p = place(corner);
            at.x += p.x / static_cast<float>(shape.corners.size());
            at.y += p.y / static_cast<float>(shape.corners.size());
        }
        if (shape.kind != Shape::Kind::kPoint) return {{at.x - 0.5f * size.x, at.y - 0.5f * size.y}};
        const float right = at.x + ui.em(6), left = at.x - ui.em(6) - size.x;
        const float above = at.y - size.y - ui.em(1), below = at.y + ui.em(1);
        const float middle = at.x - 0.5f * size.x, gap = ui.em(5);
        return {{right, above}, {right, below},        {left, above},
                {left, below},  {middle, above - gap}, {middle, below + gap}};
    }

    /// Draws the text where it covers nothing and lies within the drawing; otherwise omits it.
    void words(const Shape& shape, std::vector<ImVec4>& occupied) const {
        if (shape.text.empty() || shape.corners.empty()) return;
        const ImVec2 size = ImGui::CalcTextSize(shape.text.c_str());
        for (const ImVec2 corner : text_places(shape, size)) {
            const ImVec2 at(std::round(corner.x), std::round(corner.y));
            const ImVec4 box{at.x, at.y, at.x + size.x, at.y + size.y};
            const bool inside = box.x >= low.x && box.y >= low.y && box.z <= high.x && box.w <= high.y;
            const bool free = std::ranges::none_of(occupied, [&](const ImVec4& other) {
                return box.x < other.z && other.x < box.z && box.y < other.w && other.y < box.w;
            });
            if (!inside || !free) continue;
            occupied.push_back(box);
            const float pad = ui.em(2);
            draw.AddRectFilled({at.x - pad, at.y}, {at.x + size.x + pad, at.y + size.y},
                               packed(ui.colors.canvas.alpha(0.72f)), ui.em(2));
            draw.AddText(at, packed(ui.colors.text), shape.text.c_str());
            return;
        }
    }

    void all(const std::vector<Shape>& shapes) const {
        for (const Shape& shape : shapes) {
            if (shape.kind == Shape::Kind::kPolygon) polygon(shape);
            if (shape.kind == Shape::Kind::kLine) line(shape);
            if (shape.kind == Shape::Kind::kPoint) point(shape);
        }
        std::vector<ImVec4> occupied;  // occupied by points and edges from the start, so that no text hides them
        for (const Shape& shape : shapes) {
            const bool edge = shape.role == Role::kExact && few_exact && shape.kind == Shape::Kind::kLine;
            if ((shape.kind != Shape::Kind::kPoint && !edge) || shape.corners.empty()) continue;
            const ImVec2 from = place(shape.corners.front()), to = place(shape.corners.back());
            const float r = ui.em(3.6f), parts = std::ceil(std::hypot(to.x - from.x, to.y - from.y) / (2 * r)) + 1;
            for (float k = 0; k <= parts; ++k) {
                const ImVec2 at(from.x + k / parts * (to.x - from.x), from.y + k / parts * (to.y - from.y));
                occupied.push_back({at.x - r, at.y - r, at.x + r, at.y + r});
            }
        }
        for (const Shape& shape : shapes) words(shape, occupied);
    }
};

float height_of(const Diagram& diagram, float width, float most) {
    const double wide = diagram.high.x - diagram.low.x, high = diagram.high.y - diagram.low.y;
    if (!(wide > 0) || !(high > 0)) return std::min(width, most);
    return std::min(static_cast<float>(width * high / wide), most);
}

void diagram_title(const Ui& ui, const Diagram& diagram, float width) {
    if (diagram.title.empty()) return;
    ImGui::TextUnformatted(elided(diagram.title, width).c_str());
    help_for_last(ui, diagram.sentence.empty() ? diagram.title : diagram.title + ": " + diagram.sentence);
}

}  // namespace

void draw_vanishing_edge(const Ui& ui, ImDrawList& draw, ImVec2 at) {
    const auto diamond = [&](float r, const Color& color) {
        draw.AddQuadFilled({at.x - r, at.y}, {at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, packed(color));
    };
    diamond(ui.em(kVanishing + 2), ui.colors.canvas.alpha(0.9f));
    diamond(ui.em(kVanishing), ui.colors.role(Role::kExact));
}

/// Draws at the cursor, centred and undistorted, `width` wide and as high as the aspect ratio requires, but at most
/// `most_height`. Leaves the cursor below.
static void draw_diagram(const Ui& ui, const Diagram& diagram, float width, float most_height) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float height = height_of(diagram, width, most_height);
    const ImVec2 high(low.x + width, low.y + height);
    ImGui::Dummy({width, height});
    help_for_last(ui, diagram.sentence);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(low, high, packed(ui.colors.canvas), ui.em(3));
    const double wide = diagram.high.x - diagram.low.x, tall = diagram.high.y - diagram.low.y;
    if (wide > 0 && tall > 0) {
        const Point middle{0.5 * (diagram.low.x + diagram.high.x), 0.5 * (diagram.low.y + diagram.high.y)};
        const auto exact = std::ranges::count_if(diagram.shapes, [](const Shape& shape) {
            return shape.role == Role::kExact && shape.kind == Shape::Kind::kLine;
        });
        const double scale = std::min(width / wide, height / tall);
        const DiagramDrawing drawing{ui, draw, low, high, middle, scale, exact <= kFewExact};
        draw.PushClipRect(low, high, true);
        const Scoped font(ui.fonts.small);
        drawing.all(diagram.shapes);
        draw.PopClipRect();
    }
    draw.AddRect(low, high, packed(ui.colors.panel_edge), ui.em(3));
}

void draw_diagrams(const Ui& ui, const std::vector<const Diagram*>& diagrams, float width, float most_height) {
    if (diagrams.empty()) return;
    const float gap = ui.em(8), least = 0.99f * std::min(ui.em(90), most_height);
    const auto count = static_cast<float>(diagrams.size());
    const bool beside = (width - (count - 1) * gap) / count >= least;
    const float each = beside ? (width - (count - 1) * gap) / count : width;
    for (size_t i = 0; i < diagrams.size(); ++i) {
        if (beside && i > 0) ImGui::SameLine(0, gap);
        ImGui::BeginGroup();
        diagram_title(ui, *diagrams[i], each);
        draw_diagram(ui, *diagrams[i], each, most_height);
        ImGui::EndGroup();
    }
}

}  // namespace flipscope::app
