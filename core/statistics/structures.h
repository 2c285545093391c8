// Structures of a planar triangulation: which edges belong to the convex hull, the nearest-neighbour graph, the
// Euclidean minimum spanning tree, the relative neighbourhood graph, the Gabriel graph and the β-skeleton, and at which
// α an edge or triangle enters the α-complex. Signs are exact, ties are broken by input indices, and all results have
// the same bits on every device and for any number of threads. The mesh is not changed.
//
// Definitions. An edge pq is a Gabriel edge if no point lies inside the circle with pq as its diameter, and an edge of
// the relative neighbourhood graph if no point is nearer to both p and q than they are to each other (Toussaint 1980).
// β-skeletons (Kirkpatrick and Radke 1985) have these as cases: for β >= 1 the region is the lune of is_in_disc(), for
// β <= 1 that of is_in_lens(). All regions are open: a point on the boundary does not exclude the edge. The nearest
// neighbour of a point is the one of the lowest index among those equally near; the spanning tree is minimal by
// (length, lower index, higher index) of its edges.
//
// Only edges of the triangulation are tested. All edges of the first three graphs and of skeletons with β > 1 are
// Delaunay edges, for every way to break the ties of cocircular points: the closed circle with such an edge as its
// diameter contains no further point. Of the two diagonals of a rectangle, both of which have an empty open circle, the
// Gabriel graph here has the one of the triangulation. Skeletons with β < 1 are those of Delaunay edges; the whole ones
// have crossing edges, and for β = 0 all pairs.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "flipscope/structures.h"
#include "geometry/proximity.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// A planar mesh; views are in the memory of the context's device.
struct StructureMesh {
    MeshView mesh;
    uint32_t inside = 0;  // vertices from here on are helpers and the vertex at infinity
    uint32_t edge_count = 0, triangle_count = 0;

    FLIPSCOPE_HD bool is_inside(uint32_t v) const { return v < inside; }
    FLIPSCOPE_HD Point at(uint32_t v) const { return mesh.positions[v]; }
};
StructureMesh structure_mesh(const TriangleMesh& mesh, uint32_t inside);

/// The first point inside the lune of the edge at a corner, for β >= 1, on the side of the corner's triangle; kNone:
/// none. The mesh must be Delaunay, with any choice for cocircular points.
///
/// The walk follows the triangles that a segment from the edge to that point crosses. The lune is the intersection of
/// two open discs D and E; for β > 1, q lies in D and p in E. The vertices inside a disc are connected by Delaunay
/// edges inside it (they are those of the lifted polytope below a plane). So an edge with both ends outside D cannot
/// lie between q and a point inside D, nor one with both ends outside E between p and a point inside E: every crossed
/// edge has an end in D and one in E. The apex beyond it is in both, and found; or in one, and replaces that end; or in
/// neither, and there is no point. For β = 1, D = E, and a point inside it lies on the side of an apex inside it.
FLIPSCOPE_HD inline uint32_t point_in_lune(const StructureMesh& s, uint32_t corner, double beta) {
    const Point p = s.at(s.mesh.from(corner)), q = s.at(s.mesh.to(corner));
    for (uint32_t steps = 0; steps < s.triangle_count; ++steps) {
        const uint32_t apex = s.mesh.apex(corner);
        if (!s.is_inside(apex)) return kNone;
        const Point a = s.at(apex);
        const bool in_d = is_in_disc(p, q, a, beta), in_e = is_in_disc(q, p, a, beta);
        if (in_d && in_e) return apex;
        if (in_d == in_e) return kNone;
        corner = s.mesh.across(in_d ? previous_corner(corner) : next_corner(corner));
    }
    return kNone;
}

/// The number of edges that are not Delaunay, exactly, and of places where the outline is not convex; of flat or
/// inverted triangles, and of edges whose incidence is stale, as in the middle of a round. Not 0: only the hull, the
/// Gabriel test by adjacent triangles and duals of the present triangles have a meaning. Waits.
uint64_t count_illegal(Context& context, const StructureMesh& mesh);

/// An edge between two trees of the growing forest.
struct LiveEdge {
    double squared;     // its length, rounded
    uint32_t edge;      //
    uint32_t trees[2];  // roots
};

class EdgeStructures {
  public:
    /// Hull and Gabriel edges, these against the two triangles at an edge only. `delaunay`: also the relative
    /// neighbourhood graph, the nearest neighbours and the spanning tree; the mesh must be Delaunay. Waits.
    void find(Context& context, const StructureMesh& mesh, bool delaunay);
    /// Sets kInSkeleton, after find() of a Delaunay mesh. kLeastBeta <= beta <= kMostBeta.
    void find_skeleton(Context& context, const StructureMesh& mesh, double beta);
    const Buffer<uint32_t>& words() const { return words_; }  // (e) bits of StructureBit

  private:
    void grow_tree(Context& context, const StructureMesh& mesh);
    Buffer<uint32_t> words_{"structure words"};
    Buffer<uint32_t> parents_{"trees"};      // (v) towards the root of its tree
    Buffer<uint32_t> least_{"least edges"};  // (v) of roots: index in live_
    Buffer<LiveEdge> live_[2] = {Buffer<LiveEdge>{"live edges"}, Buffer<LiveEdge>{"next live edges"}};
    Buffer<uint32_t> count_{"count of live edges"};
};

/// The α at which each element enters the α-complex, world units (Edelsbrunner and Mücke 1994; squared it is the
/// filtration value of CGAL and GUDHI): the circumradius of a triangle; half the length of a Gabriel edge; of other
/// edges that of the triangle that enters first. Rounded, and never greater for an edge than for its triangles. NaN:
/// not finite. Empty buffers are not written.
void write_alpha(Context& context, const StructureMesh& mesh, const Buffer<double>& edges,
                 const Buffer<double>& triangles);
/// (e) The greatest β of a skeleton that has the edge, rounded, at most kMostBeta. The mesh must be Delaunay. NaN: not
/// finite.
void write_beta(Context& context, const StructureMesh& mesh, const Buffer<double>& edges);

struct EdgeLimits {
    double alpha, beta;
    uint32_t nearer;  // a point that is nearer to both ends than these are to each other; kNone: none
};
/// Of a finite edge of a Delaunay mesh. Waits.
EdgeLimits limits_of(Context& context, const StructureMesh& mesh, uint32_t edge);

}  // namespace flipscope
