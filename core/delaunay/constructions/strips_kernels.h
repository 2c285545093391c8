// The kernels that join strips of points into one triangulation. Every strip's points, sorted by y, are a chain; the
// chains of two neighbouring strips, merged by y, are zipped together. Where one chain has a run of points between two
// neighbours of the other, the two and the run bound a polygon that is monotone in y, with one long side; cutting off
// its convex corners upwards along the run leaves nothing. So one thread for each run does it, and where its triangles
// and edges go follows from ranks alone: zipping two chains of l and r points makes l + r triangles.
//
// The first and the last run of such a pair lie at the outline. There the same is done without the long side: what
// remains is a chain that is convex seen from outside, runs in x as well as in y, and gets a ghost for each edge. With
// the outer sides of the first and the last strip the outline is monotone in x, whose bays the flips at infinity close.
//
// Equal coordinates: strips have no x in common, and y is ordered by (y, x); both are linear maps of the plane that are
// as close to the identity as one likes, so they change no orientation.
#pragma once

#include "geometry/predicates.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// What all kernels know: the mesh, whose vertices are sorted strip by strip, and where in it everything goes.
struct ZipView {
    MeshView mesh;
    View<const uint32_t> begins;    // (s + 1) first vertex of each strip
    View<const uint32_t> strip_of;  // (v)
    // (v, 2) by side, 0: towards the strip on the left, 1: on the right
    View<uint32_t> below;        // how many points of that strip are lower
    View<uint32_t> under, link;  // of a run's stack: the vertex below, and the half of the edge to it
    uint32_t count = 0, strips = 0;

    FLIPSCOPE_HD uint32_t size(uint32_t strip) const { return begins[strip + 1] - begins[strip]; }
    FLIPSCOPE_HD bool has_neighbour(uint32_t strip, uint32_t side) const {
        return side ? strip + 1 < strips : strip > 0;
    }
    /// First triangle and edge of the pair of a strip and the next one; behind them all those of the outer sides.
    /// Before a pair's edges come those of its left chain, so that what lies near each other is near in memory.
    FLIPSCOPE_HD uint32_t first_triangle(uint32_t pair) const { return begins[pair] + begins[pair + 1] - begins[1]; }
    FLIPSCOPE_HD uint32_t first_edge(uint32_t pair) const { return begins[pair + 1] - 1 + first_triangle(pair); }
    FLIPSCOPE_HD uint32_t left_triangles() const { return first_triangle(strips - 1); }
    FLIPSCOPE_HD uint32_t left_edges() const { return first_edge(strips - 1); }
    FLIPSCOPE_HD uint32_t left_room() const { return size(0) - 1; }
    FLIPSCOPE_HD uint32_t right_room() const { return size(strips - 1) - 1; }
    /// Of the chain, from the vertex below to this one.
    FLIPSCOPE_HD uint32_t chain_edge(uint32_t v) const { return v - 1 + first_triangle(strip_of[v]); }

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

    FLIPSCOPE_HD void set_edge(uint32_t edge, uint32_t from, uint32_t to) const {
        mesh.edges[2 * edge] = from;
        mesh.edges[2 * edge + 1] = to;
    }
    FLIPSCOPE_HD void set_triangle(uint32_t t, const uint32_t (&corners)[3], const uint32_t (&halves)[3]) const {
        for (uint32_t k = 0; k < 3; ++k) {
            mesh.triangles[3 * t + k] = corners[k];
            mesh.slot_halves[3 * t + k] = halves[k];
            mesh.half_slots[halves[k]] = 3 * t + k;
        }
    }
};

/// One thread for each vertex and side: how many points of the neighbouring strip are below. The side 1 also writes the
/// vertex's edge of its own chain.
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

/// The same with one thread for each kLength vertices, for CPU threads: a stretch of a chain and what lies beside it in
/// the chain on the right are gone up together, so that each pair of chains is merged once, for both.
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

/// One run of a chain, from vertex to vertex upwards, with what it takes of the neighbouring strip.
struct ZipRun {
    const ZipView& zip;
    uint32_t side;                // where the neighbouring strip lies
    uint32_t top = 0, lower = 0;  // of the stack; its lowest vertex
    // Rooms for triangles and edges, and whether they are taken from the front or from the back.
    uint32_t triangle = 0, edge = 0;
    bool backwards = false;
    uint32_t ears = 0;
    // The vertex of the neighbouring strip that closes a run, whose words in memory are those of another run.
    uint32_t closer = kNone, under_closer = kNone, link_of_closer = kNone;

