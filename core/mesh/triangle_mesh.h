// The triangulation in a layout shared by kernels and OpenGL: vertices, triangles and edges in flat arrays, after
// Navarro, Hitschfeld and Scheihing (2011), closed into a sphere by one vertex at infinity. Kernels get a MeshView; the
// renderer draws the same buffers. Independent of all algorithms.
//
// Corners. Place k of triangle t is corner 3t + k. It holds the vertex triangles[3t + k], and stands for the directed
// edge from that vertex to the next one of the triangle; the vertex opposite to it, its apex, is at place k + 2.
//
// Half-edges. Edge e has the half-edges 2e and 2e + 1, one for each of its triangles. Half-edge h lies at corner
// corner_of[h] ("the place in the triangle array where the edge is found"), and corner s has the half-edge
// half_edge_at[s]. The triangle across corner s is therefore corner_of[half_edge_at[s] ^ 1] / 3.
//
// Infinity. The vertex `infinite` has no position. A triangle that has it is a ghost: one for every edge of the hull.
// With it there is no boundary: v vertices in the plane have exactly 2v - 4 triangles and 3v - 6 edges. A mesh whose
// outline is not the convex hull, or a surface, has a ghost for every edge of its boundary; a closed surface has none.
//
// Torus. A triangulation of a periodic box has no vertex at infinity, and stores for every corner which image of a
// vertex its edge leads to (shifts): v vertices have exactly 2v triangles and 3v edges. See delaunay/torus.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "geometry/point.h"
#include "geometry/torus_box.h"

