// Whether a link of a graph lies inside or on the boundary, by its empty triangles. "Two common neighbours mean inside"
// (Bernaschi, Lulli and Sbragaglia 2016) fails: an edge of the hull of four mutually linked points has two.
#pragma once

#include "geometry/point.h"
#include "voronoi/graph/adjacency.h"
#include "voronoi/lattice.h"

namespace flipscope {

FLIPSCOPE_HD inline double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

/// Whether p lies in the triangle 0, b, c or on its border, but not at a corner; side: the sign of cross(b, c).
FLIPSCOPE_HD inline bool holds(Point b, Point c, double side, Point p) {
    const Point bc{c.x - b.x, c.y - b.y}, bp{p.x - b.x, p.y - b.y};
    if (p == Point{} || p == b || p == c) return false;
    return side * cross(b, p) >= 0 && side * cross(bc, bp) >= 0 && side * cross(p, c) >= 0;
}

/// The labels shared by two rows, ascending. The first few, nearly always all, are stored; for further ones the rows
/// are merged again.
struct CommonNeighbours {
    static constexpr uint32_t kKept = 6;
    struct Cursor {
        uint32_t kept = 0, e = 0, f = 0;
    };

    FLIPSCOPE_HD CommonNeighbours(const AdjacencyView& graph, uint32_t a, uint32_t b)
        : labels(graph.neighbours.data), e_end(graph.starts[a + 1]), f_end(graph.starts[b + 1]) {
        rest.e = graph.starts[a];
        rest.f = graph.starts[b];
        for (uint32_t c; rest.kept < kKept && (c = walk(rest)) != kNone;) kept[rest.kept++] = c;
    }
    /// Where it begins.
    FLIPSCOPE_HD Cursor begin() const { return {0, rest.e, rest.f}; }
    /// The next one; kNone: no more.
    FLIPSCOPE_HD uint32_t next(Cursor& at) const { return at.kept < rest.kept ? kept[at.kept++] : walk(at); }

  private:
    FLIPSCOPE_HD uint32_t walk(Cursor& at) const {
        while (at.e < e_end && at.f < f_end) {
            const uint32_t c = labels[at.e], d = labels[at.f];
            at.e += c <= d;
            at.f += d <= c;
            if (c == d) return c;
        }
        return kNone;
    }

    const uint32_t* labels;
    uint32_t e_end, f_end;
    uint32_t kept[kKept];
    Cursor rest;  // end of the stored ones, and their number
};

/// The number of sides of the link between a and b with an empty triangle: a common neighbour whose triangle contains
/// no other common neighbour. In a triangulation two inside and one on the boundary. apexes[0] is on the left as seen
/// from a, apexes[1] on the right, kNone: none; of several the lowest label. Differences by minimum image along
/// periodic axes.
FLIPSCOPE_HD inline uint32_t empty_triangles(const AdjacencyView& graph, View<const Point> sites,
                                             const Lattice& lattice, uint32_t a, uint32_t b, uint32_t* apexes) {
    apexes[0] = apexes[1] = kNone;
    const Point from = sites[a], ab = lattice.difference(from, sites[b]);
    const CommonNeighbours common(graph, a, b);
    CommonNeighbours::Cursor at = common.begin();
    uint32_t on_left = 0, on_right = 0, in_line = 0;
    for (uint32_t c; (c = common.next(at)) != kNone;) {
        const double turn = cross(ab, lattice.difference(from, sites[c]));
        in_line += turn == 0;
        if (turn > 0 && on_left++ == 0) apexes[0] = c;
        if (turn < 0 && on_right++ == 0) apexes[1] = c;
    }
    // Nearly always there is at most one on each side, and no other site that their triangles could contain.
    if (in_line == 0 && on_left <= 1 && on_right <= 1) return on_left + on_right;
    apexes[0] = apexes[1] = kNone;
    at = common.begin();
    for (uint32_t c; (c = common.next(at)) != kNone;) {
        const Point ac = lattice.difference(from, sites[c]);
        const double turn = cross(ab, ac), side = turn > 0 ? 1 : -1;
        uint32_t& apex = apexes[turn > 0 ? 0 : 1];
        if (turn == 0 || apex != kNone) continue;
        bool empty = true;
        CommonNeighbours::Cursor other = common.begin();
        for (uint32_t d; empty && (d = common.next(other)) != kNone;)
            empty = d == c || !holds(ab, ac, side, lattice.difference(from, sites[d]));
        if (empty) apex = c;
    }
    return (apexes[0] != kNone) + (apexes[1] != kNone);
}

}  // namespace flipscope
