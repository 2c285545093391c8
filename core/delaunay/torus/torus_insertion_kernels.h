// The kernels that put points into a triangulation of a torus, many at once: each triangle takes one of the points that
// lie in it and is split in three, edges flip until all are legal, and the points that wait find their triangles again.
// As split.h for the plane (algorithm 4 of Drozd, 2025), without a hull and with images. A torus has no far
// outside to begin with: the first point alone is triangulated, by two triangles whose corners are all images of it.
#pragma once

#include "compute/launch.h"
#include "delaunay/flip/flip_conflicts.h"
#include "delaunay/torus/torus_rules.h"
#include "mesh/surgery.h"

namespace flipscope {

/// The points that are not inserted yet.
struct TorusWaiting {
    View<uint32_t> ids;        // (w) vertex ids
    View<uint32_t> triangles;  // (w) the triangle that contains it
    View<ImageShift> images;   // (w) the image there, relative to the triangle's first corner
};

/// Walks to the nearest image of p, through triangles that are unrolled along the way. In a Delaunay triangulation the
/// walk ends, even if it always takes the worse of two ways out.
template <class Box>
struct TorusWalk {
    MeshView mesh;
    Box box;

    struct Found {
        uint32_t triangle = kNone;  // kNone: p lies on a vertex
        ImageShift image;
    };

    FLIPSCOPE_HD Found operator()(Point p, uint32_t t) const {
        uint32_t corner = 3 * t;
        Point a{0, 0}, b = step_of(mesh, box, corner);
        const Point last = step_of(mesh, box, previous_corner(corner));
        Point c{-last.x, -last.y};
        const Point at = box.shortest(mesh.positions[mesh.from(corner)], p);  // as seen from the first corner
        const int turn = torus_orient2d(box, a, b, at);
        uint32_t zero = turn == 0;  // bit 0: on a → b, 1: on b → c, 2: c → a
        uint32_t leave = turn < 0 ? 0 : 3;
        for (;;) {
            if (leave == 3) {
                const int first = torus_orient2d(box, b, c, at);
                zero |= uint32_t(first == 0) << 1;
                if (first < 0) {
                    leave = 1;
                } else {
                    const int second = torus_orient2d(box, c, a, at);
                    zero |= uint32_t(second == 0) << 2;
                    if (second < 0) leave = 2;
                }
            }
            if (leave == 3) return found(p, corner, a, b, c, at, zero);
            const uint32_t out = leave == 0 ? corner : leave == 1 ? next_corner(corner) : previous_corner(corner);
            const Point from = leave == 0 ? a : leave == 1 ? b : c, to = leave == 0 ? b : leave == 1 ? c : a;
            corner = mesh.across(out);  // to → from
            const Point on = step_of(mesh, box, next_corner(corner));
            a = to, b = from, c = {from.x + on.x, from.y + on.y};
            leave = 3;
            zero = 0;  // strictly beyond the edge it came over
        }
    }

    /// A point on an edge is assigned to its side 0, so that no two points of one edge are inserted at once.
    FLIPSCOPE_HD Found found(Point p, uint32_t corner, Point a, Point b, Point c, Point at, uint32_t zero) const {
        if (zero & (zero - 1)) return {};
        uint32_t base = corner;  // begins at the corner that lies at `a`
        if (zero) {
            const uint32_t on = zero == 1 ? corner : zero == 2 ? next_corner(corner) : previous_corner(corner);
            if (mesh.half_edge_at[on] & 1) {
                base = mesh.across(on);  // begins where `on` ends
                a = zero == 1 ? b : zero == 2 ? c : a;
            }
        }
        // From the corner at `a` to the first corner of its triangle.
        const uint32_t t = triangle_of(base);
        if (base % 3 == 1) {
            const Point back = step_of(mesh, box, 3 * t);
            a = {a.x - back.x, a.y - back.y};
        } else if (base % 3 == 2) {
            const Point on = step_of(mesh, box, base);
            a = {a.x + on.x, a.y + on.y};
        }
        const Point first = mesh.positions[mesh.triangles[3 * t]];
        return {
            t,
            {count((at.x - a.x) - (p.x - first.x), box.sides.x), count((at.y - a.y) - (p.y - first.y), box.sides.y)}};
    }
    FLIPSCOPE_HD static int8_t count(double sides, double side) { return static_cast<int8_t>(rint(sides / side)); }
};

struct StartTorusWaiting {
    TorusWaiting waiting;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        waiting.ids[i] = i + 1;
        waiting.triangles[i] = 0;
    }
};

