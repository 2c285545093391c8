// Computes where the inspector goes: beside the clicked element, not over it. Pure geometry; draws nothing.
#pragma once

#include <vector>

#include "app/figures/box.h"

namespace flipscope::app {

struct InspectorRequest {
    Box room;                   // bounds for the inspector
    ImVec2 size;                // of the whole text
    float least = 0;            // minimum height; the rest scrolls
    std::vector<ImVec2> shape;  // the clicked point, segment or convex polygon, on the screen
    ImVec2 clicked;             // the clicked position
    float margin = 0;           // around the shape and the clicked position
    float least_width = 0;      // it may shrink to this to fit beside the shape; 0: fixed width
};

/// A box in a corner of the room that does not overlap the shape, smaller than its text if necessary. If no such box
/// exists, it overlaps the shape, but not the clicked position, provided that the room is high enough.
Box place_inspector(const InspectorRequest& request);

/// Whether a box overlaps a point, a segment or a convex polygon.
bool covers(const Box& box, const std::vector<ImVec2>& shape);

}  // namespace flipscope::app
