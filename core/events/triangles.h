// Whether a link of a graph lies inside or on the boundary, by the empty triangles at it. "Two common neighbours mean
// inside" (Bernaschi, Lulli and Sbragaglia 2016) fails: an edge of the hull of four points that are all linked has two.
#pragma once

#include "geometry/point.h"
#include "voronoi/adjacency.h"
#include "voronoi/lattice.h"

namespace flipscope {

FLIPSCOPE_HD inline double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

/// Whether p lies in the triangle 0, b, c, its border included, but is none of its corners; side: the sign of cross(b,
/// c).
FLIPSCOPE_HD inline bool holds(Point b, Point c, double side, Point p) {
    const Point bc{c.x - b.x, c.y - b.y}, bp{p.x - b.x, p.y - b.y};
    if (p == Point{} || p == b || p == c) return false;
    return side * cross(b, p) >= 0 && side * cross(bc, bp) >= 0 && side * cross(p, c) >= 0;
}

/// How many sides of the link between a and b have an empty triangle: a common neighbour such that their triangle holds
/// no other common neighbour. In a triangulation two inside and one on the boundary. apexes[0] is that on the left as
/// seen from a, apexes[1] that on the right, kNone where there is none; of several the lowest label. Differences by
/// minimum image on a torus.
FLIPSCOPE_HD inline uint32_t empty_triangles(const AdjacencyView& graph, View<const Point> centres,
                                             const Lattice& lattice, uint32_t a, uint32_t b, uint32_t* apexes) {
    apexes[0] = apexes[1] = kNone;
    const Point ab = lattice.difference(centres[a], centres[b]);
    const uint32_t begin = graph.starts[a], end = graph.starts[a + 1];
    for (uint32_t e = begin; e < end; ++e) {
        const uint32_t c = graph.neighbours[e];
        const Point ac = lattice.difference(centres[a], centres[c]);
        const double turn = cross(ab, ac), side = turn > 0 ? 1 : -1;
        uint32_t& apex = apexes[turn > 0 ? 0 : 1];
        if (turn == 0 || apex != kNone || !graph.linked(b, c)) continue;
        bool empty = true;
        for (uint32_t f = begin; empty && f < end; ++f) {
            const uint32_t d = graph.neighbours[f];
            empty = d == c || d == b || !holds(ab, ac, side, lattice.difference(centres[a], centres[d])) ||
                    !graph.linked(b, d);
        }
        if (empty) apex = c;
    }
    return (apexes[0] != kNone) + (apexes[1] != kNone);
}

/// Whether a link of `label` lies on the boundary.
FLIPSCOPE_HD inline bool on_boundary(const AdjacencyView& graph, View<const Point> centres, const Lattice& lattice,
                                     uint32_t label) {
    uint32_t apexes[2];
    for (uint32_t e = graph.starts[label]; e < graph.starts[label + 1]; ++e)
        if (empty_triangles(graph, centres, lattice, label, graph.neighbours[e], apexes) < 2) return true;
    return false;
}

}  // namespace flipscope
