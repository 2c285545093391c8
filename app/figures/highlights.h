// Draws over a picture: a report's explanations, such as circumcircles and edges with precedence, the words of its
// layers, and ids and names of elements where they fit. Independent of labs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/annotation.h"
#include "app/render/renderer.h"
#include "lab/element_labels.h"
#include "lab/report.h"

namespace flipscope::app {

/// A view's place in a drawing and its camera.
struct ShownView {
    Area box;          // units of the drawing
    Camera camera;     // in pixels of the canvas
    double pixel = 1;  // units of the drawing per canvas pixel

    /// From pixels relative to the view's middle, y up, to the drawing.
    Point placed(Point pixels) const {
        return {box.x + 0.5 * box.width + pixels.x * pixel, box.y + 0.5 * box.height - pixels.y * pixel};
    }
};

/// `views`: indexed by Highlight::part. The plain role has the selection colour.
void draw_highlights(const Ink& ink, const std::vector<Highlight>& highlights, const std::vector<ShownView>& views);

/// The visible part of the plane in a view.
InView in_view(uint32_t part, const ShownView& view);

/// Draws the labels that overlap no earlier one; vertices first.
void draw_element_labels(const Ink& ink, const std::vector<ElementLabel>& labels, const std::vector<ShownView>& views);

/// The words of layers. `corner`: the canvas's upper left corner in the drawing; `pixel`: units of the drawing per
/// canvas pixel.
void draw_layer_words(const Ink& ink, const std::vector<PlacedLabel>& words, Point corner, double pixel);

}  // namespace flipscope::app
