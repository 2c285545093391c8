// Draws over a picture what explains a report: circumcircles, edges that have precedence. With Dear ImGui's draw lists,
// so that the window and a picture made without one show the same. Knows no lab.
#pragma once

#include <imgui.h>

#include <vector>

#include "app/figures/box.h"
#include "app/view/camera.h"
#include "app/view/palette.h"
#include "lab/report.h"

namespace flipscope::app {

/// Where a view of the scene is, and through which camera it is seen.
struct ShownView {
    Box box;          // units of the draw list
    Camera camera;    // its pixels are those of the canvas
    float pixel = 1;  // units of the draw list that a pixel of the canvas takes
};

/// `views`: by Highlight::part. `scale`: of lines, as text is scaled. What is drawn in the plain role has the colour of
/// what is chosen.
void draw_highlights(ImDrawList& draw, const Palette& colors, float scale, const std::vector<Highlight>& highlights,
                     const std::vector<ShownView>& views);

/// Straight pieces with round corners: a mitred one would be a spike at the corner of a thin triangle. Two or more
/// corners.
void draw_outline(ImDrawList& draw, const std::vector<ImVec2>& corners, bool closed, ImU32 color, float thick);

/// Of a circle in pixels the part that can be seen within `reach` of the middle: one through nearly collinear points is
/// as good as a line.
std::vector<Point> visible_arc(Point centre, double radius, double reach);
/// The part of the segment from a to b within a box around the middle, pixels; false: there is none.
bool clip_segment(Point& a, Point& b, double half_width, double half_height);

}  // namespace flipscope::app