    FLIPSCOPE_HD uint32_t under(uint32_t v) const { return v == closer ? under_closer : zip.under[2 * v + side]; }
    FLIPSCOPE_HD uint32_t link(uint32_t v) const { return v == closer ? link_of_closer : zip.link[2 * v + side]; }
    /// The half of a chain's edge, or of one that was made by an ear, that faces what is not triangulated yet.
    FLIPSCOPE_HD uint32_t open_half(uint32_t e) const { return 2 * e + side; }
    FLIPSCOPE_HD uint32_t ear_half(uint32_t e) const { return 2 * e + 1 - side; }

    FLIPSCOPE_HD void begin(uint32_t v) { top = lower = v; }
    /// Puts a vertex upon the others, after all ears below it are cut off. `half` is that of the edge from the top to
    /// it. Where the edge from the lowest vertex to it is there already, `last` is the half that faces the run.
    FLIPSCOPE_HD void put(uint32_t v, uint32_t half, uint32_t last = kNone) {
        const View<const Point>& at = zip.mesh.positions;
        while (top != lower) {
            const uint32_t s = under(top);
            const int turn = orient2d(at[s], at[top], at[v]);
            if (side ? turn >= 0 : turn <= 0) break;
            uint32_t made = last, next = kNone;
            if (s != lower || last == kNone) {
                const uint32_t e = backwards ? edge - ears : edge + ears;
                zip.set_edge(e, s, v);
                made = ear_half(e);
                next = open_half(e);
            }
            const uint32_t t = backwards ? triangle - ears : triangle + ears;
            if (side)
                zip.set_triangle(t, {v, top, s}, {half, link(top), made});
            else
                zip.set_triangle(t, {s, top, v}, {link(top), half, made});
            ++ears;
            half = next;
            top = s;
        }
        if (half == kNone) return;  // the polygon is full
        if (v == closer) {
            under_closer = top;
            link_of_closer = half;
        } else {
            zip.under[2 * v + side] = top;
            zip.link[2 * v + side] = half;
        }
        top = v;
    }
    /// Ghosts for all edges of the stack, from the top down. Rank 0 is where the outline begins; `room` says how many
    /// there are with the ears. `after`: the edge to infinity behind the last one.
    FLIPSCOPE_HD void close(uint32_t first_triangle, uint32_t first_edge, uint32_t room, bool descending,
                            uint32_t after) const {
        const uint32_t ghosts = room - ears;
        uint32_t v = top;
        for (uint32_t i = 0; i < ghosts; ++i) {
            // Towards the right the outline leads upwards and ends at the top, towards the left it begins there.
            const uint32_t rank = side ? ghosts - 1 - i : i, s = under(v);
            const auto place = [&](uint32_t r) { return descending ? room - 1 - r : r; };
            const uint32_t from = side ? s : v, to = side ? v : s;
            const uint32_t e = first_edge + place(rank);
            const uint32_t next = rank + 1 < ghosts ? first_edge + place(rank + 1) : after;
            zip.set_edge(e, from, zip.mesh.infinite);
            zip.set_triangle(first_triangle + place(rank), {to, from, zip.mesh.infinite},
                             {link(v), 2 * e, 2 * next + 1});
            v = s;
        }
    }
};

