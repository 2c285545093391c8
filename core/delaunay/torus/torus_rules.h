// When must an edge of a triangulation of a torus flip? All differences are taken from the start of the edge along
// edges of the mesh, with the images that its shifts select, so they are exact (torus_box.h). On a cylinder
// cylinder_predicates.h handles differences that change the level; with a ClosedBox no difference does. Rules for the
// kernels of flip.h, in the form of flip_rules.h.
#pragma once

#include "delaunay/flip/flip_rules.h"
#include "delaunay/torus/cylinder_predicates.h"
#include "flipscope/predicates.h"
#include "geometry/torus_box.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// The vector of a corner's edge, to the image of the vertex that it leads to. World units, exact.
FLIPSCOPE_HD inline Point step_of(const MeshView& mesh, const TorusBox& box, uint32_t corner) {
    return box.to_image(mesh.positions[mesh.from(corner)], mesh.positions[mesh.to(corner)], mesh.shifts[corner]);
}

/// An edge and the two triangles at it, seen from where its side 0 begins, which is the origin.
struct TorusQuad {
    Point to, left, right;
};
FLIPSCOPE_HD inline TorusQuad torus_quad(const MeshView& mesh, const TorusBox& box, uint32_t edge) {
#if defined(__CUDA_ARCH__)
    const IndexPair ends = pair_at(mesh.edges, edge);  // neighbouring threads read neighbouring pairs
    const Point from = mesh.positions[ends.first], to = mesh.positions[ends.second];
    const IndexPair corners = pair_at(mesh.corner_of, edge);
#else
    const IndexPair corners = pair_at(mesh.corner_of, edge);
    const IndexPair ends{mesh.from(corners.first), mesh.to(corners.first)};  // one cache line with what is read below
    const Point from = mesh.positions[ends.first], to = mesh.positions[ends.second];
#endif
    const uint32_t back = previous_corner(corners.first);
    return {box.to_image(from, to, mesh.shifts[corners.first]),
            box.to_image(from, mesh.positions[mesh.triangles[back]], -mesh.shifts[back]),
            box.to_image(from, mesh.positions[mesh.apex(corners.second)], mesh.shifts[next_corner(corners.second)])};
}

/// The corners of a triangle relative to the first.
struct TorusTriangle {
    Point b, c;
};
FLIPSCOPE_HD inline TorusTriangle torus_triangle(const MeshView& mesh, const TorusBox& box, uint32_t t) {
    const Point back = step_of(mesh, box, 3 * t + 2);
    return {step_of(mesh, box, 3 * t), {-back.x, -back.y}};
}

/// orient2d() of exact differences from one vertex.
template <class Box>
FLIPSCOPE_HD inline int torus_orient2d(const Box& box, Point a, Point b, Point c) {
    if (box.is_cylinder() && (box.changes_level(a) || box.changes_level(b) || box.changes_level(c)))
        return cylinder_orient2d(box.sides, box.open, a, b, c);
    return orient2d(a, b, c);
}

/// The in-circle test where rounding leaves it open. Ties of four cocircular points are settled by weighting x² a
/// little more in distances, and then by x·y. The lifting x² + y² is linear in the determinant, so scaling x by two, or
/// shearing, has the sign of the added term when the rest is 0. Four points on a circle lie on no third conic that is
/// independent of it and of these two. It is one function, called last, so a caller need not keep its values over
/// several calls.
template <class Box>
FLIPSCOPE_HD_NOINLINE int torus_incircle_exactly(Point sides, OpenAxis open, Point to, Point left, Point right) {
    Box box;
    box.sides = sides;
    box.open = open;
    if (box.changes_level(to) || box.changes_level(left) || box.changes_level(right))
        return cylinder_incircle(sides, open, to, left, right);
    const Point none{0, 0};
    const int sign = exact::incircle_sign(none, to, left, right);
    if (sign != 0) return sign;
    const int wide = exact::incircle_sign(none, {2 * to.x, to.y}, {2 * left.x, left.y}, {2 * right.x, right.y});
    if (wide != 0) return wide;
    return exact::incircle_sign(none, {to.x + to.y, to.y}, {left.x + left.y, left.y}, {right.x + right.y, right.y});
}

namespace detail {

/// incircle() of the origin and three differences, which are exact: in units of u minors and liftings are off by 2
/// each, their products by 5, and by 6 after the addition of the first two. Two more as there. Undecided for
/// differences that cross the open axis of a cylinder.
template <class Box>
FLIPSCOPE_HD inline Determinant torus_incircle(const Box& box, Point to, Point left, Point right) {
    if (box.is_cylinder() && (box.changes_level(to) || box.changes_level(left) || box.changes_level(right)))
        return {0, 0};
    const double to_left = to.x * left.y, left_to = left.x * to.y;
    const double left_right = left.x * right.y, right_left = right.x * left.y;
    const double right_to = right.x * to.y, to_right = to.x * right.y;
    const double to_lift = to.x * to.x + to.y * to.y;
    const double left_lift = left.x * left.x + left.y * left.y;
    const double right_lift = right.x * right.x + right.y * right.y;
    const double value =
        to_lift * (right_left - left_right) + left_lift * (to_right - right_to) + right_lift * (left_to - to_left);
    const double size = to_lift * (fabs(right_left) + fabs(left_right)) +
                        left_lift * (fabs(to_right) + fabs(right_to)) + right_lift * (fabs(left_to) + fabs(to_left));
    return {value, 8 * kHalfUlp * size};
}

}  // namespace detail

