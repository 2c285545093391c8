// What lies under the cursor? Asked once a click, so it looks at everything, in parallel.
#pragma once

#include "mesh/triangle_mesh.h"

namespace flipscope {

enum class ElementKind { kVertex, kEdge, kTriangle };
struct Element {
    ElementKind kind = ElementKind::kTriangle;
    uint32_t id = kNone;
};

/// The vertex nearest to `place` (world units) if it is within `radius`; else the edge within half of that; else the
/// finite triangle that holds the place; else id kNone. Of vertices those below `point_count` count.
Element pick_element(Context& context, const TriangleMesh& mesh, uint32_t point_count, Point place, double radius);

}  // namespace flipscope
