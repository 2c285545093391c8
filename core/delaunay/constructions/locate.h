// Point location by walking. A waiting point remembers its last triangle and walks from there, across edges that it
// lies beyond; after a round that is a step or two. Outside the hull the ghosts divide the plane into the sectors that
// the hull edges span as seen from one fixed interior point, the centre of the star, so that points inserted into
// different ghosts at once never cross.
#pragma once

#include "flipscope/predicates.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// The centre of the star: infinitely close to corner a of the first triangle, inside it: a + ε(b - a) + ε²(c - a). It
/// has no coordinates; orientation tests alone determine on which side of a ray from it a point lies, and there are no
/// ties.
struct StarCentre {
    Point a, b, c;

    /// Sign of the orientation (centre, v, p): +1 when p is counter-clockwise of the ray from the centre through v. v
    /// and p differ, and p is not a.
    FLIPSCOPE_HD int side(PredicateMode mode, Point v, Point p) const {
        if (v == a) {
            const int first = orient(mode, a, b, p);
            return first ? -first : -orient(mode, a, c, p);
        }
        if (const int far = orient(mode, a, v, p)) return far;
        // a, v and p are collinear: the offset of the centre settles the tie, and whether p is beyond v or before it.
        const int along = v.x != a.x ? compare(p.x, v.x) * compare(v.x, a.x) : compare(p.y, v.y) * compare(v.y, a.y);
        const int first = orient(mode, a, b, v);
        return -along * (first ? first : orient(mode, a, c, v));
    }
    FLIPSCOPE_HD static int compare(double p, double q) { return (p > q) - (p < q); }
};

/// The location of a point: in the triangle, or on the edge at its place 0…2. Packed into one word.
struct Location {
    uint32_t word = kNone;
    FLIPSCOPE_HD static Location inside(uint32_t t) { return {t << 2}; }
    FLIPSCOPE_HD static Location on_edge(uint32_t t, uint32_t place) { return {t << 2 | (place + 1)}; }
    FLIPSCOPE_HD uint32_t triangle() const { return word >> 2; }
    FLIPSCOPE_HD bool is_on_edge() const { return (word & 3) != 0; }
    FLIPSCOPE_HD uint32_t corner() const { return 3 * triangle() + (word & 3) - 1; }  // only on an edge
};
// A Location can name 2^30 triangles; CollectAndClaim counts four sides of each of their edges, in 32 bits.
inline constexpr uint32_t kMostTriangles = (1u << 30) / 3 * 2;

/// The edges of a triangle that a point is beyond, and those whose line it is on; bit k for the k-th tested edge.
struct SideMasks {
    uint32_t beyond, on;
};

/// Signs of (a, b, p) and (b, c, p), together: in a walk they are a coin toss, and one branch on "both certain" is
/// cheaper than one on each sign.
FLIPSCOPE_HD inline SideMasks two_sides(PredicateMode mode, Point a, Point b, Point c, Point p) {
    if (mode == PredicateMode::kExact) {
        const detail::Determinant ab = detail::orient2d(a, b, p), bc = detail::orient2d(b, c, p);
        if ((fabs(ab.value) > ab.error) & (fabs(bc.value) > bc.error))
            return {uint32_t(ab.value < 0) | uint32_t(bc.value < 0) << 1, 0};
    }
    const int ab = orient(mode, a, b, p), bc = orient(mode, b, c, p);
    return {uint32_t(ab < 0) | uint32_t(bc < 0) << 1, uint32_t(ab == 0) | uint32_t(bc == 0) << 1};
}

/// A walk through the triangulation towards p.
struct Walk {
    MeshView mesh;
    StarCentre star;
    PredicateMode mode;
    uint32_t most_steps;  // a walk with naive predicates can cycle; it then ends here

    /// The location of p, starting from triangle t. Exact in a valid triangulation with exact predicates; a walk that
    /// is cut off returns its last triangle.
    FLIPSCOPE_HD Location operator()(Point p, uint32_t t) const {
        uint32_t steps = 0;
        return counted(p, t, steps);
    }
    /// The same; adds the number of triangles entered to `steps`.
    FLIPSCOPE_HD Location counted(Point p, uint32_t t, uint32_t& steps) const {
        for (uint32_t ghosts = 0;;) {
            const uint32_t ghost = mesh.infinite_place(t);
            uint32_t leave;
            if (ghost < 3) {
                const uint32_t corner = 3 * t + ghost;
                // Near the hull, sectors seen from a centre on the same side of a lattice are so thin that a walk
                // through them would go around half of it. Only once, because an outline that is not convex has points
                // on the inner side of its edges.
                const bool enters = ++ghosts == 2 && is_inside_hull_edge(p, corner);
                leave = enters ? next_corner(corner) : way_out_of_ghost(p, corner);
                if (leave == kNone || ++steps > most_steps) return Location::inside(t);
            } else {
                const Location found = walk_finite(p, t, steps, leave);
                if (leave == kNone) return found;
            }
            t = triangle_of(mesh.across(leave));
        }
    }

