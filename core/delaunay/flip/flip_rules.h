// Which edges must flip: the rules of the flip kernels (flip.h), one thread per edge. In the plane the exact in-circle
// test, or the paper's angles for teaching; on surfaces the angles, with conditions that preserve the surface. A rule
// is a functor for kernels: judge() tests one edge of a mesh that is not being written.
#pragma once

#include "mesh/angles.h"
#include "mesh/legality.h"
#include "mesh/star.h"

namespace flipscope {

enum class Verdict : uint8_t {
    kLegal,      // stays until a triangle at it changes
    kIllegal,    // claims its triangles
    kBlocked,    // illegal, but cannot flip at present: tested again in the next pass
    kCalm,       // illegal, with surroundings so flat that a neighbour may flip in the same pass (kLooksAround)
    kPostponed,  // not tested now: it stays in the worklist
};

FLIPSCOPE_HD inline bool must_flip(Verdict verdict) {
    return verdict == Verdict::kIllegal || verdict == Verdict::kCalm;
}

/// Which illegal edges may flip: all, or only those that carry a flat triangle (a point on an edge was just inserted).
enum class FlipScope : uint32_t { kAll, kFlatOnly };

/// The in-circle test. `fixed_outline`: edges at infinity are never judged, because the outline need not be convex.
struct InCircleRule {
    static constexpr bool kLooksAround = false;
    PredicateMode mode = PredicateMode::kExact;
    FlipScope scope = FlipScope::kAll;
    bool fixed_outline = false;

    FLIPSCOPE_HD Verdict judge(const MeshView& mesh, uint32_t, const Quad& q) const {
        if (scope == FlipScope::kFlatOnly)
            return carries_flat_triangle(mesh, q, mode) ? Verdict::kIllegal : Verdict::kPostponed;
        if (fixed_outline && touches_infinity(mesh, q)) return Verdict::kLegal;
        return is_illegal(mesh, q, mode) ? Verdict::kIllegal : Verdict::kLegal;
    }
};

/// The paper's criterion in the plane: λ + γ ≤ π + ε, in double or float. An edge flips only if the exact orientation
/// of both new triangles is upright, so rounding can leave illegal edges, but never break the triangulation.
template <class Real>
struct AngleRule {
    static constexpr bool kLooksAround = false;
    Slack slack;

    FLIPSCOPE_HD Verdict judge(const MeshView& mesh, uint32_t, const Quad& q) const {
        if (touches_infinity(mesh, q) || q.left == q.right) return Verdict::kLegal;
        const Point from = mesh.positions[q.from], to = mesh.positions[q.to];
        const Point left = mesh.positions[q.left], right = mesh.positions[q.right];
        if (!exceeds_pi(angle_at<Real>(left, from, to), angle_at<Real>(right, to, from), slack)) return Verdict::kLegal;
        return orient2d(left, from, right) > 0 && orient2d(right, to, left) > 0 ? Verdict::kIllegal : Verdict::kBlocked;
    }
};

/// Angles on a surface: λ + γ ≤ π + ε. An edge also stays where the surface has a crease, that is a dihedral angle past
/// the limit, and where the flip would make one, duplicate an edge, or leave a triangle inverted or without area. For
/// that the test reads the four triangles around the edge's two, which must not change in the pass (kLooksAround).
struct SurfaceRule {
    static constexpr bool kLooksAround = true;
    Slack slack;
    double limit_cosine = -1;      // of the largest dihedral angle that may be flattened or made
    double half_limit_cosine = 0;  // of half of it
    View<const uint8_t> pinched;   // (v) or empty: 1 where walking around a vertex does not reach all its triangles

    FLIPSCOPE_HD bool is_whole(uint32_t vertex) const { return !pinched || !pinched[vertex]; }
    FLIPSCOPE_HD StarPair stars(const MeshView& mesh, uint32_t edge) const {
        const uint32_t p = previous_corner(mesh.corner_of[2 * edge]);
        const uint32_t q = previous_corner(mesh.corner_of[2 * edge + 1]);
        return {mesh, {p, q}, {is_whole(mesh.from(p)), is_whole(mesh.from(q))}};
    }

    /// Whether the angles alone make the edge illegal.
    FLIPSCOPE_HD bool is_illegal_by_angle(const MeshView& mesh, const Quad& q) const {
        if (touches_infinity(mesh, q) || q.left == q.right) return false;
        const Point3 from = mesh.place(q.from), to = mesh.place(q.to);
        const Point3 left = mesh.place(q.left), right = mesh.place(q.right);
        // Two acute angles, the usual case, suffice: the edge is legal.
        if (dot(from - left, to - left) >= 0 && dot(to - right, from - right) >= 0) return false;
        return exceeds_pi(angle_at(left, from, to), angle_at(right, to, from), slack);
    }

