// Updates a triangulation of a torus after its vertices moved: edges keep leading to the same images, and edges that
// may have become illegal are tested. There are three ways to do it, for all triangles or few of them.
#pragma once

#include <cmath>

#include "compute/atomics.h"
#include "compute/gather.h"
#include "compute/launch.h"
#include "delaunay/flip/flip.h"
#include "delaunay/flip/flipped_list.h"
#include "delaunay/torus/moved_vertices.h"
#include "delaunay/torus/torus_rules.h"

namespace flipscope {

/// Edges shorter than a length that the caller requests; edges that flip are added.
struct ShortEdges {
    FlippedList list;
    double squared_length = 0;

    FLIPSCOPE_HD bool holds(Point d) const { return d.x * d.x + d.y * d.y < squared_length; }
    FLIPSCOPE_HD void put(uint32_t edge, uint32_t rank) const {
        list.edges[rank] = edge;
        atomic_store(list.stamps[edge], list.stamp);  // another thread may read the other side
    }
};

/// Keeps the three edges of a triangle with a moved corner leading to the same images. Sum 0: triangles that are
/// inverted or flat now. launch() runs it over all triangles; append_unordered() also lists the edges of triangles with
/// a moved corner, each once: from its side 0 if that triangle has a moved corner, else from the other.
template <class Box>
struct FollowMotion {
    MeshView mesh;
    Box box;
    View<const uint8_t> moved;
    View<const ImageShift> sides;
    FlippedList list;
    bool marks;

    /// A triangle after the motion: its corners, how they moved, and the images that its edges lead to now.
    struct Triangle {
        uint32_t t, corners[3];
        uint8_t moved[3];
        ImageShift shifts[3];
        FLIPSCOPE_HD bool has_moved() const { return (moved[0] | moved[1] | moved[2]) != 0; }
        FLIPSCOPE_HD bool has_crossed() const { return ((moved[0] | moved[1] | moved[2]) & kVertexCrossed) != 0; }
    };
    FLIPSCOPE_HD Triangle triangle(uint32_t t) const {
        Triangle triangle{t, {}, {}, {}};
        for (uint32_t k = 0; k < 3; ++k) {
            triangle.corners[k] = mesh.triangles[3 * t + k];
            triangle.moved[k] = moved[triangle.corners[k]];
        }
        return triangle;
    }
    FLIPSCOPE_HD void find_shifts(Triangle& triangle) const {
        for (uint32_t k = 0; k < 3; ++k) triangle.shifts[k] = mesh.shifts[3 * triangle.t + k];
        if (!triangle.has_crossed()) return;
        ImageShift added[3];
        for (uint32_t k = 0; k < 3; ++k)
            if (triangle.moved[k] & kVertexCrossed) added[k] = sides[triangle.corners[k]];
        for (uint32_t k = 0; k < 3; ++k)
            triangle.shifts[k] = triangle.shifts[k] + added[k] + -added[k == 2 ? 0 : k + 1];
    }
    FLIPSCOPE_HD bool is_inverted(const Triangle& triangle) const {
        const Point a = mesh.positions[triangle.corners[0]], b = mesh.positions[triangle.corners[1]],
                    c = mesh.positions[triangle.corners[2]];
        return torus_orient2d(box, {0, 0}, box.to_image(a, b, triangle.shifts[0]),
                              box.to_image(a, c, -triangle.shifts[2])) <= 0;
    }
    /// Of a triangle with a moved corner.
    FLIPSCOPE_HD void follow(const Triangle& triangle, bool inverted) const {
        if (triangle.has_crossed())
            for (uint32_t k = 0; k < 3; ++k) mesh.shifts[3 * triangle.t + k] = triangle.shifts[k];
        if (marks) mesh.triangle_states[triangle.t] = inverted ? State(kStateIllegal) : State(0);
    }
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        Triangle at = triangle(t);
        if (!at.has_moved()) return;
        find_shifts(at);
        const bool inverted = is_inverted(at);
        sums.value[0] += inverted;
        follow(at, inverted);
    }

