#include "app/figures/labels.h"

#include <algorithm>

namespace flipscope::app {

InView in_view(uint32_t part, const ShownView& view) {
    const double half_width = 0.5 * view.box.width / view.pixel, half_height = 0.5 * view.box.height / view.pixel;
    return {part, view.camera.to_world({-half_width, -half_height}), view.camera.to_world({half_width, half_height})};
}

std::vector<std::pair<std::string, Area>> draw_element_labels(const Ink& ink, const std::vector<ElementLabel>& labels,
                                                              const std::vector<ShownView>& views) {
    std::vector<std::pair<std::string, Area>> drawn;
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
            const bool free = std::ranges::none_of(drawn, [&](const auto& other) {
                const Area& b = other.second;
                return place.x < b.right() && b.x < place.right() && place.y < b.bottom() && b.y < place.bottom();
            });
            if (!inside || !free) continue;
            ink.ground(place, 0.7f);
            ink.write(low, vertex ? ink.colors.text : ink.colors.quiet_text, label.text);
            drawn.emplace_back(label.text, place);
            break;
        }
    }
    ink.drawing.end_layer();
    return drawn;
}

void draw_layer_words(const Ink& ink, const std::vector<PlacedLabel>& words, Point corner, double pixel) {
    for (const PlacedLabel& word : words) {
        const auto placed = [&](double x, double y) { return Point{corner.x + x * pixel, corner.y + y * pixel}; };
        const Point low = placed(word.view_low_x, word.view_low_y), high = placed(word.view_high_x, word.view_high_y);
        const Area view{low.x, low.y, high.x - low.x, high.y - low.y};
        ink.drawing.begin_layer("words", "Words", view);
        draw_word(ink, view, placed(word.x, word.y), *word.text,
                  word.role == Role::kPlain ? ink.colors.text : ink.colors.role(word.role));
        ink.drawing.end_layer();
    }
}

}  // namespace flipscope::app
