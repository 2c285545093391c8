// The kernels of the chains and the outline of strips (zip.h), and the fast versions.
//
// 10⁶ uniform points take 110 to 120 ms on two threads of an AMD EPYC, 0.23 of CGAL's time. On one thread 16 % of the
// time is the zip, 6 % the chains, 17 % ordering, 47 % flips inside of blocks and regions, 13 % flips between regions.
// On an H200 zip and ordering take 0.24 ms each (docs/benchmarks.md). Regions (flip_in_regions.h), one merge for each
// pair of chains (ChainRunOfPoints) and a kernel of its own for the outline brought 0.35 of CGAL's time down to 0.27.
//
// The outline: the lowest and the highest run of two neighbouring strips lack the neighbour below or above. The
// vertices left on their stack form a convex chain as seen from outside, and each of its edges gets a ghost. With the
// outer sides of the first and the last strip the outline is monotone in x; flips at infinity close its bays.
#pragma once

#include "delaunay/constructions/zip.h"

namespace flipscope {

/// One thread for each vertex and side: counts the points of the neighbouring strip that are below. Side 1 also writes
/// the edge of the vertex in its own chain.
struct ChainPoints {
    ZipView zip;
    FLIPSCOPE_HD static bool is_below(Point a, Point b) { return a.y != b.y ? a.y < b.y : a.x < b.x; }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t v = i >> 1, side = i & 1, strip = zip.strip_of[v];
        if (side && v > zip.begins[strip]) zip.set_edge(zip.chain_edge(v), v - 1, v);
        if (zip.has_neighbour(strip, side)) zip.below[i] = count_below(v, strip, side);
    }
    FLIPSCOPE_HD uint32_t count_below(uint32_t v, uint32_t strip, uint32_t side) const {
        const uint32_t begin = zip.begins[side ? strip + 1 : strip - 1];
        uint32_t low = begin, high = zip.begins[side ? strip + 2 : strip];
        const Point p = zip.mesh.positions[v];
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (is_below(zip.mesh.positions[middle], p))
                low = middle + 1;
            else
                high = middle;
        }
        return low - begin;
    }
};

/// The same for CPU threads, with one thread for each kLength vertices: a stretch of a chain is merged with the chain
/// on the right, so that each pair of chains is merged once, for both.
struct ChainRunOfPoints {
    static constexpr uint32_t kLength = 32;
    ChainPoints chain;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const ZipView& zip = chain.zip;
        const uint32_t first = i * kLength, end = zip.count - first < kLength ? zip.count : first + kLength;
        for (uint32_t v = first; v < end;) {
            const uint32_t strip = zip.strip_of[v],
                           chain_end = zip.begins[strip + 1] < end ? zip.begins[strip + 1] : end;
            const uint32_t edges = zip.first_triangle(strip) - 1;
            for (uint32_t w = v > zip.begins[strip] ? v : v + 1; w < chain_end; ++w) zip.set_edge(edges + w, w - 1, w);
            if (zip.has_neighbour(strip, 1)) climb(v, chain_end, strip);
            v = chain_end;
        }
    }
    FLIPSCOPE_HD void climb(uint32_t v, uint32_t end, uint32_t strip) const {
        const ZipView& zip = chain.zip;
        const View<const Point>& at = zip.mesh.positions;
        const uint32_t own = zip.begins[strip], theirs = zip.begins[strip + 1], above = zip.begins[strip + 2];
        uint32_t other = v > own ? theirs + chain.count_below(v - 1, strip, 1) : theirs;
        for (; v < end; ++v) {
            for (; other < above && ChainPoints::is_below(at[other], at[v]); ++other) zip.below[2 * other] = v - own;
            zip.below[2 * v + 1] = other - theirs;
        }
        if (end == theirs)
            for (; other < above; ++other) zip.below[2 * other] = theirs - own;
    }
};

/// A run of the outline: vertices of a strip, upwards, with the vertex q of the neighbouring strip behind the last or
/// before the first; outer sides have none. An ear has the ids of the vertex that it cuts off, a ghost those of the
/// vertex at which it begins along the outline, which leads upwards on side 1, and down on side 0.
struct OutlineRun {
    uint32_t side, first, count;
    uint32_t q, place_of_q;         // counted as a vertex of the run
    uint32_t triangle, edge, step;  // ids of vertex v: triangle + step * v, and edge + step * v
    uint32_t end, after;            // the last vertex of the outline here, and the edge to infinity that begins there

