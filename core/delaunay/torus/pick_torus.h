// Finds the element at a place of a periodic box: the nearest vertex or edge by the shortest way over any border, and
// the triangle that contains the place. Runs once per click and tests all elements in parallel.
#pragma once

#include <cstdint>

#include "compute/context.h"
#include "compute/view.h"
#include "geometry/torus_box.h"
#include "mesh/nearest.h"
#include "mesh/pick.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// The arrays of a mesh that picking reads.
struct TorusLinework {
    TorusBox box;
    View<const Point> positions;     // (v) in the box
    View<const uint32_t> triangles;  // (t, 3)
    View<const ImageShift> shifts;   // (t, 3)
    View<const uint32_t> corner_of;  // (e, 2)

    static TorusLinework of(const TriangleMesh& mesh, const TorusBox& box);
};

/// `place` is in the box. Each function waits for the device.
NearestElement nearest_vertex(Context& context, const TorusLinework& lines, Point place);
NearestElement nearest_edge(Context& context, const TorusLinework& lines, Point place);
/// By differences in doubles. kNone: no triangle contains it.
uint32_t holding_triangle(Context& context, const TorusLinework& lines, Point place);

/// As pick_element(): a vertex within `radius`, an edge within half of that, else a triangle. id kNone: nothing found,
/// or a place outside the box.
Element pick_on_torus(Context& context, const TorusLinework& lines, const Probe& probe);

}  // namespace flipscope