    /// The edges that a triangle with a moved corner lists, as bits.
    FLIPSCOPE_HD uint32_t listed(const Triangle& triangle) const {
        uint32_t bits = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t half_edge = mesh.half_edge_at[3 * triangle.t + k];
            const bool ends_moved = (triangle.moved[k] | triangle.moved[k == 2 ? 0 : k + 1]) != 0;
            if ((half_edge & 1) == 0 || (!ends_moved && !moved[mesh.apex(mesh.corner_of[half_edge ^ 1])]))
                bits |= 1u << k;
        }
        return bits;
    }
    FLIPSCOPE_HD void put(uint32_t edge, uint32_t rank) const {
        list.edges[rank] = edge;
        list.stamps[edge] = list.stamp;
    }
    FLIPSCOPE_HD uint32_t list_edges(uint32_t t, uint32_t bits, uint32_t rank) const {
        for (uint32_t k = 0; k < 3; ++k)
            if (bits >> k & 1) put(mesh.half_edge_at[3 * t + k] >> 1, rank++);
        return rank;
    }
    static constexpr uint32_t kNear = 8, kInverted = 16;
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return (code & 1) + (code >> 1 & 1) + (code >> 2 & 1); }
    FLIPSCOPE_HD uint32_t code(uint32_t t, BlockSums& sums) const {
        Triangle at = triangle(t);
        if (!at.has_moved()) return 0;
        find_shifts(at);
        const bool inverted = is_inverted(at);
        sums.value[0] += inverted;
        const uint32_t bits = listed(at);
        sums.value[2] += count_of(bits);
        return kNear | bits | (inverted ? kInverted : 0) | (at.has_crossed() ? kCrosses : 0);
    }
    FLIPSCOPE_HD void emit(uint32_t t, uint32_t rank, uint32_t code) const {
        if (code == 0) return;
        list_edges(t, code & 7, rank);
        if (!(code & kCrosses) && !marks) return;
        Triangle at = triangle(t);
        find_shifts(at);
        follow(at, (code & kInverted) != 0);
    }
    static constexpr uint32_t kCrosses = 32;
};

/// Whether the angle between two consecutive sides of a triangle is certainly less than 90°: products are off by u, and
/// so is their sum. Both triangles of an edge get the same result, in either direction.
FLIPSCOPE_HD inline bool is_acute(Point in, Point out) {
    const double one = in.x * out.x, other = in.y * out.y;
    return -(one + other) > 4 * detail::kHalfUlp * (fabs(one) + fabs(other));
}

/// For motions of most vertices, triangle by triangle, which reads half as many corners as edge by edge. The two angles
/// opposite an illegal edge add up to more than 180°, so at least one of them is not acute; no other edges are tested.
/// Run by launch_gathered(), or from a kernel that reads the edges anyway.
template <class Box>
struct FollowTriangles {
    static constexpr int kBlocks = 4;
    static constexpr uint32_t kCodes = 16;  // codes are less
    FlipPass pass;
    Box box;
    View<const uint8_t> moved;
    View<const ImageShift> sides;
    View<uint64_t> inverted;  // three times the number of triangles that are inverted or flat
    View<uint32_t> illegal;   // number of candidates: the first list's total
    // Tested afterwards: edges of triangles with a corner that crossed the border, each once, because other threads see
    // their images before or after the update; and edges and triangles that the rounding error leaves undecided. Calls
    // of exact tests here would make every thread keep its registers in memory.
    FlippedList late;

    /// The same with a box whose type says more.
    template <class Known>
    FollowTriangles<Known> in(const Known& known) const {
        return {pass, known, moved, sides, inverted, illegal, late};
    }