    FLIPSCOPE_HD Verdict judge(const MeshView& mesh, uint32_t edge, const Quad& q) const {
        if (!is_illegal_by_angle(mesh, q)) return Verdict::kLegal;
        const Point3 from = mesh.place(q.from), to = mesh.place(q.to);
        const Point3 left = mesh.place(q.left), right = mesh.place(q.right);
        // A triangle without area has no direction, and the other one may absorb it.
        const Point3 old[2] = {is_degenerate(from, to, left) ? Point3{} : unit_of(normal_of(from, to, left)),
                               is_degenerate(to, from, right) ? Point3{} : unit_of(normal_of(to, from, right))};
        if (!units_meet_flatly(old[0], old[1], limit_cosine)) return Verdict::kLegal;  // a crease is part of the shape
        // from right left, and to left right
        const Point3 made[2] = {unit_of(normal_of(from, right, left)), unit_of(normal_of(to, left, right))};
        const Point3 upward = old[0] + old[1];
        if (is_degenerate(from, right, left) || is_degenerate(to, left, right) || !(dot(made[0], upward) > 0) ||
            !(dot(made[1], upward) > 0) || !units_meet_flatly(made[0], made[1], limit_cosine))
            return Verdict::kBlocked;
        // Each outer edge goes to the new triangle of its end: left-from and from-right to the first.
        const uint32_t corner = mesh.corner_of[2 * edge], twin = mesh.corner_of[2 * edge + 1];
        const bool directed = dot(old[0], old[0]) > 0 && dot(old[1], old[1]) > 0;
        bool calm = directed && turns_little(made[0], old) && turns_little(made[1], old);
        if (makes_crease(mesh, previous_corner(corner), old[0], made[0], calm) ||
            makes_crease(mesh, next_corner(corner), old[0], made[1], calm) ||
            makes_crease(mesh, previous_corner(twin), old[1], made[1], calm) ||
            makes_crease(mesh, next_corner(twin), old[1], made[0], calm))
            return Verdict::kBlocked;
        if (has_edge_already(mesh, edge, q)) return Verdict::kBlocked;
        return calm ? Verdict::kCalm : Verdict::kIllegal;
    }

    /// Within half of the limit of both old triangles. If two neighbours that flip in the same pass both turn by at
    /// most that, the result is within the limit.
    FLIPSCOPE_HD bool turns_little(Point3 made, const Point3 old[2]) const {
        return units_meet_flatly(made, old[0], half_limit_cosine) && units_meet_flatly(made, old[1], half_limit_cosine);
    }
    /// Whether the surface across `corner` would meet the new triangle past the limit although it met the old one
    /// within it. Clears `calm` if they would meet past half of it.
    FLIPSCOPE_HD bool makes_crease(const MeshView& mesh, uint32_t corner, Point3 old, Point3 made, bool& calm) const {
        const uint32_t t = triangle_of(mesh.across(corner));
        if (mesh.is_ghost(t)) return false;
        const Point3 beyond =
            unit_of(normal_of(mesh.place(mesh.triangles[3 * t]), mesh.place(mesh.triangles[3 * t + 1]),
                              mesh.place(mesh.triangles[3 * t + 2])));
        calm = calm && units_meet_flatly(beyond, made, half_limit_cosine);
        return !units_meet_flatly(beyond, made, limit_cosine) && units_meet_flatly(beyond, old, limit_cosine);
    }
    FLIPSCOPE_HD bool has_edge_already(const MeshView& mesh, uint32_t edge, const Quad& q) const {
        if (!is_whole(q.left) && !is_whole(q.right)) return true;  // cannot be seen from either end
        return stars(mesh, edge).any([&](uint32_t spoke, uint32_t other) { return mesh.to(spoke) == other; });
    }
};

/// The rule for an ε and a limit on the dihedral angle, both in radians.
inline SurfaceRule make_surface_rule(double epsilon, double dihedral, View<const uint8_t> pinched = {}) {
    constexpr double rounding = 1e-12;  // a flat edge is not a crease, though its normals are rounded
    return {{std::cos(epsilon), std::sin(epsilon)}, std::cos(dihedral) - rounding, std::cos(dihedral / 2), pinched};
}

}  // namespace flipscope
