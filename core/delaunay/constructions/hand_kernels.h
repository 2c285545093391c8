// Manual edits: one vertex moves, one edge flips. Kernels that search the whole mesh run in parallel; one thread does
// the surgery, in place, on the device of the mesh.
//
// A vertex whose triangles stay upright just moves. Otherwise it is removed and inserted again: its edges flip away
// until three triangles are left around it (an ear of its star at a time), these merge into one, and the triangle that
// contains the new place is split, reusing the freed ids. Edges at infinity are flipped like all others, so the hull
// may gain and lose the vertex.
#pragma once

#include "compute/primitives.h"
#include "delaunay/flip/flip_rules.h"
#include "flipscope/predicates.h"
#include "mesh/surgery.h"

namespace flipscope {

/// The effect of a move of `vertex` to `place` on its triangles. Sums: 0 finite triangles, 1 those no longer
/// counter-clockwise, 2 ghosts, 3 signs that the other vertices are not all on one line.
struct TryMove {
    MeshView mesh;
    uint32_t vertex;
    Point place;

    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        const bool ghost = mesh.is_ghost(t);
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t corner = 3 * t + k;
            if (mesh.from(corner) != vertex) continue;
            ++sums.value[ghost ? 2 : 0];
            if (ghost) return;
            const uint32_t a = mesh.to(corner), b = mesh.apex(corner),
                           c = mesh.apex(mesh.across(previous_corner(corner)));
            const Point p = mesh.positions[a], q = mesh.positions[b];
            sums.value[1] += orient2d(place, p, q) <= 0;
            sums.value[3] += c != mesh.infinite && orient2d(p, q, mesh.positions[c]) != 0;
            return;
        }
        sums.value[3] += !ghost;
    }
};

/// Another vertex at a place, or kNone.
struct FindVertexAt {
    MeshView mesh;
    uint32_t except;
    Point place;
    FLIPSCOPE_HD uint32_t operator()(uint32_t v) const { return v != except && mesh.positions[v] == place ? v : kNone; }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a < b ? a : b; }
};

/// The triangle at a place: a finite one with the place inside or on its outline, else a ghost whose hull edge is
/// visible from it. The id, with the highest bit set for a ghost; kNone if it is neither.
struct FindHolder {
    MeshView mesh;
    Point place;
    FLIPSCOPE_HD uint32_t operator()(uint32_t t) const {
        if (mesh.triangles[3 * t] == kNone) return kNone;  // merged away
        const uint32_t infinite = mesh.infinite_place(t);
        if (infinite < 3) {
            const uint32_t corner = next_corner(3 * t + infinite);
            return orient2d(mesh.positions[mesh.from(corner)], mesh.positions[mesh.to(corner)], place) > 0
                       ? t | 0x80000000u
                       : kNone;
        }
        for (uint32_t k = 0; k < 3; ++k)
            if (orient2d(mesh.positions[mesh.from(3 * t + k)], mesh.positions[mesh.to(3 * t + k)], place) < 0)
                return kNone;
        return t;
    }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a < b ? a : b; }
};

/// Removes a vertex from a mesh closed at infinity, by one thread. Writes the freed ids.
struct TakeOut {
    MeshView mesh;
    uint32_t spoke;            // any corner that starts at the vertex
    View<FreedBySplit> freed;  // (1)

    FLIPSCOPE_HD void operator()(uint32_t) const {
        const uint32_t vertex = mesh.from(spoke);
        uint32_t at = spoke, since = 0;  // spokes passed by since the last flip
        for (bool allow_infinity = false;;) {
            uint32_t degree = 1;
            for (uint32_t s = counter_clockwise(at); s != at; s = counter_clockwise(s)) ++degree;
            if (degree == 3) break;
            if (is_ear(at, vertex, allow_infinity)) {
                const uint32_t edge = mesh.half_edge_at[at] >> 1;
                const uint32_t next = counter_clockwise(at);
                const uint32_t kept = mesh.to(next);
                flip_edge(mesh, edge);
                repair_flipped(mesh, edge);
                at = spoke_to(vertex, kept, edge);
                since = 0;
                allow_infinity = false;
                continue;
            }
            at = counter_clockwise(at);
            if (++since < degree) continue;
            since = 0;
            allow_infinity = true;  // the rest is the hull without the vertex
        }
        freed[0] = merge_three(mesh, at);
    }

  private:
    FLIPSCOPE_HD uint32_t counter_clockwise(uint32_t s) const { return mesh.across(previous_corner(s)); }

