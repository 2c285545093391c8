// Makes a TriangleMesh out of triangles over points: finds which of them share an edge, turns the triangles of a
// surface alike, cuts it where it is no surface, and closes every boundary with ghosts. Called by labs that start from
// triangles; it judges no geometry (validate.h does) and moves no point.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/triangle_mesh.h"

namespace flipscope {

/// What connect() met on its way.
struct Connection {
    uint64_t boundary_edges = 0;  // with one triangle; cut seams not counted
    uint64_t seams = 0;           // edges of the input that were cut: with three or more triangles, or with two that
                                  // cannot be oriented alike
    std::vector<uint32_t> seam_edges;  // ids of the edges they became, two or more each, ascending; they never flip,
                                       // and so keep their ids
    uint64_t turned = 0;               // triangles turned around so that neighbours agree
    uint64_t components = 0;           // of triangles, across edges that are not cut
    uint64_t outlines = 0;             // closed loops of boundary and cut edges, each walled off by its own ghosts
    uint64_t pinched_vertices = 0;     // where several umbrellas of triangles meet
    uint64_t unused_points = 0;        // in no triangle: left out of the mesh
    bool convex_outline = false;  // in the plane: one outline, convex but for collinear points on it. With its ghosts
                                  // the mesh then is what the Build lab makes of these points: v finite vertices
                                  // have 2(v + 1) - 4 triangles and 3(v + 1) - 6 edges
};

/// Fills `mesh` with the triangles of `geometry` and ghosts (v, u, infinite) across every boundary half-edge u → v.
/// Vertices keep the order of the points, without those that no triangle uses; finite triangles come first, in their
/// order and with their first corners; then the ghosts. Edges ascend by (lesser, greater vertex id), finite ones first,
/// and half 2e is where an edge runs from the lesser to the greater. Ghosts are linked around the umbrella of triangles
/// at each boundary vertex, so that outlines may touch at vertices. An edge with three or more triangles, or one across
/// which the triangles of a surface cannot be oriented alike (a Möbius band), is cut: each of its triangles gets an
/// edge and a ghost of its own, so that no flip crosses it; with states such edges are in kStateSeam. In the plane the
/// triangles must be counter-clockwise: require_triangulation() and turn_all() see to that.
///
/// `pinched`: (v + 1) 1 where several umbrellas meet at a vertex, and empty when there is no such vertex.
/// Throws Error for a triangle that names a point that does not exist or one point twice.
Connection connect(Context& context, const Geometry& geometry, TriangleMesh& mesh, Buffer<uint8_t>& pinched,
                   bool with_states);

}  // namespace flipscope
