// What a triangulation of a torus does when its vertices have moved: edges lead to the images they led to before, and
// those that can have become illegal are tested. Three ways to it, for all triangles or few of them.
#pragma once

#include <cmath>

#include "compute/atomics.h"
#include "compute/launch.h"
#include "delaunay/flip.h"
#include "delaunay/torus/moved_vertices.h"
#include "delaunay/torus/torus_rules.h"

namespace flipscope {

/// Edges that are shorter than some length, as the caller asked for: joined by those that flip.
struct ShortEdges {
    FlippedList list;
    double squared_length = 0;

    FLIPSCOPE_HD bool holds(Point d) const { return d.x * d.x + d.y * d.y < squared_length; }
    FLIPSCOPE_HD void put(uint32_t edge, uint32_t rank) const {
        list.edges[rank] = edge;
        atomic_store(list.stamps[edge], list.stamp);  // both sides of it may be looked at
    }
};

/// The three edges of a triangle with a moved corner lead to the images they led to before. Sum 0: triangles that are
/// inverted or flat now. By launch() for all triangles; by append_unordered() it also lists the edges of triangles with
/// a moved corner, each once: from its side 0 where that triangle has one, else from the other.
struct FollowMotion {
    MeshView mesh;
    TorusBox box;
    View<const uint8_t> moved;
    View<const ImageShift> sides;
    FlippedList list;
    bool marks;

    /// A triangle as the motion finds it: its corners, how they have moved, and where its edges lead now.
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
        return orient2d({0, 0}, box.to_image(a, b, triangle.shifts[0]), box.to_image(a, c, -triangle.shifts[2])) <= 0;
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

    /// Which of its edges a triangle with a moved corner lists: bits.
    FLIPSCOPE_HD uint32_t listed(const Triangle& triangle) const {
        uint32_t bits = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t half = mesh.slot_halves[3 * triangle.t + k];
            const bool ends_moved = (triangle.moved[k] | triangle.moved[k == 2 ? 0 : k + 1]) != 0;
            if ((half & 1) == 0 || (!ends_moved && !moved[mesh.apex(mesh.half_slots[half ^ 1])])) bits |= 1u << k;
        }
        return bits;
    }
    FLIPSCOPE_HD void put(uint32_t edge, uint32_t rank) const {
        list.edges[rank] = edge;
        list.stamps[edge] = list.stamp;
    }
    FLIPSCOPE_HD uint32_t list_edges(uint32_t t, uint32_t bits, uint32_t rank) const {
        for (uint32_t k = 0; k < 3; ++k)
            if (bits >> k & 1) put(mesh.slot_halves[3 * t + k] >> 1, rank++);
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

/// Where most have moved, triangle by triangle, which needs half the looks at corners that edges need. Every triangle
/// leaves the cotangents of its angles to the edges opposite them: an edge is illegal when the two at it add up to less
/// than 0 (Bobenko and Springborn, A discrete Laplace–Beltrami operator for simplicial surfaces, 2007, have the test in
/// this form). ClaimByCotangents adds them. Lists short edges, from their side 0. By append_unordered().
struct FollowTriangles {
    MeshView mesh;
    TorusBox box;
    View<const uint8_t> moved;
    View<const ImageShift> sides;
    View<uint64_t> inverted;  // three times the number of triangles that are inverted or flat
    View<float> cotangents;   // (e, 2) by halves; NaN: not known
    ShortEdges shorts;

    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return (code & 1) + (code >> 1 & 1) + (code >> 2 & 1); }
    FLIPSCOPE_HD uint32_t code(uint32_t t) const {
        const size_t slot = 3 * size_t(t);
        uint32_t corners[3];
        ImageShift shifts[3];
        Point places[3];
        for (uint32_t k = 0; k < 3; ++k) corners[k] = mesh.triangles[slot + k];
        for (uint32_t k = 0; k < 3; ++k) shifts[k] = mesh.shifts[slot + k];
        for (uint32_t k = 0; k < 3; ++k) places[k] = mesh.positions[corners[k]];
        follow(slot, corners, shifts);
        const Point to_b = box.to_image(places[0], places[1], shifts[0]);
        const Point to_c = box.to_image(places[0], places[2], -shifts[2]);
        const Point along[3] = {to_b, {to_c.x - to_b.x, to_c.y - to_b.y}, {-to_c.x, -to_c.y}};
        const double one = to_b.x * to_c.y, other = to_b.y * to_c.x, area = one - other;
        const bool thin = !(area > kThin * (fabs(one) + fabs(other)));
        const double per_area = thin ? NAN : 1 / area;
        uint32_t listed = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            const Point in = along[k == 2 ? 0 : k + 1], out = along[k == 0 ? 2 : k - 1];
            const uint32_t half = mesh.slot_halves[slot + k];
            cotangents[half] = static_cast<float>(-(in.x * out.x + in.y * out.y) * per_area);
            listed |= uint32_t(!(half & 1) && shorts.holds(along[k])) << k;
        }
        if (thin && detail::torus_is_inverted(mesh, box, t)) atomic_add(inverted[0], uint64_t(3));
        return listed;
    }
    FLIPSCOPE_HD void follow(size_t slot, const uint32_t (&corners)[3], ImageShift (&shifts)[3]) const {
        int moves[3];
        for (uint32_t k = 0; k < 3; ++k) moves[k] = moved[corners[k]];
        if (!((moves[0] | moves[1] | moves[2]) & kVertexCrossed)) return;
        ImageShift added[3];
        for (uint32_t k = 0; k < 3; ++k)
            if (moves[k] & kVertexCrossed) added[k] = sides[corners[k]];
        for (uint32_t k = 0; k < 3; ++k)
            mesh.shifts[slot + k] = shifts[k] = shifts[k] + added[k] + -added[k == 2 ? 0 : k + 1];
    }
    FLIPSCOPE_HD void emit(uint32_t t, uint32_t rank, uint32_t code) const {
        for (uint32_t k = 0; k < 3; ++k)
            if (code >> k & 1) shorts.put(mesh.slot_halves[3 * size_t(t) + k] >> 1, rank++);
    }
    // The area is a difference of two products, each off by 2^-53: relatively by less than 2^-31 where it is greater
    // than this share of them.
    static constexpr double kThin = 0x1p-20;
};