    /// A triangle after the motion, as seen from its first corner.
    struct Kept {
        uint32_t corners[3];
        Point to_b, to_c;
        /// The vector of side k.
        FLIPSCOPE_HD Point along(uint32_t k) const {
            return k == 0 ? to_b : k == 1 ? Point{to_c.x - to_b.x, to_c.y - to_b.y} : Point{-to_c.x, -to_c.y};
        }
    };
    FLIPSCOPE_HD uint32_t first(uint32_t t, Kept& kept, BlockSums&) const {
        return look(t, kept, [](uint32_t, uint32_t, uint32_t, Point) {});
    }
    FLIPSCOPE_HD uint32_t then(uint32_t t, uint32_t code, const Kept& kept, BlockSums&) const {
        return test(t, code, kept);
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t sides) { return (sides & 1) + (sides >> 1 & 1) + (sides >> 2 & 1); }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t found, uint32_t list) { return list == 0 ? count_of(found) : 0; }
    FLIPSCOPE_HD void emit(uint32_t t, uint32_t found, const uint32_t (&ranks)[kGatheredLists]) const {
        list(t, found, ranks[0]);
    }

    static constexpr uint32_t kTriangle = 1u << 31;  // in `late`: the id is a triangle's, not an edge's
    static constexpr uint32_t kCrosses = 8;          // and bit k: the angle opposite side k is not acute
    /// Calls each_side(k, from, to, d) for the three sides, with vector d, except those beyond a border.
    template <class EachSide>
    FLIPSCOPE_HD uint32_t look(uint32_t t, Kept& kept, const EachSide& each_side) const {
        const MeshView& mesh = pass.mesh;
        const size_t corner = 3 * size_t(t);
        uint32_t(&corners)[3] = kept.corners;
        ImageShift shifts[3];
        Point places[3];
        int moves[3];
        for (uint32_t k = 0; k < 3; ++k) corners[k] = mesh.triangles[corner + k];
        for (uint32_t k = 0; k < 3; ++k) shifts[k] = mesh.shifts[corner + k];
        for (uint32_t k = 0; k < 3; ++k) places[k] = mesh.positions[corners[k]], moves[k] = moved[corners[k]];
        const bool crosses = ((moves[0] | moves[1] | moves[2]) & kVertexCrossed) != 0;
        if (crosses) follow(corner, corners, moves, shifts);
        kept.to_b = box.to_image(places[0], places[1], shifts[0]);
        kept.to_c = box.to_image(places[0], places[2], -shifts[2]);
        const Point along[3] = {kept.along(0), kept.along(1), kept.along(2)};
        const detail::Determinant area = detail::torus_area(box, kept.to_b, kept.to_c);
        if (!(area.value > area.error)) late.edges[atomic_reserve(late.total[0])] = kTriangle | t;
        const bool beyond = box.is_cylinder() && (box.changes_level(kept.to_b) || box.changes_level(kept.to_c));
        uint32_t code = crosses || beyond ? kCrosses : 0;  // angles are meaningless beyond a border
        for (uint32_t k = 0; k < 3; ++k) {
            if (!is_acute(along[k == 2 ? 0 : k + 1], along[k == 0 ? 2 : k - 1])) code |= 1u << k;
            if (!(beyond && box.changes_level(along[k])))
                each_side(k, corners[k], corners[k == 2 ? 0 : k + 1], along[k]);
        }
        return code;
    }
    FLIPSCOPE_HD void follow(size_t corner, const uint32_t (&corners)[3], const int (&moves)[3],
                             ImageShift (&shifts)[3]) const {
        ImageShift added[3];
        for (uint32_t k = 0; k < 3; ++k)
            if (moves[k] & kVertexCrossed) added[k] = sides[corners[k]];
        for (uint32_t k = 0; k < 3; ++k)
            pass.mesh.shifts[corner + k] = shifts[k] = shifts[k] + added[k] + -added[k == 2 ? 0 : k + 1];
    }

    /// Executes a code of look(). Returns the illegal sides as bits.
    FLIPSCOPE_HD uint32_t test(uint32_t t, uint32_t code, const Kept& kept) const {
        uint32_t illegal_sides = 0;
        if (code & kCrosses)
            for (uint32_t k = 0; k < 3; ++k) list_late(pass.mesh.half_edge_at[3 * t + k] >> 1);
        else
            for_sides(code, [&](uint32_t k) {
                illegal_sides |= uint32_t(is_illegal(3 * t + k, kept.along(k), kept.along(k == 0 ? 2 : k - 1))) << k;
            });
        return illegal_sides;
    }
    FLIPSCOPE_HD void list(uint32_t t, uint32_t illegal_sides, uint32_t rank) const {
        for_sides(illegal_sides, [&](uint32_t k) {
            pass.add_candidate(pass.mesh.half_edge_at[3 * t + k] >> 1, rank++, Verdict::kIllegal);
        });
    }
    /// Calls each(k) for every set bit: most threads of a warp have one side each, and handle it together, whatever its
    /// k.
    template <class Each>
    FLIPSCOPE_HD static void for_sides(uint32_t sides, const Each& each) {
        for (sides &= 7; sides != 0; sides &= sides - 1) each(sides & 1 ? 0u : sides & 2 ? 1u : 2u);
    }
    FLIPSCOPE_HD void list_late(uint32_t edge) const {
        if (atomic_exchange(late.stamps[edge], late.stamp) == late.stamp) return;
        late.edges[atomic_reserve(late.total[0])] = edge;
    }
    /// Whether the side at a corner is illegal; `to` is its vector, `back` that of the side before it.
    FLIPSCOPE_HD bool is_illegal(uint32_t corner, Point to, Point back) const {
        const MeshView& mesh = pass.mesh;
        const uint32_t half_edge = mesh.half_edge_at[corner], after = next_corner(mesh.corner_of[half_edge ^ 1]);
        const uint32_t from = mesh.from(after), apex = mesh.to(after);
        if (moved[apex] & kVertexCrossed) return false;  // tested late
        const Point right = box.to_image(mesh.positions[from], mesh.positions[apex], mesh.shifts[after]);
        // If neither angle is acute, both sides test the edge.
        if ((half_edge & 1) && !is_acute(right, {to.x - right.x, to.y - right.y})) return false;
        const detail::Determinant circle = detail::torus_incircle(box, to, {-back.x, -back.y}, right);
        if (!(fabs(circle.value) > circle.error)) list_late(half_edge >> 1);
        return circle.value > circle.error;
    }
};

