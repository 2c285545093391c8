// The zip of neighbouring strips. The points of each strip, sorted by y, are a chain; the chains of two neighbouring
// strips are merged by y. Where one chain has a run of points between two neighbours of the other chain, the run and
// the two bound a polygon that is monotone in y and has one long side:
//
//     q'  the neighbour above        One thread goes up the run with a stack, as for any monotone polygon. It cuts off
//     | \                            every corner that is convex (an ear), and at q' nothing is left. Where triangles
//     |   v3                         and edges go follows from ranks alone: zipping chains of l and r points makes
//     |  v2                          l + r triangles.
//     |   v1
//     | /                            The lowest and the highest run of a pair lie at the outline, where the stack gets
//     q   the neighbour below        ghosts: strips_kernels.h, with the chains and with what makes strips fast.
//
// Ties: strips have no x in common, and y is ordered by (y, x). Both orders are linear maps of the plane arbitrarily
// close to the identity, so they change no orientation.
#pragma once

#include "compute/launch.h"
#include "delaunay/constructions/zip_pieces.h"
#include "flipscope/predicates.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// Shared by all kernels of strips: the mesh, whose vertices are sorted strip by strip, and the ids of its elements.
struct ZipView {
    MeshView mesh;
    View<const uint32_t> begins;    // (s + 1) first vertex of each strip
    View<const uint32_t> strip_of;  // (v)
    // (v, 2) by side, 0: towards the strip on the left, 1: on the right
    View<uint32_t> below;        // the number of points of that strip that are lower
    View<uint32_t> under, link;  // of a run's stack: the vertex below, and the half-edge of the edge to it
    uint32_t count = 0, strips = 0;

    FLIPSCOPE_HD uint32_t size(uint32_t strip) const { return begins[strip + 1] - begins[strip]; }
    FLIPSCOPE_HD bool has_neighbour(uint32_t strip, uint32_t side) const {
        return side ? strip + 1 < strips : strip > 0;
    }
    /// First triangle and edge of the pair of a strip and the next one; after the last pair, of the outer sides. The
    /// edges of its left chain precede a pair's edges, so that neighbours in the plane are neighbours in memory.
    FLIPSCOPE_HD uint32_t first_triangle(uint32_t pair) const { return begins[pair] + begins[pair + 1] - begins[1]; }
    FLIPSCOPE_HD uint32_t first_edge(uint32_t pair) const { return begins[pair + 1] - 1 + first_triangle(pair); }
    /// The chain's edge from the vertex below to this one.
    FLIPSCOPE_HD uint32_t chain_edge(uint32_t v) const { return v - 1 + first_triangle(strip_of[v]); }

    FLIPSCOPE_HD void set_edge(uint32_t edge, uint32_t from, uint32_t to) const {
        mesh.edges[2 * edge] = from;
        mesh.edges[2 * edge + 1] = to;
    }
    FLIPSCOPE_HD void set_triangle(uint32_t t, const uint32_t (&corners)[3], const uint32_t (&half_edges)[3]) const {
        for (uint32_t k = 0; k < 3; ++k) {
            mesh.triangles[3 * t + k] = corners[k];
            mesh.half_edge_at[3 * t + k] = half_edges[k];
            mesh.corner_of[half_edges[k]] = 3 * t + k;
        }
    }
};

/// The stack of one run; vertices are pushed from below.
struct ZipRun {
    const ZipView& zip;
    uint32_t side;    // the side of the neighbouring strip
    uint32_t bottom;  // the lowest vertex of the stack
    // An ear and its edge have the ids of the vertex that it cuts off: triangle + step * v and edge + step * v.
    uint32_t triangle, edge;
    uint32_t step = 1;          // or -1 modulo 2^32
    bool at_neighbour = false;  // the bottom is the neighbour below: edges to it have the id of their upper vertex
    uint32_t top = bottom, ears = 0;

    /// The run of v between two neighbours, with the one below as its bottom, or the piece of it from v on.
    FLIPSCOPE_HD static ZipRun between(const ZipView& zip, uint32_t side, uint32_t v, uint32_t bottom) {
        const uint32_t strip = zip.strip_of[v], pair = side ? strip : strip - 1;
        const uint32_t shift = zip.below[2 * v + side] - zip.begins[strip];  // from v to its rank in the merged chain
        return {zip, side, bottom, zip.first_triangle(pair) + shift, zip.first_edge(pair) + shift, 1, bottom != v};
    }