/// After FollowTriangles, four edges an index. With |area| known to 2^-31, and a product of two sides over it of 1 /
/// sin ≤ 1 + |cot|, a cotangent is off by less than 2^-30 (1 + |cot|) as a double and by 2^-23 (1 + |cot|) as a float,
/// and so is a sum of two by less than 2^-22 (1 + |cot| + |cot|). By append_unordered().
struct ClaimByCotangents {
    static constexpr uint32_t kEdges = 4;
    FlipPass pass;
    TorusBox box;
    View<const OppositeAngles> angles;
    uint32_t edge_count = 0;

    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) {
        return (code & 1) + (code >> 1 & 1) + (code >> 2 & 1) + (code >> 3);
    }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const OppositeAngles pairs[2] = {angles[2 * size_t(i)], angles[2 * size_t(i) + 1]};
        uint32_t illegal = 0, open = 0;
        for (uint32_t k = 0; k < kEdges; ++k) {
            const float left = pairs[k / 2].cotangents[k % 2 * 2], right = pairs[k / 2].cotangents[k % 2 * 2 + 1],
                        sum = left + right;
            illegal |= uint32_t(sum < 0) << k;
            open |= uint32_t(!(fabsf(sum) > 0x1p-21f * (1 + fabsf(left) + fabsf(right)))) << k;
        }
        const uint32_t left = edge_count - kEdges * i;
        if (left < kEdges) illegal &= (1u << left) - 1, open &= (1u << left) - 1;
        for (uint32_t k = 0; open != 0; ++k, open >>= 1) {
            if (!(open & 1)) continue;
            const uint32_t sign = detail::torus_edge_exactly(pass.mesh, box, kEdges * i + k, false);
            illegal = (illegal & ~(1u << k)) | sign << k;
        }
        return illegal;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        for (uint32_t k = 0; k < kEdges; ++k)
            if (code >> k & 1) pass.add_candidate(kEdges * i + k, rank++, Verdict::kIllegal);
    }
};

/// Where few vertices have moved: the sides of the triangles at them, each edge once. Counts and lists as
/// FollowTriangles does. Sum 2: edges tested. By append_unordered().
struct ClaimAtStars {
    FlipPass pass;
    TorusBox box;
    View<uint64_t> inverted;
    View<const uint32_t> triangles;
    View<uint32_t> stamps;  // (e) `stamp`: was tested
    uint32_t stamp = 0;
    ShortEdges shorts;  // of a greater stamp

    FLIPSCOPE_HD uint32_t edge_at(uint32_t side) const {
        return pass.mesh.slot_halves[3 * triangles[side / 3] + side % 3] >> 1;
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return code; }
    FLIPSCOPE_HD uint32_t code(uint32_t side, BlockSums& sums) const {
        const uint32_t edge = edge_at(side);
        if (atomic_max(stamps[edge], stamp) >= stamp) return 0;  // by the other side, which may have listed it
        ++sums.value[2];
        const TorusQuad quad = torus_quad(pass.mesh, box, edge);
        const detail::Determinant test = detail::torus_incircle(quad.to, quad.left, quad.right),
                                  left = detail::torus_area(quad.to, quad.left),
                                  right = detail::torus_area(quad.right, quad.to);
        const bool certain = (fabs(test.value) > test.error) & (left.value > left.error) & (right.value > right.error);
        uint32_t bits = test.value > 0;
        if (shorts.holds(quad.to)) shorts.put(edge, atomic_take(shorts.list.total[0]));
        if (!certain) {  // last, where little is left to be kept over a call
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
