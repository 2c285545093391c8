// Draws a report's explanations over a picture: circumcircles, edges with precedence. Independent of labs.
#pragma once

#include <vector>

#include "app/figures/annotation.h"
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

}  // namespace flipscope::app