    /// The half-edge, facing the untriangulated side, of a chain's edge or of one that an ear made.
    FLIPSCOPE_HD uint32_t open_half_edge(uint32_t e) const { return 2 * e + side; }

    /// Cuts off the ears between v and the stack. `half_edge` is of the edge from the top to v, `last` of the edge from
    /// the bottom to v if this edge exists already. Returns the half-edge of the edge from the new top to v, or kNone:
    /// the polygon is full.
    FLIPSCOPE_HD uint32_t cut_ears(uint32_t v, uint32_t half_edge, uint32_t last = kNone) {
        const View<const Point>& at = zip.mesh.positions;
        while (top != bottom) {
            const uint32_t s = zip.under[2 * top + side];
            const int turn = orient2d(at[s], at[top], at[v]);
            if (side ? turn >= 0 : turn <= 0) break;
            const uint32_t link = zip.link[2 * top + side];
            uint32_t made = last, next = kNone;
            if (s != bottom || last == kNone) {
                const uint32_t e = edge + step * (at_neighbour && s == bottom ? v : top);
                zip.set_edge(e, s, v);
                next = open_half_edge(e);
                made = next ^ 1;
            }
            const uint32_t t = triangle + step * top;
            ++ears;
            if (side)
                zip.set_triangle(t, {v, top, s}, {half_edge, link, made});
            else
                zip.set_triangle(t, {s, top, v}, {link, half_edge, made});
            half_edge = next;
            top = s;
        }
        return half_edge;
    }
    FLIPSCOPE_HD void put(uint32_t v, uint32_t half_edge) {
        zip.link[2 * v + side] = cut_ears(v, half_edge);
        zip.under[2 * v + side] = top;
        top = v;
    }
    /// Pushes the vertices above v that belong to its run.
    FLIPSCOPE_HD void climb(uint32_t v) {
        const uint32_t end = zip.begins[zip.strip_of[v] + 1], below = zip.below[2 * v + side];
        const auto belongs = [&](uint32_t w) { return w < end && zip.below[2 * w + side] == below; };
        while (belongs(v + 1)) {
            if (push_piece(*this, v, belongs)) continue;  // of a long run
            ++v;
            put(v, open_half_edge(zip.chain_edge(v)));
        }
    }
};

/// One thread for each vertex and side. The thread of the first vertex of a run between two neighbours makes the run's
/// triangles. Sum 0: triangles.
struct ZipStrips {
    ZipView zip;

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const uint32_t v = i >> 1, side = i & 1, strip = zip.strip_of[v];
        if (!zip.has_neighbour(strip, side)) return;
        const uint32_t below = zip.below[i], other = side ? strip + 1 : strip - 1;
        if (below == 0 || (v != zip.begins[strip] && zip.below[i - 2] == below)) return;
        if (below < zip.size(other)) sums.value[0] += zip_run(v, side, strip, other);
    }
    FLIPSCOPE_HD uint32_t zip_run(uint32_t v, uint32_t side, uint32_t strip, uint32_t other) const {
        const uint32_t pair = side ? strip : other, edges = zip.first_edge(pair), below = zip.below[2 * v + side];
        const uint32_t q = zip.begins[other] + below - 1;  // the neighbour below; q + 1 is the one above
        ZipRun run = ZipRun::between(zip, side, v, q);
        // Each vertex of the merged chain has an edge to the one before it, from the left strip to the right one.
        const uint32_t e_below = run.edge + v;
        zip.set_edge(e_below, side ? v : q, side ? q : v);
        run.put(v, 2 * e_below);
        run.climb(v);
        const uint32_t own_below = zip.below[2 * (q + 1) + 1 - side];
        const uint32_t e =
            own_below == zip.size(strip) ? edges + zip.size(strip) + zip.size(other) : edges + below + own_below;
        run.cut_ears(q + 1, 2 * e + 1, run.open_half_edge(zip.chain_edge(q + 1)) ^ 1);
        return run.ears;
    }
};

}  // namespace flipscope
