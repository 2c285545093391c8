// Where the inspector stands: beside what was clicked, never over it. Boxes from numbers; nothing is drawn here.
#pragma once

#include <vector>

#include "app/figures/box.h"

namespace flipscope::app {

struct InspectorRequest {
    Box room;                   // it stays within this
    ImVec2 size;                // what all of its text needs
    float least = 0;            // height that it needs in any case; the rest is scrolled
    std::vector<ImVec2> shape;  // what was clicked: a point, a segment or a convex polygon, on the screen
    ImVec2 clicked;             // where
    float margin = 0;           // to be left around both
    float least_width = 0;      // it may be made as narrow as this to stand beside the shape; 0: it may not
};

/// In a corner of the room where it covers nothing of the shape, shorter and narrower than its text where it must. A
/// shape that leaves no such room is covered in part; the clicked place is not, while the room is high enough.
Box place_inspector(const InspectorRequest& request);

/// Whether a box covers some of a point, a segment or a convex polygon.
bool covers(const Box& box, const std::vector<ImVec2>& shape);

}  // namespace flipscope::app