    FLIPSCOPE_HD uint32_t last() const { return first + count - 1; }
    FLIPSCOPE_HD uint32_t ghost(uint32_t base, uint32_t from) const {
        return base + step * (from == q ? place_of_q : from);
    }
    /// To infinity.
    FLIPSCOPE_HD uint32_t edge_at(uint32_t v) const { return v == end ? after : ghost(edge, v); }
};

/// The outer sides of the first and the last strip follow all pairs.
struct OutlineView : ZipView {
    FLIPSCOPE_HD uint32_t left_triangles() const { return first_triangle(strips - 1); }
    FLIPSCOPE_HD uint32_t left_edges() const { return first_edge(strips - 1); }
    FLIPSCOPE_HD uint32_t left_room() const { return size(0) - 1; }
    FLIPSCOPE_HD uint32_t right_room() const { return size(strips - 1) - 1; }
    /// The edge to infinity of the first ghost behind the bottom of a strip, counter-clockwise along the outline; and
    /// behind the top of one.
    FLIPSCOPE_HD uint32_t edge_after_bottom(uint32_t strip) const {
        if (strip + 1 < strips) return first_edge(strip);
        return right_room() > 0 ? left_edges() + left_room() : edge_before(strip);
    }
    FLIPSCOPE_HD uint32_t edge_after_top(uint32_t strip) const {
        if (strip > 0) return edge_before(strip);
        return left_room() > 0 ? left_edges() : first_edge(0);
    }
    FLIPSCOPE_HD uint32_t edge_before(uint32_t strip) const {  // the last one of the pair with the strip to the left
        return first_edge(strip - 1) + size(strip - 1) + size(strip) - 1;
    }

    /// The run below all of the neighbouring strip; it may be empty.
    FLIPSCOPE_HD OutlineRun bottom(uint32_t strip, uint32_t side) const {
        const uint32_t other = side ? strip + 1 : strip - 1, pair = side ? strip : other, first = begins[strip];
        const uint32_t q = begins[other], count = below[2 * q + 1 - side], end = first + count;
        const uint32_t shift = side ? 0 - first : end, triangles = first_triangle(pair), edges = first_edge(pair);
        return {.side = side,
                .first = first,
                .count = count,
                .q = q,
                .place_of_q = end,
                .triangle = triangles + shift,
                .edge = edges + shift,
                .step = side ? 1 : kBack,
                .end = side ? q : first,
                .after = edge_after_bottom(pair + 1)};
    }
    /// The run above all of the neighbouring strip; it may be empty.
    FLIPSCOPE_HD OutlineRun top(uint32_t strip, uint32_t side) const {
        const uint32_t other = side ? strip + 1 : strip - 1, pair = side ? strip : other;
        const uint32_t end = begins[strip + 1], q = begins[other + 1] - 1, others = size(other);
        uint32_t first = begins[strip];
        for (uint32_t high = end; first < high;) {
            const uint32_t middle = (first + high) / 2;
            if (below[2 * middle + side] < others)
                first = middle + 1;
            else
                high = middle;
        }
        const uint32_t shift = others - begins[strip] + (side ? first + end - 2 : 0);
        const uint32_t triangles = first_triangle(pair), edges = first_edge(pair);
        return {.side = side,
                .first = first,
                .count = end - first,
                .q = q,
                .place_of_q = first - 1,
                .triangle = triangles + shift,
                .edge = edges + shift,
                .step = side ? kBack : 1,
                .end = side ? end - 1 : q,
                .after = edge_after_top(pair)};
    }
    /// The outer side of the first or the last strip.
    FLIPSCOPE_HD OutlineRun outer(uint32_t strip, uint32_t side) const {
        const uint32_t first = begins[strip], last = begins[strip + 1] - 1;
        const uint32_t shift = side ? left_room() - first : last;
        return {.side = side,
                .first = first,
                .count = last - first + 1,
                .q = kNone,
                .place_of_q = kNone,
                .triangle = left_triangles() + shift,
                .edge = left_edges() + shift,
                .step = side ? 1 : kBack,
                .end = side ? last : first,
                .after = side ? edge_after_top(strip) : edge_after_bottom(strip)};
    }

    /// The stack of a run, or of its piece from v on.
    FLIPSCOPE_HD ZipRun stack(const OutlineRun& run, uint32_t bottom) const {
        return {*this, run.side, bottom, run.triangle, run.edge, run.step};
    }

