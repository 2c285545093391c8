// Draws over a picture what explains a report: circumcircles, edges that have precedence. Knows no lab.
#pragma once

#include <vector>

#include "app/figures/annotation.h"
#include "lab/report.h"

namespace flipscope::app {

/// Where a view of the scene is, and through which camera it is seen.
struct ShownView {
    Area box;          // units of the drawing
    Camera camera;     // its pixels are those of the canvas
    double pixel = 1;  // units of the drawing that a pixel of the canvas takes

    /// Of pixels from the middle of the view, y up.
    Point placed(Point pixels) const {
        return {box.x + 0.5 * box.width + pixels.x * pixel, box.y + 0.5 * box.height - pixels.y * pixel};
    }
};

/// `views`: by Highlight::part. What is drawn in the plain role has the colour of what is chosen.
void draw_highlights(const Ink& ink, const std::vector<Highlight>& highlights, const std::vector<ShownView>& views);

/// Of a circle in pixels the part that can be seen within `reach` of the middle: one through nearly collinear points is
/// as good as a line.
std::vector<Point> visible_arc(Point centre, double radius, double reach);
/// The part of the segment from a to b within a box around the middle, pixels; false: there is none.
bool clip_segment(Point& a, Point& b, double half_width, double half_height);

}  // namespace flipscope::app
