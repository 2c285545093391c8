// Finds the element under the cursor, or those in view. Tests all elements in parallel: once per click, and once per
// view.
#pragma once

#include <optional>
#include <vector>

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
/// The same on a mesh that is drawn in space at heights which are not its own.
Element pick_in_space(Context& context, const MeshView& mesh, uint32_t triangle_count, uint32_t edge_count,
                      uint32_t point_count, const Probe& probe);

/// The ids, ascending, of the elements among the first `count` whose place lies in the box: a vertex, the midpoint of
/// an edge, or the centroid of a triangle; ghosts have no place. nullopt: more than `most`. Planar meshes only. Waits
/// for the device.
std::optional<std::vector<uint32_t>> elements_in_box(Context& context, const TriangleMesh& mesh, ElementKind kind,
                                                     uint32_t count, Point low, Point high, uint32_t most);

}  // namespace flipscope
