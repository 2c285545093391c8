// Finds the element under the cursor. Runs once per click and tests all elements in parallel.
#pragma once

#include "flipscope/judge.h"
#include "mesh/linework.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// Where the user points.
struct Probe {
    Point place;        // in the plane of the picture, as `view` projects; world units
    double radius = 0;  // world units
    ViewAxes view;      // the viewing direction; ignored in the plane
    uint32_t part = 0;  // index of the view
};

/// The nearest vertex below `point_count` within `radius` of the probe; else the nearest edge within half of it; else
/// the finite triangle that contains the place; else id kNone. On a surface, elements in front hide those behind.
Element pick_element(Context& context, const TriangleMesh& mesh, uint32_t point_count, const Probe& probe);
/// The same for lines in the plane, without triangles.
Element pick_element(Context& context, const Linework& lines, uint32_t point_count, const Probe& probe);

}  // namespace flipscope
