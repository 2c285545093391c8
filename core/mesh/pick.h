// What lies under the cursor? Asked once a click, so it looks at everything, in parallel.
#pragma once

#include "mesh/linework.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

enum class ElementKind { kVertex, kEdge, kTriangle, kPixel };  // kPixel: of a lattice, y · width + x
struct Element {
    ElementKind kind = ElementKind::kTriangle;
    uint32_t id = kNone;
    uint32_t part = 0;  // of which view of the scene
};

/// Where the user points.
struct Probe {
    Point place;        // in the plane of the picture, as `view` projects; world units
    double radius = 0;  // world units
    ViewAxes view;      // how the scene is seen; has no meaning in the plane
    uint32_t part = 0;  // which view of the scene
};

/// The vertex nearest to the probe's place if it is within `radius`; else the edge within half of that; else the finite
/// triangle that holds the place; else id kNone. Of vertices those below `point_count` count. Of a surface, what lies
/// in front hides what lies behind.
Element pick_element(Context& context, const TriangleMesh& mesh, uint32_t point_count, const Probe& probe);
/// The same of lines in the plane, without triangles.
Element pick_element(Context& context, const Linework& lines, uint32_t point_count, const Probe& probe);

}  // namespace flipscope
