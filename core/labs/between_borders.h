// The vertices, edges and triangles of a triangulation on a torus or a cylinder, for drawing: those that lead beyond a
// cylinder's borders (torus_box.h) have kNone for corners, and so are not drawn.
#pragma once

#include "mesh/triangle_mesh.h"

namespace flipscope {

/// Places in the world, (n), of positions in a box with this corner.
void place_in_world(Context& context, View<const Point> positions, Point corner, Buffer<Point>& places);
/// The slot of the first half of every edge, (e). Between a flip and its repair mesh.corner_of still holds former
/// ones.
void find_slots(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& slots);
/// Ends of edges, (e, 2), of the slots that find_slots() has found.
void copy_edges_between(Context& context, const TriangleMesh& mesh, View<const uint32_t> slots, Buffer<uint32_t>& ends);
/// Corners of triangles, (t, 3).
void copy_triangles_between(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& corners);

}  // namespace flipscope