    /// Whether the triangle over neighbours u, x, w of the vertex (counter-clockwise, x at the end of the spoke) can be
    /// cut off: it is upright, and so is the rest at the vertex, except a flat triangle that is removed later.
    FLIPSCOPE_HD bool is_ear(uint32_t s, uint32_t vertex, bool allow_infinity) const {
        const uint32_t x = mesh.to(s), w = mesh.apex(s), u = mesh.apex(mesh.across(s));
        if (x == mesh.infinite || u == w) return false;
        if (u == mesh.infinite || w == mesh.infinite) return allow_infinity;
        const View<const Point>& p = mesh.positions;
        return orient2d(p[u], p[x], p[w]) > 0 && orient2d(p[vertex], p[u], p[w]) >= 0;
    }
    /// The vertex's spoke to `end`, next to an edge that was just flipped away from it.
    FLIPSCOPE_HD uint32_t spoke_to(uint32_t vertex, uint32_t end, uint32_t edge) const {
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t corner = mesh.corner_of[2 * edge + side], back = previous_corner(corner);
            if (mesh.from(back) != vertex) continue;
            if (mesh.to(back) == end) return back;
            return mesh.across(next_corner(corner));
        }
        return kNone;
    }
};

/// Inserts the vertex into triangle t with the ids that TakeOut freed, by one thread.
struct PutIn {
    MeshView mesh;
    uint32_t t, vertex;
    View<FreedBySplit> freed;  // (1)
    FLIPSCOPE_HD void operator()(uint32_t) const {
        const FreedBySplit& parts = freed[0];
        split_triangle(mesh, t, vertex, parts.triangles[0], parts.triangles[1], parts.edges);
        link_split(mesh, parts.triangles[0], parts.triangles[1]);
    }
};

/// Edges at infinity where the outline is reflex, and edges of flat triangles: they must flip after a vertex was
/// inserted, before the triangulation is valid.
struct MakeValid {
    static constexpr bool kLooksAround = false;
    FLIPSCOPE_HD Verdict judge(const MeshView& mesh, uint32_t, const Quad& q) const {
        const bool flips = touches_infinity(mesh, q) ? is_illegal(mesh, q, PredicateMode::kExact)
                                                     : carries_flat_triangle(mesh, q, PredicateMode::kExact);
        return flips ? Verdict::kIllegal : Verdict::kLegal;
    }
};

/// Swaps a vertex with the one at infinity. If all others are on one line, this is the triangulation with the vertex on
/// the other side of it: its triangles and those beyond the line change roles.
struct ExchangeWithInfinity {
    MeshView mesh;
    uint32_t vertex, triangle_count, edge_count;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        for (uint32_t k = 0; k < 3 && i < triangle_count; ++k) exchange(mesh.triangles[3 * i + k]);
        for (uint32_t k = 0; k < 2 && i < edge_count; ++k) exchange(mesh.edges[2 * i + k]);
    }
    FLIPSCOPE_HD void exchange(uint32_t& v) const { v = v == vertex ? mesh.infinite : v == mesh.infinite ? vertex : v; }
};

/// Whether flipping an edge of a surface would make an edge that is there already: 1 or 0.
struct AskForDouble {
    MeshView mesh;
    SurfaceRule rule;
    uint32_t edge;
    View<uint32_t> answer;  // (1)
    FLIPSCOPE_HD void operator()(uint32_t) const { answer[0] = rule.has_edge_already(mesh, edge, quad_at(mesh, edge)); }
};

struct FlipByHand {
    MeshView mesh;
    uint32_t edge;
    FLIPSCOPE_HD void operator()(uint32_t) const {
        flip_edge(mesh, edge);
        repair_flipped(mesh, edge);
    }
};

/// Edges that one of these vertices could have made illegal: it is one of the edge's four corners.
struct QueueAround {
    MeshView mesh;
    uint32_t vertices[4];  // kNone: fewer
    View<uint32_t> worklist;

    FLIPSCOPE_HD uint32_t code(uint32_t edge) const {
        const Quad q = quad_at(mesh, edge);
        for (const uint32_t v : vertices)
            if (v != kNone && (q.from == v || q.to == v || q.left == v || q.right == v)) return 1;
        return 0;
    }
    FLIPSCOPE_HD void emit(uint32_t edge, uint32_t rank, uint32_t code) const {
        if (code) worklist[rank] = edge;
    }
};

}  // namespace flipscope
