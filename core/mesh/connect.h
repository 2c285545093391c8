// Builds a TriangleMesh from triangles over points: finds shared edges, orients the triangles of a surface
// consistently, cuts it along non-manifold edges, and closes every boundary with ghosts. Called by labs that start from
// triangles. It does not validate the geometry (see validate.h) and moves no point.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/triangle_mesh.h"

namespace flipscope {

/// What connect() found.
struct Connection {
    uint64_t boundary_edges = 0;  // with one triangle; cut seams not counted
    uint64_t seams = 0;           // edges of the input that were cut: with three or more triangles, or with two that
                                  // cannot be oriented alike
    std::vector<uint32_t> seam_edges;  // ids of the edges they became, two or more each, ascending; they never flip,
                                       // and so keep their ids
    uint64_t turned = 0;               // triangles reoriented to agree with their neighbours
    uint64_t components = 0;           // of triangles, across edges that are not cut
    uint64_t outlines = 0;             // closed loops of boundary and cut edges, each walled off by its own ghosts
    uint64_t pinched_vertices = 0;     // where several umbrellas of triangles meet
    uint64_t unused_points = 0;        // in no triangle: omitted from the mesh
    bool convex_outline = false;  // in the plane: one outline, convex but for collinear points on it. With its ghosts
                                  // the mesh then is what the Build lab makes of these points: v finite vertices
                                  // have 2(v + 1) - 4 triangles and 3(v + 1) - 6 edges
};

/// Fills `mesh` with the triangles of `geometry` and ghosts (v, u, infinite) across every boundary half-edge u → v.
/// Vertices keep the order of the points, without unused ones. Finite triangles come first, with unchanged order and
/// first corners; then the ghosts. Edges ascend by (lesser, greater vertex id), finite ones first, and half-edge 2e is
/// where an edge runs from the lesser to the greater. Ghosts are linked around the umbrella of triangles at each
/// boundary vertex, so that outlines may touch at vertices. An edge with three or more triangles, or one across which
/// the triangles of a surface cannot be oriented alike (a Möbius band), is cut: each of its triangles gets its own edge
/// and ghost, so that no flip crosses it; recorded states mark such edges kStateSeam. In the plane the triangles must
/// be counter-clockwise: require_triangulation() and turn_all() ensure this.
///
/// `pinched`: (v + 1) 1 for vertices where several umbrellas meet; empty if there is no such vertex. Throws Error for a
/// triangle with a nonexistent or repeated point.
Connection connect(Context& context, const Geometry& geometry, TriangleMesh& mesh, Buffer<uint8_t>& pinched,
                   bool with_states);

}  // namespace flipscope