namespace flipscope {

using State = uint16_t;  // one word for every vertex, edge and triangle: bits of StateBit
enum StateBit : State {
    kStateFresh = 1 << 0,     // made in this round
    kStateIllegal = 1 << 1,   // edge: not Delaunay
    kStateGranted = 1 << 2,   // edge: will flip in this pass
    kStateDeferred = 1 << 3,  // edge: illegal, but another edge was granted one of its triangles
    kStateFlipped = 1 << 4,   // edge or triangle: flipped in the last flip pass
    kStateStale = 1 << 5,     // edge: its references are out of date until the repair
    kStateCycling = 1 << 6,   // edge: flips back and forth without end (naive predicates)
    kStateQueued = 1 << 7,    // edge: may have become illegal, will be tested next
    kStateWaiting = 1 << 8,   // vertex: not inserted yet
    kStateChosen = 1 << 9,    // vertex: picked by its triangle
    kStateHelper = 1 << 10,   // vertex of the finite supertriangle: not part of the input
    kStateMissing =
        1 << 11,  // not an edge of the mesh, but should be: a lost edge of the hull (Construction::lost_hull_edges())
    kStateLocked = 1 << 12,   // triangle: held by an edge that will flip in this pass
    kStateSeam = 1 << 13,     // edge: more or fewer than two triangles can be at it, so it is cut and never flips
    kStateBlocked = 1 << 14,  // edge: illegal, but a flip would damage the surface
    kStateFailed = 1 << 15,   // any element: failed a check (instruments/failure_marks.h); never set by labs
};

FLIPSCOPE_HD inline uint32_t triangle_of(uint32_t corner) { return corner / 3; }
FLIPSCOPE_HD inline uint32_t next_corner(uint32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
FLIPSCOPE_HD inline uint32_t previous_corner(uint32_t corner) { return corner % 3 == 0 ? corner + 2 : corner - 1; }

struct MeshView {
    View<const Point> positions;      // (v) world units; undefined for the infinite vertex
    View<const double> heights;       // (v) z, world units, of a surface in space; empty: in the plane
    View<const uint32_t> inputs;      // (v) index in the input, which breaks ties of cocircular points
    View<uint32_t> triangles;         // (t, 3) vertex ids, counter-clockwise
    View<uint32_t> half_edge_at;      // (t, 3) by corner
    View<uint32_t> edges;             // (e, 2) vertex ids, from and to as seen from half-edge 2e
    View<uint32_t> corner_of;         // (e, 2)
    View<State> vertex_states;        // (v) or empty: no states are recorded
    View<State> edge_states;          // (e) or empty
    View<State> triangle_states;      // (t) or empty
    View<ImageShift> shifts;          // (t, 3) of the edge at the corner; empty: not on a torus
    uint32_t infinite = kNone;        // id of the vertex at infinity: the last one; kNone: on a torus
    OpenAxis open = OpenAxis::kNone;  // of a cylinder: triangles with an edge that is_beyond() are ghosts

    /// A finite vertex in space; in the plane its z is 0.
    FLIPSCOPE_HD Point3 place(uint32_t vertex) const {
        return {positions[vertex].x, positions[vertex].y, heights ? heights[vertex] : 0};
    }
    FLIPSCOPE_HD uint32_t from(uint32_t corner) const { return triangles[corner]; }
    FLIPSCOPE_HD uint32_t to(uint32_t corner) const { return triangles[next_corner(corner)]; }
    FLIPSCOPE_HD uint32_t apex(uint32_t corner) const { return triangles[previous_corner(corner)]; }
    FLIPSCOPE_HD uint32_t across(uint32_t corner) const { return corner_of[half_edge_at[corner] ^ 1u]; }
    /// Place (0…2) of the infinite vertex in triangle t; 3: t is finite.
    FLIPSCOPE_HD uint32_t infinite_place(uint32_t t) const {
        for (uint32_t k = 0; k < 3; ++k)
            if (triangles[3 * t + k] == infinite) return k;
        return 3;
    }
    FLIPSCOPE_HD bool is_ghost(uint32_t t) const { return infinite_place(t) < 3 || is_beyond_borders(t); }
    /// Whether the edge at a corner of a cylinder leads over its open axis (torus_box.h).
    FLIPSCOPE_HD bool is_beyond(uint32_t corner) const {
        return (open == OpenAxis::kX && shifts[corner].x != 0) || (open == OpenAxis::kY && shifts[corner].y != 0);
    }
    FLIPSCOPE_HD bool is_beyond_borders(uint32_t t) const {
        return open != OpenAxis::kNone && (is_beyond(3 * t) || is_beyond(3 * t + 1) || is_beyond(3 * t + 2));
    }
};

/// The buffers of a triangulation. Buffer sizes are capacities (fixed by Euler's formula for the number of vertices);
/// triangle_count and edge_count are the present numbers.
class TriangleMesh {
  public:
    /// Allocates room for `finite_vertices` points and the vertex at infinity, without triangles. The caller has sized
    /// positions and input indices. `with_states`: keep state words, all zero.
    void reset(Context& context, uint32_t finite_vertices, bool with_states);
    /// The same with explicit room for triangles (including ghosts) and edges: for surfaces, whose Euler characteristic
    /// differs.
    void reset(Context& context, uint32_t finite_vertices, size_t triangle_room, size_t edge_room, bool with_states);
    /// Room for a triangulation of `vertices` points on a torus or a cylinder, without triangles; `infinite` is kNone.
    void reset_torus(Context& context, uint32_t vertices, bool with_states, OpenAxis open = OpenAxis::kNone);
    /// The smallest closed mesh: the triangle a, b, c (counter-clockwise) as triangle 0, and its three ghosts.
    void start(Context& context, uint32_t a, uint32_t b, uint32_t c);
    MeshView view() const;
    /// Sizes the state words to the vertices, or drops them, and clears them.
    void reset_states(Context& context, bool with_states);
    bool records_states() const { return !edge_states.empty(); }
    void clear_states();

    /// Also on a cylinder: positions are in a box, and `shifts` say which images edges lead to.
    bool on_torus() const { return on_torus_; }
    bool on_cylinder() const { return open_ != OpenAxis::kNone; }
    OpenAxis open() const { return open_; }
    uint32_t infinite() const { return on_torus_ ? kNone : vertex_count - 1; }

    uint32_t vertex_count = 0;    // with the one at infinity, where there is one; 0: nothing loaded
    uint32_t triangle_count = 0;  // with ghosts
    uint32_t edge_count = 0;      // with those to infinity

    Buffer<Point> positions{"positions", Residence::kDrawn};
    Buffer<double> heights{"heights", Residence::kDrawn};
    Buffer<uint32_t> inputs{"input indices"};
    Buffer<uint32_t> triangles{"triangles", Residence::kDrawn};
    Buffer<uint32_t> half_edge_at{"half-edges of corners"};
    Buffer<uint32_t> edges{"edges", Residence::kDrawn};
    Buffer<uint32_t> corner_of{"corners of half-edges"};
    Buffer<ImageShift> shifts{"shifts"};  // (t, 3), on a torus
    Buffer<State> vertex_states{"vertex states", Residence::kDrawn};
    Buffer<State> edge_states{"edge states", Residence::kDrawn};
    Buffer<State> triangle_states{"triangle states", Residence::kDrawn};

  private:
    void make_room(Context& context, size_t triangles, size_t edges);
    bool on_torus_ = false;
    OpenAxis open_ = OpenAxis::kNone;
};

/// For kernels that are to write no state words.
inline MeshView without_states(const TriangleMesh& mesh) {
    MeshView view = mesh.view();
    view.vertex_states = view.edge_states = view.triangle_states = {};
    return view;
}

}  // namespace flipscope