/// Tests what FollowTriangles deferred to `late`. By launch().
template <class Box>
struct ClaimLate {
    FollowTriangles<Box> follow;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t edge = follow.late.edges[i];
        if (edge & follow.kTriangle) {
            const uint32_t t = edge & ~follow.kTriangle;
            if (detail::torus_is_inverted(follow.pass.mesh, follow.box, t)) atomic_add(follow.inverted[0], uint64_t(3));
            return;
        }
        if (must_flip(TorusDelaunayRule<Box>{follow.box}.judge(follow.pass.mesh, edge, {})))
            follow.pass.add_candidate(edge, atomic_reserve(follow.illegal[0]), Verdict::kIllegal);
    }
};

/// For motions of few vertices: tests the sides of the triangles at them, each edge once. Counts inverted triangles as
/// FollowTriangles does, and lists short edges. Sum 2: edges tested. By append_unordered().
template <class Box>
struct ClaimAtStars {
    FlipPass pass;
    Box box;
    View<uint64_t> inverted;
    View<const uint32_t> triangles;
    View<uint32_t> stamps;  // (e) `stamp`: tested
    uint32_t stamp = 0;
    ShortEdges shorts;  // of a greater stamp

    FLIPSCOPE_HD uint32_t edge_at(uint32_t side) const {
        return pass.mesh.half_edge_at[3 * triangles[side / 3] + side % 3] >> 1;
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return code; }
    FLIPSCOPE_HD uint32_t code(uint32_t side, BlockSums& sums) const {
        const uint32_t edge = edge_at(side);
        if (atomic_max(stamps[edge], stamp) >= stamp) return 0;  // tested from the other side, which may have listed it
        ++sums.value[2];
        const TorusQuad quad = torus_quad(pass.mesh, box, edge);
        const detail::Determinant test = detail::torus_incircle(box, quad.to, quad.left, quad.right),
                                  left = detail::torus_area(box, quad.to, quad.left),
                                  right = detail::torus_area(box, quad.right, quad.to);
        const bool certain = (fabs(test.value) > test.error) & (left.value > left.error) & (right.value > right.error);
        uint32_t bits = test.value > 0;
        if (shorts.holds(quad.to) && !box.changes_level(quad.to))
            shorts.put(edge, atomic_reserve(shorts.list.total[0]));
        if (!certain) {  // last, when few registers must survive the call
            bits = detail::torus_edge_exactly(pass.mesh, box, edge, true);
            if (bits > 1) atomic_add(inverted[0], uint64_t(bits >> 1 & 1) + uint64_t(bits >> 2));
        }
        return bits & 1;
    }
    FLIPSCOPE_HD void emit(uint32_t side, uint32_t rank, uint32_t code) const {
        if (code) pass.add_candidate(edge_at(side), rank, Verdict::kIllegal);
    }
};

}  // namespace flipscope
