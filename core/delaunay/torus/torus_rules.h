// When must an edge of a triangulation of a torus flip? All differences are taken from the beginning of the edge along
// edges of the mesh, with the images that its shifts mean, so they are exact (torus_box.h). Rules as flip_rules.h has
// them, for the kernels of flip.h.
#pragma once

#include "delaunay/flip_rules.h"
#include "geometry/predicates.h"
#include "geometry/torus_box.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// What is said of a vertex that was moved, in a byte; 0 of others.
enum VertexMotion : uint8_t {
    kVertexMoved = 1,
    kVertexCrossed = 2,  // over the border of the box
};

/// From the vertex where the edge at a slot begins to the image of the one where it ends. World units, exact.
FLIPSCOPE_HD inline Point step_of(const MeshView& mesh, const TorusBox& box, uint32_t slot) {
    return box.to_image(mesh.positions[mesh.from(slot)], mesh.positions[mesh.to(slot)], mesh.shifts[slot]);
}

/// An edge and the two triangles at it, seen from where its side 0 begins, which is the origin.
struct TorusQuad {
    Point to, left, right;
};
struct SeenEdge {
    uint32_t edge;
    IndexPair ends;
    TorusQuad quad;
};
FLIPSCOPE_HD inline SeenEdge look_at_edge(const MeshView& mesh, const TorusBox& box, uint32_t edge) {
    const IndexPair slots = pair_at(mesh.half_slots, edge);
#if defined(__CUDA_ARCH__)
    const IndexPair ends = pair_at(mesh.edges, edge);  // neighbouring threads read neighbouring pairs
#else
    const IndexPair ends{mesh.from(slots.first), mesh.to(slots.first)};  // one cache line with what is read below
#endif
    const uint32_t back = previous_slot(slots.first);
    const Point from = mesh.positions[ends.first];
    return {edge,
            ends,
            {box.to_image(from, mesh.positions[ends.second], mesh.shifts[slots.first]),
             box.to_image(from, mesh.positions[mesh.triangles[back]], -mesh.shifts[back]),
             box.to_image(from, mesh.positions[mesh.apex(slots.second)], mesh.shifts[next_slot(slots.second)])}};
}
FLIPSCOPE_HD inline TorusQuad torus_quad(const MeshView& mesh, const TorusBox& box, uint32_t edge) {
    return look_at_edge(mesh, box, edge).quad;
}

/// Of a triangle: its corners as seen from the first.
struct TorusTriangle {
    Point b, c;
};
FLIPSCOPE_HD inline TorusTriangle torus_triangle(const MeshView& mesh, const TorusBox& box, uint32_t t) {
    const Point back = step_of(mesh, box, 3 * t + 2);
    return {step_of(mesh, box, 3 * t), {-back.x, -back.y}};
}

/// The in-circle test where rounding leaves it open. Four cocircular points are settled with distances that count x² a
/// little more, and then x·y. The lifting x² + y² is linear in the determinant, so scaling x by two, or shearing,
/// leaves the sign of what is added when the rest is 0. Four points on a circle lie on no third conic that is
/// independent of it and of these two. One function that nothing follows: a caller need not keep its values over
/// several calls.
FLIPSCOPE_HD_NOINLINE inline int torus_incircle_exactly(Point to, Point left, Point right) {
    const Point none{0, 0};
    const int sign = exact::incircle_sign(none, to, left, right);
    if (sign != 0) return sign;
    const int wide = exact::incircle_sign(none, {2 * to.x, to.y}, {2 * left.x, left.y}, {2 * right.x, right.y});
    if (wide != 0) return wide;
    return exact::incircle_sign(none, {to.x + to.y, to.y}, {left.x + left.y, left.y}, {right.x + right.y, right.y});
}

/// Sign of the in-circle test, ties settled: +1 when `right` lies in the circle of the origin, `to` and `left`.
FLIPSCOPE_HD inline int torus_incircle(Point to, Point left, Point right) {
    const detail::Determinant determinant = detail::incircle({0, 0}, to, left, right);
    if (fabs(determinant.value) > determinant.error) return determinant.value > 0 ? 1 : -1;
    return torus_incircle_exactly(to, left, right);
}

/// An edge is illegal when the circle of one of its triangles holds the apex of the other. Asked of upright triangles.
struct TorusDelaunayRule {
    static constexpr bool kLooksAround = false;
    TorusBox box;

    FLIPSCOPE_HD SeenEdge look(const MeshView& mesh, uint32_t edge) const { return look_at_edge(mesh, box, edge); }
    FLIPSCOPE_HD Verdict judge(const SeenEdge& seen) const {
        return torus_incircle(seen.quad.to, seen.quad.left, seen.quad.right) > 0 ? Verdict::kIllegal : Verdict::kLegal;
    }
    FLIPSCOPE_HD Verdict judge(const MeshView& mesh, uint32_t edge, const Quad&) const {
        return judge(look(mesh, edge));
    }
};

/// After vertices have moved: an edge between an inverted or flat triangle and an upright one flips when the apex of
/// the former lies in the latter, that is, when both new triangles are upright. (The paper states the rule by the signs
/// of sub-triangles, once one way round and once the other; this is the way round that works.) Each such flip leaves
/// fewer inverted triangles, so it comes to an end; not always are there none left.
struct UprightRule {
    static constexpr bool kLooksAround = false;
    TorusBox box;

    FLIPSCOPE_HD Verdict judge(const MeshView& mesh, uint32_t edge, const Quad&) const {
        const TorusQuad quad = torus_quad(mesh, box, edge);
        const Point from{0, 0};
        if (orient2d(from, quad.to, quad.left) > 0 && orient2d(quad.to, from, quad.right) > 0) return Verdict::kLegal;
        return orient2d(from, quad.right, quad.left) > 0 && orient2d(quad.to, quad.left, quad.right) > 0
                   ? Verdict::kIllegal
                   : Verdict::kLegal;
    }
};

}  // namespace flipscope