    /// A vertex of a stack, the one below, and the half-edge of the edge to it.
    struct Entry {
        uint32_t vertex, under, link;
    };
    FLIPSCOPE_HD Entry entry(const ZipRun& stack, uint32_t v) const {
        return {v, under[2 * v + stack.side], link[2 * v + stack.side]};
    }
    /// Makes ghosts for all edges of the stack, from the top down.
    FLIPSCOPE_HD void close(const OutlineRun& run, const ZipRun& stack, Entry at) const {
        for (;; at = entry(stack, at.under)) {
            const uint32_t from = run.side ? at.under : at.vertex, to = run.side ? at.vertex : at.under;
            const uint32_t e = run.edge_at(from), next = run.edge_at(to);
            set_edge(e, from, mesh.infinite);
            set_triangle(run.ghost(run.triangle, from), {to, from, mesh.infinite}, {at.link, 2 * e, 2 * next + 1});
            if (at.under == stack.bottom) return;
        }
    }
    /// The piece of an outer side from v to the next multiple of kPiece. Returns its ears.
    FLIPSCOPE_HD uint32_t close_outer(uint32_t v, uint32_t strip, uint32_t side) const {
        const OutlineRun run = outer(strip, side);
        if (v == run.last()) return 0;
        ZipRun stack = this->stack(run, v);
        do {
            ++v;
            stack.put(v, stack.open_half_edge(chain_edge(v)));
        } while (v != run.last() && v % kPiece > 0);
        close(run, stack, entry(stack, stack.top));
        return stack.ears;
    }

  private:
    static constexpr uint32_t kBack = ~0u;
};

/// One thread for each multiple of kPiece and side: the stack of a whole piece, of a run between two neighbours or,
/// with `outlines`, of one of the outline; then also the pieces of outer sides, with their ghosts. Sum 0: triangles,
/// without ghosts.
struct ZipPieces {
    OutlineView zip;
    bool outlines;

    FLIPSCOPE_HD static uint32_t threads(uint32_t vertices) { return 2 * ((vertices - 1) / kPiece + 1); }
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const uint32_t side = i & 1, v = (i >> 1) * kPiece, strip = zip.strip_of[v];
        if (!zip.has_neighbour(strip, side)) {
            if (outlines) sums.value[0] += zip.close_outer(v, strip, side);
            return;
        }
        const uint32_t last = v + kPiece, below = zip.below[2 * v + side];
        if (last >= zip.begins[strip + 1] || zip.below[2 * last + side] != below) return;
        const bool at_bottom = below == 0, at_top = below == zip.size(side ? strip + 1 : strip - 1);
        if ((at_bottom || at_top) != outlines) return;
        ZipRun stack = at_bottom ? zip.stack(zip.bottom(strip, side), v)
                       : at_top  ? zip.stack(zip.top(strip, side), v)
                                 : ZipRun::between(zip, side, v, v);
        for (uint32_t w = v + 1; w <= last; ++w) stack.put(w, stack.open_half_edge(zip.chain_edge(w)));
        sums.value[0] += stack.ears;
    }
};

/// The outline, where there are ghosts: one thread for each strip and side. Sum 0 as above.
struct CloseOutline {
    OutlineView zip;

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const uint32_t strip = i >> 1, side = i & 1, lowest = zip.begins[strip];
        if (zip.has_neighbour(strip, side))
            sums.value[0] += close_bottom(strip, side) + close_top(strip, side);
        else if (lowest % kPiece > 0)
            sums.value[0] += zip.close_outer(lowest, strip, side);
    }
    FLIPSCOPE_HD uint32_t close_bottom(uint32_t strip, uint32_t side) const {
        const OutlineRun run = zip.bottom(strip, side);
        if (run.count == 0) return 0;
        const uint32_t other = side ? strip + 1 : strip - 1, edges = zip.first_edge(side ? strip : other);
        const uint32_t e = edges + run.count + (run.count == zip.size(strip) ? zip.size(other) : 0);
        ZipRun stack = zip.stack(run, run.first);
        stack.climb(run.first);
        const uint32_t half_edge = stack.cut_ears(run.q, 2 * e + 1);
        // The words of q in memory belong to a run of the other strip.
        zip.close(run, stack, {run.q, stack.top, half_edge});
        return stack.ears;
    }
    FLIPSCOPE_HD uint32_t close_top(uint32_t strip, uint32_t side) const {
        const OutlineRun run = zip.top(strip, side);
        if (run.count == 0) return 0;
        const uint32_t other = side ? strip + 1 : strip - 1, edges = zip.first_edge(side ? strip : other);
        const uint32_t e = edges + zip.size(strip) + zip.size(other);
        zip.set_edge(e, side ? run.first : run.q, side ? run.q : run.first);
        ZipRun stack = zip.stack(run, run.q);
        stack.put(run.first, 2 * e);
        stack.climb(run.first);
        zip.close(run, stack, zip.entry(stack, stack.top));
        return stack.ears;
    }
};

}  // namespace flipscope