/// Sign of the in-circle test, ties settled: +1 when `right` lies in the circle of the origin, `to` and `left`.
template <class Box>
FLIPSCOPE_HD inline int torus_incircle(const Box& box, Point to, Point left, Point right) {
    const detail::Determinant determinant = detail::torus_incircle(box, to, left, right);
    if (fabs(determinant.value) > determinant.error) return determinant.value > 0 ? 1 : -1;
    return torus_incircle_exactly<Box>(box.sides, box.open, to, left, right);
}

namespace detail {

/// The exact tests of an edge, which few edges need: they read it again, so that the callers need not keep its values
/// over a call. Bit 0: it is illegal; with `upright_too` bit 1: the left triangle is inverted or flat, 2: the right
/// one.
template <class Box>
FLIPSCOPE_HD_NOINLINE uint32_t torus_edge_exactly(const Point* positions, uint32_t* triangles, uint32_t* edges,
                                                  uint32_t* corner_of, ImageShift* shifts, Point sides, OpenAxis open,
                                                  uint32_t edge, bool upright_too) {
    MeshView mesh;
    mesh.positions = {positions, kNone};
    mesh.triangles = {triangles, kNone};
    mesh.edges = {edges, kNone};
    mesh.corner_of = {corner_of, kNone};
    mesh.shifts = {shifts, kNone};
    Box box;
    box.sides = sides;
    box.open = open;
    const TorusQuad quad = torus_quad(mesh, box, edge);
    const Point from{0, 0};
    uint32_t bits = flipscope::torus_incircle(box, quad.to, quad.left, quad.right) > 0;
    if (upright_too) {
        bits |= uint32_t(torus_orient2d(box, from, quad.to, quad.left) <= 0) << 1;
        bits |= uint32_t(torus_orient2d(box, from, quad.right, quad.to) <= 0) << 2;
    }
    return bits;
}
template <class Box>
FLIPSCOPE_HD inline uint32_t torus_edge_exactly(const MeshView& mesh, const Box& box, uint32_t edge, bool upright_too) {
    return torus_edge_exactly<Box>(mesh.positions.data, mesh.triangles.data, mesh.edges.data, mesh.corner_of.data,
                                   mesh.shifts.data, box.sides, box.open, edge, upright_too);
}

/// Whether a triangle is inverted or flat; for the few that are in doubt.
template <class Box>
FLIPSCOPE_HD_NOINLINE bool torus_is_inverted(const Point* positions, const uint32_t* triangles,
                                             const ImageShift* shifts, Point sides, OpenAxis open, uint32_t t) {
    Box box;
    box.sides = sides;
    box.open = open;
    const size_t corner = 3 * size_t(t);
    const Point a = positions[triangles[corner]];
    return torus_orient2d(box, {0, 0}, box.to_image(a, positions[triangles[corner + 1]], shifts[corner]),
                          box.to_image(a, positions[triangles[corner + 2]], -shifts[corner + 2])) <= 0;
}
template <class Box>
FLIPSCOPE_HD inline bool torus_is_inverted(const MeshView& mesh, const Box& box, uint32_t t) {
    return torus_is_inverted<Box>(mesh.positions.data, mesh.triangles.data, mesh.shifts.data, box.sides, box.open, t);
}

/// Twice the area between the origin and two exact differences: products are off by u, and the difference of two does
/// not change a sign. Undecided for differences that cross the open axis of a cylinder.
template <class Box>
FLIPSCOPE_HD inline Determinant torus_area(const Box& box, Point first, Point second) {
    if (box.is_cylinder() && (box.changes_level(first) || box.changes_level(second))) return {0, 0};
    const double one = first.x * second.y, other = first.y * second.x;
    return {one - other, 2 * kHalfUlp * (fabs(one) + fabs(other))};
}

}  // namespace detail

/// An edge is illegal when the circle of one triangle contains the other's apex. Requires upright triangles.
template <class Box>
struct TorusDelaunayRule {
    static constexpr bool kLooksAround = false;
    Box box;

    FLIPSCOPE_HD Verdict judge(const MeshView& mesh, uint32_t edge, const Quad&) const {
        const TorusQuad quad = torus_quad(mesh, box, edge);
        const detail::Determinant test = detail::torus_incircle(box, quad.to, quad.left, quad.right);
        bool illegal = test.value > 0;
        if (!(fabs(test.value) > test.error)) illegal = detail::torus_edge_exactly(mesh, box, edge, false) != 0;
        return illegal ? Verdict::kIllegal : Verdict::kLegal;
    }
};

/// After vertices have moved: an edge between an inverted or flat triangle and an upright one flips when the apex of
/// the former is in the latter, that is, when both new triangles are upright. (The paper states the rule by the signs
/// of sub-triangles, in two opposite orientations; this is the one that works.) Each such flip reduces the number of
/// inverted triangles, so the flips end; some inverted triangles can remain.
template <class Box>
struct UprightRule {
    static constexpr bool kLooksAround = false;
    Box box;

    FLIPSCOPE_HD Verdict judge(const MeshView& mesh, uint32_t edge, const Quad&) const {
        const TorusQuad quad = torus_quad(mesh, box, edge);
        const Point from{0, 0};
        const auto is_upright = [&](Point a, Point b, Point c) { return torus_orient2d(box, a, b, c) > 0; };
        if (is_upright(from, quad.to, quad.left) && is_upright(quad.to, from, quad.right)) return Verdict::kLegal;
        return is_upright(from, quad.right, quad.left) && is_upright(quad.to, quad.left, quad.right) ? Verdict::kIllegal
                                                                                                     : Verdict::kLegal;
    }
};

}  // namespace flipscope
