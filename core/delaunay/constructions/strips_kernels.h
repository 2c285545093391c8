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

/// The ids of the outline's triangles and edges: the outer sides follow all pairs.
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
};

/// The outline, where there are ghosts: the lowest and the highest run of every strip on both sides, by one thread
/// each, and the outer sides of the first and the last strip, by one thread for each kSegment edges. Sum 0: triangles,
/// without ghosts.
struct CloseOutline {
    static constexpr uint32_t kSegment = 32;
    OutlineView zip;

    FLIPSCOPE_HD static uint32_t threads(uint32_t strips, uint32_t vertices) {
        return 2 * (strips + (vertices - 1) / kSegment + 1);
    }
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const uint32_t side = i & 1, at = i >> 1;
        if (at >= zip.strips) {
            const uint32_t strip = side ? zip.strips - 1 : 0, lower = (at - zip.strips) * kSegment;
            if (lower + 1 >= zip.size(strip)) return;
            const uint32_t room = zip.size(strip) - 1 - lower;
            sums.value[0] += close_side(zip.begins[strip] + lower, side, room < kSegment ? room : kSegment);
        } else if (zip.has_neighbour(at, side)) {
            const uint32_t other = side ? at + 1 : at - 1, lowest = zip.begins[at];
            if (zip.below[2 * lowest + side] == 0) sums.value[0] += close_bottom(lowest, side, at, other);
            const uint32_t highest = first_above_all(at, side, zip.size(other));
            if (highest < zip.begins[at + 1]) sums.value[0] += close_top(highest, side, at, other);
        }
    }
    /// The first vertex of a strip that is above all of the neighbouring strip.
    FLIPSCOPE_HD uint32_t first_above_all(uint32_t strip, uint32_t side, uint32_t others) const {
        uint32_t low = zip.begins[strip], high = zip.begins[strip + 1];
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (zip.below[2 * middle + side] < others)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /// The run of v, the lowest vertex of its strip, below all of the neighbouring strip. Ears are counted from the
    /// end, so that ghosts come first, where the last pair's edges lead.
    FLIPSCOPE_HD uint32_t close_bottom(uint32_t v, uint32_t side, uint32_t strip, uint32_t other) const {
        const uint32_t pair = side ? strip : other, q = zip.begins[other], room = zip.below[2 * q + 1 - side];
        const uint32_t triangles = zip.first_triangle(pair), edges = zip.first_edge(pair);
        ZipRun run{zip, side, v, triangles + room - 1, edges + room - 1, kBackwards};
        run.climb(v);
        const uint32_t e = room == zip.size(strip) ? edges + room + zip.size(other) : edges + room;
        const uint32_t half_edge = run.cut_ears(q, 2 * e + 1);
        // The words of q in memory belong to a run of the other strip.
        close(run, {q, run.top, half_edge}, triangles, edges, room, false, zip.edge_after_bottom(pair + 1));
        return run.ears;
    }
    /// The run of v, the lowest vertex above all of the neighbouring strip.
    FLIPSCOPE_HD uint32_t close_top(uint32_t v, uint32_t side, uint32_t strip, uint32_t other) const {
        const uint32_t pair = side ? strip : other, others = zip.size(other), q = zip.begins[other + 1] - 1;
        const uint32_t rank = v - zip.begins[strip] + others, room = zip.size(strip) + others;
        const uint32_t triangles = zip.first_triangle(pair) + rank, edges = zip.first_edge(pair) + rank;
        const uint32_t e = zip.first_edge(pair) + room;
        zip.set_edge(e, side ? v : q, side ? q : v);
        ZipRun run{zip, side, q, triangles, edges};
        run.put(v, 2 * e);
        run.climb(v);
        close(run, entry(run, run.top), triangles, edges, room - rank, true, zip.edge_after_top(pair));
        return run.ears;
    }
    /// The next `room` edges of the outer side of the first or the last strip, upwards from v. Along the outline the
    /// left side leads down, and its segments come in that order.
    FLIPSCOPE_HD uint32_t close_side(uint32_t v, uint32_t side, uint32_t room) const {
        const uint32_t lower = v - zip.begins[zip.strip_of[v]];  // edges of this side
        const uint32_t before = side ? zip.left_room() + lower : zip.left_room() - lower - room;
        const uint32_t triangles = zip.left_triangles() + before, edges = zip.left_edges() + before;
        ZipRun run{zip, side, v, triangles + room - 1, edges + room - 1, kBackwards};
        for (uint32_t w = v + 1; w <= v + room; ++w) run.put(w, run.open_half_edge(zip.chain_edge(w)));
        const bool last = side ? lower + room == zip.right_room() : lower == 0;
        const uint32_t after_side = side ? zip.edge_after_top(zip.strips - 1) : zip.edge_after_bottom(0);
        close(run, entry(run, run.top), triangles, edges, room, false, last ? after_side : edges + room);
        return run.ears;
    }

  private:
    static constexpr uint32_t kBackwards = ~0u;

    /// A vertex of a run's stack, the one below, and the half-edge of the edge to it.
    struct Entry {
        uint32_t vertex, under, link;
    };
    FLIPSCOPE_HD static Entry entry(const ZipRun& run, uint32_t v) {
        return {v, run.zip.under[2 * v + run.side], run.zip.link[2 * v + run.side]};
    }
    /// Makes ghosts for all edges of the stack, from the top down. The outline begins at rank 0; `room` is their number
    /// with the ears. `after`: the edge to infinity behind the last one.
    FLIPSCOPE_HD void close(const ZipRun& run, Entry top, uint32_t first_triangle, uint32_t first_edge, uint32_t room,
                            bool descending, uint32_t after) const {
        const uint32_t ghosts = room - run.ears, infinite = zip.mesh.infinite;
        for (uint32_t i = 0; i < ghosts; ++i) {
            if (i > 0) top = entry(run, top.under);
            // Towards the right the outline leads upwards and ends at the top, towards the left it begins there.
            const uint32_t rank = run.side ? ghosts - 1 - i : i;
            const auto place = [&](uint32_t r) { return descending ? room - 1 - r : r; };
            const uint32_t from = run.side ? top.under : top.vertex, to = run.side ? top.vertex : top.under;
            const uint32_t e = first_edge + place(rank);
            const uint32_t next = rank + 1 < ghosts ? first_edge + place(rank + 1) : after;
            zip.set_edge(e, from, infinite);
            zip.set_triangle(first_triangle + place(rank), {to, from, infinite}, {top.link, 2 * e, 2 * next + 1});
        }
    }
};

}  // namespace flipscope
