// The legality of an edge: one canonical answer per edge, exact unless a naive predicate is chosen. Edges at infinity
// are handled here, by the in-circle test with one point moved to infinity, and need no special case elsewhere.
#pragma once

#include "flipscope/predicates.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// An edge with the two triangles at it: from → to with `left` as apex on side 0 and `right` on side 1.
struct Quad {
    uint32_t from, to, left, right;
};

FLIPSCOPE_HD inline Quad quad_at(const MeshView& mesh, uint32_t edge) {
    const uint32_t corner = mesh.corner_of[2 * edge];
    return {mesh.from(corner), mesh.to(corner), mesh.apex(corner), mesh.apex(mesh.corner_of[2 * edge + 1])};
}

FLIPSCOPE_HD inline bool touches_infinity(const MeshView& mesh, const Quad& q) {
    return q.from == mesh.infinite || q.to == mesh.infinite || q.left == mesh.infinite || q.right == mesh.infinite;
}

/// Whether p lies on the segment between a and b, as in the flat triangle that inserting a point on an edge creates.
FLIPSCOPE_HD inline bool is_between(PredicateMode mode, Point a, Point b, Point p) {
    if (orient(mode, a, b, p) != 0) return false;
    return a.x != b.x ? (a.x < p.x) == (p.x < b.x) : (a.y < p.y) == (p.y < b.y);
}

/// Whether the edge is the long side of a flat triangle. Such an edge must flip under every rule.
FLIPSCOPE_HD inline bool carries_flat_triangle(const MeshView& mesh, const Quad& q, PredicateMode mode) {
    if (q.left == q.right || q.from == mesh.infinite || q.to == mesh.infinite) return false;
    const Point from = mesh.positions[q.from], to = mesh.positions[q.to];
    return (q.left != mesh.infinite && is_between(mode, from, to, mesh.positions[q.left])) ||
           (q.right != mesh.infinite && is_between(mode, from, to, mesh.positions[q.right]));
}

/// The rare cases of is_illegal(): out of line, so that the common one stays short.
FLIPSCOPE_HD_NOINLINE inline bool is_illegal_rarely(const MeshView& mesh, const Quad& q, PredicateMode mode) {
    const uint32_t inf = mesh.infinite;
    if (q.left == q.right) return false;  // reached with naive predicates only: the flip would duplicate an edge
    const View<const Point>& at = mesh.positions;
    if (q.left == inf || q.right == inf) return carries_flat_triangle(mesh, q, mode);
    if (q.from == inf) return orient(mode, at[q.left], at[q.to], at[q.right]) < 0;
    if (q.to == inf) return orient(mode, at[q.right], at[q.from], at[q.left]) < 0;
    const Point from = at[q.from], to = at[q.to], left = at[q.left], right = at[q.right];
    if (mode != PredicateMode::kExact) return naive_in_circle(mode, from, to, left, right) > 0;
    const int side = exact::incircle_sign(from, to, left, right);
    if (side != 0) return side > 0;
    const uint32_t ends_a = perturbation_rank(mesh.inputs[q.from]), ends_b = perturbation_rank(mesh.inputs[q.to]);
    const uint32_t apex_a = perturbation_rank(mesh.inputs[q.left]), apex_b = perturbation_rank(mesh.inputs[q.right]);
    return (ends_a > ends_b ? ends_a : ends_b) > (apex_a > apex_b ? apex_a : apex_b);
}

/// Whether the edge is not Delaunay. Cocircular points: infinitesimals that grow with perturbation_rank() raise their
/// liftings, so the point of the highest rank rises out of the lower hull and the diagonal must cut it off; the edge is
/// illegal if it ends there. At infinity: an edge to the infinite vertex is illegal when the hull is reflex at its
/// finite end, and a hull edge only when its triangle is flat.
FLIPSCOPE_HD inline bool is_illegal(const MeshView& mesh, const Quad& q, PredicateMode mode) {
    if (mode == PredicateMode::kExact && !touches_infinity(mesh, q)) {
        const detail::Determinant determinant = detail::incircle(mesh.positions[q.from], mesh.positions[q.to],
                                                                 mesh.positions[q.left], mesh.positions[q.right]);
        if (fabs(determinant.value) > determinant.error) return determinant.value > 0;
    }
    return is_illegal_rarely(mesh, q, mode);
}

}  // namespace flipscope