/// One thread for each vertex and side: where it is the first of a run between two points of the other chain, the run's
/// triangles. Sum 0: triangles, without ghosts.
struct ZipStrips {
    ZipView zip;

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const uint32_t v = i >> 1, side = i & 1, strip = zip.strip_of[v];
        if (!zip.has_neighbour(strip, side)) return;
        const uint32_t below = zip.below[i];
        if (below == 0 || (v != zip.begins[strip] && zip.below[i - 2] == below)) return;
        const uint32_t others = zip.size(side ? strip + 1 : strip - 1);
        if (below < others) sums.value[0] += zip_run(v, side, below, others);
    }

    /// Puts the vertices above `v` as long as they are of its run.
    FLIPSCOPE_HD void climb(ZipRun& run, uint32_t v) const {
        const uint32_t side = run.side, end = zip.begins[zip.strip_of[v] + 1];
        for (uint32_t w = v + 1; w < end && zip.below[2 * w + side] == zip.below[2 * v + side]; ++w)
            run.put(w, run.open_half(zip.chain_edge(w)));
    }

    FLIPSCOPE_HD uint32_t zip_run(uint32_t v, uint32_t side, uint32_t below, uint32_t others) const {
        const uint32_t strip = zip.strip_of[v], pair = side ? strip : strip - 1, other = side ? strip + 1 : strip - 1;
        const uint32_t own = zip.begins[strip], theirs = zip.begins[other], room = zip.size(strip) + others;
        const uint32_t rank = v - own + below, triangles = zip.first_triangle(pair), edges = zip.first_edge(pair);
        const bool lowest = below == 0, highest = below == others;
        ZipRun run{zip, side};
        // Ears are counted from behind at the bottom, so that the ghosts are in front, where the last pair's lead.
        const uint32_t at_bottom = lowest ? zip.below[2 * theirs + 1 - side] : 0;
        run.backwards = lowest;
        run.triangle = triangles + (lowest ? at_bottom - 1 : rank);
        run.edge = edges + (lowest ? at_bottom - 1 : highest ? rank : rank + 1);
        if (lowest) {
            run.begin(v);
        } else {
            // The edge from the point before it in the merged order, which leads from left to right.
            const uint32_t q = theirs + below - 1, e = highest ? edges + room : edges + rank;
            zip.set_edge(e, side ? v : q, side ? q : v);
            run.begin(q);
            run.put(v, 2 * e);
        }
        climb(run, v);
        if (highest) {
            run.close(triangles + rank, edges + rank, room - rank, true, zip.edge_after_top(pair));
            return run.ears;
        }
        const uint32_t q = theirs + below;
        const uint32_t own_below_q = zip.below[2 * q + 1 - side];
        const uint32_t e = own_below_q == zip.size(strip) ? edges + room : edges + (q - theirs) + own_below_q;
        const uint32_t base = zip.chain_edge(q);
        run.closer = q;
        run.put(q, 2 * e + 1, lowest ? kNone : 2 * base + 1 - side);
        if (lowest) run.close(triangles, edges, at_bottom, false, zip.edge_after_bottom(pair + 1));
        return run.ears;
    }
};

/// What is at the outline, where there are ghosts: the lowest and the highest run of every strip on both sides, by one
/// thread each, and the outer sides of the first and the last strip, by one thread for each kSegment edges. Sum 0:
/// triangles, without ghosts.
struct CloseOutline {
    static constexpr uint32_t kSegment = 32;
    ZipStrips runs;

    FLIPSCOPE_HD static uint32_t threads(uint32_t strips, uint32_t vertices) {
        return 2 * (strips + (vertices - 1) / kSegment + 1);
    }
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const ZipView& zip = runs.zip;
        const uint32_t side = i & 1, at = i >> 1;
        if (at >= zip.strips) {
            const uint32_t strip = side ? zip.strips - 1 : 0, lower = (at - zip.strips) * kSegment;
            if (lower + 1 >= zip.size(strip)) return;
            const uint32_t room = zip.size(strip) - 1 - lower;
            sums.value[0] += close_side(zip.begins[strip] + lower, side, room < kSegment ? room : kSegment);
        } else if (zip.has_neighbour(at, side)) {
            const uint32_t others = zip.size(side ? at + 1 : at - 1), lowest = zip.begins[at];
            if (zip.below[2 * lowest + side] == 0) sums.value[0] += runs.zip_run(lowest, side, 0, others);
            const uint32_t highest = first_above_all(at, side, others);
            if (highest < zip.begins[at + 1]) sums.value[0] += runs.zip_run(highest, side, others, others);
        }
    }
    /// The first vertex of a strip that is above all of the strip beside it.
    FLIPSCOPE_HD uint32_t first_above_all(uint32_t strip, uint32_t side, uint32_t others) const {
        uint32_t low = runs.zip.begins[strip], high = runs.zip.begins[strip + 1];
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (runs.zip.below[2 * middle + side] < others)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /// The next `room` edges of the outer side of the first or the last strip, upwards from v. Along the outline the
    /// left side leads down, and its segments come in that order.
    FLIPSCOPE_HD uint32_t close_side(uint32_t v, uint32_t side, uint32_t room) const {
        const ZipView& zip = runs.zip;
        const uint32_t lower = v - zip.begins[zip.strip_of[v]];  // edges of this side
        const uint32_t before = side ? zip.left_room() + lower : zip.left_room() - lower - room;
        const uint32_t triangles = zip.left_triangles() + before, edges = zip.left_edges() + before;
        ZipRun run{zip, side};
        run.backwards = true;
        run.triangle = triangles + room - 1;
        run.edge = edges + room - 1;
        run.begin(v);
        for (uint32_t w = v + 1; w <= v + room; ++w) run.put(w, run.open_half(zip.chain_edge(w)));
        const bool last = side ? lower + room == zip.right_room() : lower == 0;
        const uint32_t after_side = side ? zip.edge_after_top(zip.strips - 1) : zip.edge_after_bottom(0);
        run.close(triangles, edges, room, false, last ? after_side : edges + room);
        return run.ears;
    }
};

}  // namespace flipscope