/// Sum 0: points at the place of a vertex, moved along x, or y where x is open, by the fewest grid steps to a free
/// place.
template <class Box>
struct LocateOnTorus {
    TorusWalk<Box> walk;
    TorusWaiting waiting;
    View<Point> positions;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const uint32_t id = waiting.ids[i];
        typename TorusWalk<Box>::Found found = walk(positions[id], waiting.triangles[i]);
        for (uint64_t tries = 0; found.triangle == kNone; ++tries) {
            sums.value[0] += tries == 0;
            const Box& box = walk.box;
            const bool along_y = box.is_cylinder() && box.open == OpenAxis::kX;
            const double side = along_y ? box.sides.y : box.sides.x;
            double& v = along_y ? positions[id].y : positions[id].x;
            v = v + box.grid >= side ? v + box.grid - side : v + box.grid;
            found = walk(positions[id], waiting.triangles[i]);
        }
        waiting.triangles[i] = found.triangle;
        waiting.images[i] = found.image;
    }
};

/// Selects a random point of each triangle, the same in every run. The high word of a vote is the complement of the
/// round, so votes of older rounds never count.
FLIPSCOPE_HD inline uint64_t torus_vote(uint32_t round, uint32_t id) { return uint64_t(~round) << 32 | hashed(id); }
struct VoteOnTorus {
    TorusWaiting waiting;
    View<uint64_t> votes;  // (t)
    uint32_t round;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        atomic_min(votes[waiting.triangles[i]], torus_vote(round, waiting.ids[i]));
    }
};

/// Divides the waiting points into the selected ones and the rest, both in order.
struct ChooseOnTorus {
    TorusWaiting waiting, chosen, rest;
    View<const uint64_t> votes;
    uint32_t round;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        return votes[waiting.triangles[i]] == torus_vote(round, waiting.ids[i]);
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        const TorusWaiting& to = code ? chosen : rest;
        const uint32_t place = code ? rank : i - rank;
        to.ids[place] = waiting.ids[i];
        to.triangles[place] = waiting.triangles[i];
        to.images[place] = waiting.images[i];
    }
};

/// Splits a triangle a b c at its point p, as split_triangle() does, and gives the new edges their images. A point on
/// an edge leaves a flat triangle, which UprightRule flips away.
struct SplitOnTorus {
    MeshView mesh;
    TorusWaiting chosen;
    uint32_t first_triangle, first_edge;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t t = chosen.triangles[i], u = first_triangle + 2 * i, w = u + 1;
        const ImageShift b = mesh.shifts[3 * t], bc = mesh.shifts[3 * t + 1], ca = mesh.shifts[3 * t + 2];
        const ImageShift a_to_p = chosen.images[i], b_to_p = -b + a_to_p, c_to_p = ca + a_to_p;
        split_triangle(mesh, t, chosen.ids[i], u, first_edge + 3 * i);
        mesh.shifts[3 * t + 1] = b_to_p;
        mesh.shifts[3 * t + 2] = -a_to_p;
        mesh.shifts[3 * u] = bc;
        mesh.shifts[3 * u + 1] = c_to_p;
        mesh.shifts[3 * u + 2] = -b_to_p;
        mesh.shifts[3 * w] = ca;
        mesh.shifts[3 * w + 1] = a_to_p;
        mesh.shifts[3 * w + 2] = -c_to_p;
    }
};

/// The three outer edges of every split triangle may have become illegal, or belong to a flat triangle. Each is listed
/// once, as in split.h. The inner edges are legal: the circle of a triangle that is split contained no point.
struct QueueSplitOnTorus {
    MeshView mesh;
    TorusWaiting chosen;
    View<const uint64_t> votes;
    uint32_t round, first_triangle;
    View<uint32_t> list;

    /// Splits the triangles that got a vote in this round.
    FLIPSCOPE_HD bool is_split(uint32_t t) const {
        return t >= first_triangle || static_cast<uint32_t>(votes[t] >> 32) == ~round;
    }
    FLIPSCOPE_HD uint32_t corner(uint32_t i, uint32_t k) const {
        return 3 * (k == 0 ? chosen.triangles[i] : first_triangle + 2 * i + k - 1);
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return (code & 1) + (code >> 1 & 1) + (code >> 2 & 1); }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        uint32_t listed = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t half_edge = mesh.half_edge_at[corner(i, k)];
            const bool lists = (half_edge & 1) == 0 || !is_split(triangle_of(mesh.corner_of[half_edge ^ 1]));
            listed |= uint32_t(lists) << k;
        }
        return listed;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        for (uint32_t k = 0; k < 3; ++k)
            if (code >> k & 1) list[rank++] = mesh.half_edge_at[corner(i, k)] >> 1;
    }
};

struct LinkOnTorus {
    MeshView mesh;
    uint32_t first_triangle;
    FLIPSCOPE_HD void operator()(uint32_t i) const { link_split(mesh, first_triangle + 2 * i); }
};

}  // namespace flipscope