    /// Whether the finite triangle t contains all of a box, none of it on an edge.
    FLIPSCOPE_HD bool holds_box(uint32_t t, Point low, Point high) const {
        for (uint32_t k = 0; k < 3; ++k) {
            const Point a = mesh.positions[mesh.from(3 * t + k)], b = mesh.positions[mesh.to(3 * t + k)];
            // The corner of the box that is farthest to the right of the edge.
            const Point corner{b.y > a.y ? high.x : low.x, b.x > a.x ? low.y : high.y};
            if (orient(mode, a, b, corner) <= 0) return false;
        }
        return true;
    }

    /// The corner to leave a ghost by, or kNone: p is in its sector, beyond the hull edge. `corner` is the one at
    /// infinity.
    FLIPSCOPE_HD uint32_t way_out_of_ghost(Point p, uint32_t corner) const {
        // The ghost of hull edge x → y runs ∞ → y → x.
        const Point y = mesh.positions[mesh.to(corner)], x = mesh.positions[mesh.apex(corner)];
        if (star.side(mode, x, p) < 0) return previous_corner(corner);
        if (star.side(mode, y, p) > 0) return corner;
        return is_inside_hull_edge(p, corner) ? next_corner(corner) : kNone;
    }
    FLIPSCOPE_HD bool is_inside_hull_edge(Point p, uint32_t corner) const {
        return orient(mode, mesh.positions[mesh.apex(corner)], mesh.positions[mesh.to(corner)], p) >= 0;
    }

    /// Walks through finite triangles, starting at t. `leave` kNone: found. Else `leave` is a corner of the hull to
    /// leave by.
    FLIPSCOPE_HD Location walk_finite(Point p, uint32_t t, uint32_t& steps, uint32_t& leave) const {
        const uint32_t a = 3 * t;
        Point from = mesh.positions[mesh.triangles[a]], to = mesh.positions[mesh.triangles[a + 1]];
        Point apex = mesh.positions[mesh.triangles[a + 2]];
        uint32_t entered = a;  // the edge from → to; then p is strictly on our side of it
        const int first = orient(mode, from, to, p);
        if (first < 0) {
            leave = a;
        } else {
            const SideMasks sides = two_sides(mode, to, apex, from, p);
            if (sides.beyond == 0) {
                leave = kNone;
                return first == 0 ? on_edge(a) : found(t, a, sides);
            }
            turn(sides, entered, steps, leave, from, to, apex);
        }
        for (;;) {
            entered = mesh.across(leave);
            const uint32_t beyond = mesh.apex(entered);
            if (beyond == mesh.infinite) return {};
            t = triangle_of(entered);
            if (++steps > most_steps) {
                leave = kNone;
                return Location::inside(t);
            }
            // We came over from → to; the new triangle has it reversed.
            const Point was_from = from;
            from = to;
            to = was_from;
            apex = mesh.positions[beyond];
            const SideMasks sides = two_sides(mode, to, apex, from, p);
            if (sides.beyond == 0) {
                leave = kNone;
                return found(t, entered, sides);
            }
            turn(sides, entered, steps, leave, from, to, apex);
        }
    }

    FLIPSCOPE_HD Location found(uint32_t t, uint32_t entered, const SideMasks& sides) const {
        if (sides.on == 0) return Location::inside(t);
        return on_edge(sides.on & 1 ? next_corner(entered) : previous_corner(entered));
    }

    /// An edge is always named from the same side: side 0, unless a ghost is there.
    FLIPSCOPE_HD Location on_edge(uint32_t corner) const {
        const uint32_t half_edge = mesh.half_edge_at[corner];
        if (half_edge & 1) {
            const uint32_t other = mesh.corner_of[half_edge ^ 1];
            if (!mesh.is_ghost(triangle_of(other))) corner = other;
        }
        return Location::on_edge(triangle_of(corner), corner % 3);
    }

    /// Leaves by one of the two edges at the apex, chosen by a hash: a walk that always turns the same way can circle
    /// in a triangulation that is not Delaunay yet (Devillers, Pion and Teillaud 2001).
    FLIPSCOPE_HD static void turn(const SideMasks& sides, uint32_t entered, uint32_t steps, uint32_t& leave,
                                  Point& from, Point& to, Point apex) {
        const uint32_t toss = ((entered + steps) * 0x9E3779B1u >> 16) & 1;
        const bool first = sides.beyond == 1 || (sides.beyond == 3 && toss);
        leave = first ? next_corner(entered) : previous_corner(entered);
        to = first ? to : from;    // the edge to → apex,
        from = first ? to : apex;  // or apex → from
        to = first ? apex : to;
    }
};

}  // namespace flipscope
