#include "app/figures/labels.h"

#include <algorithm>
#include <cmath>

#include "app/figures/annotation.h"
#include "app/figures/theme.h"

namespace flipscope::app {

InView in_view(uint32_t part, const ShownView& view) {
    const double half_width = 0.5 * view.box.width / view.pixel, half_height = 0.5 * view.box.height / view.pixel;
    return {part, view.camera.to_world({-half_width, -half_height}), view.camera.to_world({half_width, half_height})};
}

std::vector<std::pair<std::string, Box>> draw_element_labels(ImDrawList& draw, const ImFont& font,
                                                             const Palette& colors, float scale,
                                                             const std::vector<ElementLabel>& labels,
                                                             const std::vector<ShownView>& views) {
    std::vector<std::pair<std::string, Box>> drawn;
    const float pad = 2 * scale;
    for (const ElementLabel& label : labels) {
        if (label.element.part >= views.size()) continue;
        const auto& [box, camera, pixel] = views[label.element.part];
        const Point at = camera.to_pixels(label.place);
        const float x = box.x + 0.5f * box.width + static_cast<float>(std::clamp(at.x, -1e6, 1e6)) * pixel;
        const float y = box.y + 0.5f * box.height - static_cast<float>(std::clamp(at.y, -1e6, 1e6)) * pixel;
        const ImVec2 size = Pen::measure(font, label.text);
        const bool vertex = label.element.kind == ElementKind::kVertex;
        // A vertex keeps its dot: its label stands to the upper right, or where there is no room on the other sides.
        const float beside = 5 * scale;
        const ImVec2 corners[] = {{x + beside, y - beside - size.y},
                                  {x + beside, y + beside},
                                  {x - beside - size.x, y - beside - size.y},
                                  {x - beside - size.x, y + beside}};
        const ImVec2 middle(x - 0.5f * size.x, y - 0.5f * size.y);
        for (int k = 0; k < (vertex ? 4 : 1); ++k) {
            const ImVec2 low = vertex ? corners[k] : middle;
            const Box place{std::round(low.x) - pad, std::round(low.y), size.x + 2 * pad, size.y};
            const bool inside = place.x >= box.x && place.y >= box.y && place.x + place.width <= box.x + box.width &&
                                place.y + place.height <= box.y + box.height;
            const bool free = std::none_of(drawn.begin(), drawn.end(), [&](const auto& other) {
                const Box& b = other.second;
                return place.x < b.x + b.width && b.x < place.x + place.width && place.y < b.y + b.height &&
                       b.y < place.y + place.height;
            });
            if (!inside || !free) continue;
            draw.AddRectFilled(place.low(), {place.x + place.width, place.y + place.height},
                               packed(colors.canvas.alpha(0.7f)), 2 * scale);
            draw.AddText(&font, Pen::line(font), {place.x + pad, place.y},
                         packed(vertex ? colors.text : colors.quiet_text), label.text.c_str());
            drawn.emplace_back(label.text, place);
            break;
        }
    }
    return drawn;
}

}  // namespace flipscope::app
