// The vertices, edges and triangles of a triangulation on a torus or a cylinder, for drawing. Edges and triangles
// beyond the borders of a cylinder (torus_box.h) get kNone as corners, so they are not drawn.
#pragma once

#include "mesh/triangle_mesh.h"

namespace flipscope {

/// World coordinates, (n), of positions in a box with this corner.
void place_in_world(Context& context, View<const Point> positions, Point corner, Buffer<Point>& places);
/// The corner of the first half-edge of every edge, (e). Use it between a flip and its repair, when mesh.corner_of is
/// stale.
void find_corners(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& corners);
/// Ends of edges, (e, 2), from the result of find_corners().
void copy_edges_between(Context& context, const TriangleMesh& mesh, View<const uint32_t> corners,
                        Buffer<uint32_t>& ends);
/// Corners of triangles, (t, 3).
void copy_triangles_between(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& corners);

}  // namespace flipscope
