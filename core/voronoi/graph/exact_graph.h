// The exact Delaunay and Voronoi edges of a set of sites, from triangulate(): the reference for the graph of a coloured
// lattice. Host code except for the triangulation; for checks and pictures, not for every frame.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/context.h"
#include "voronoi/graph/adjacency.h"
#include "voronoi/lattice.h"

namespace flipscope {

struct ExactGraph {
    Lattice lattice;
    uint32_t count = 0;  // sites, coincident ones included
    /// (n) the lowest label at the same place, which represents all sites there; mostly the site's own label.
    std::vector<uint32_t> representatives;
    /// (e) labels a < b of representatives, ascending. On a torus or a cylinder two cells that touch in several places
    /// have one edge, and those that touch only around a wall (Lattice::parted) have none. Without a triangle (fewer
    /// than three distinct sites, or collinear ones): the path of consecutive sites. On a lattice with open borders the
    /// edges of the whole plane, or cylinder: see in_sight.
    std::vector<std::array<uint32_t, 2>> edges;
    /// (e) length of the Voronoi edge between the two, world units, summed over its pieces; along open axes of its part
    /// within the box [-½, w - ½] × [-½, h - ½]. 0: only touching, at a vertex of more than three cells, or out of
    /// sight.
    std::vector<double> dual_lengths;
    /// (e) always 1 on a torus; otherwise whether part of the Voronoi edge lies in the box along open axes. A lattice
    /// cannot show other contacts.
    std::vector<uint8_t> in_sight;
    /// (e) whether the unclipped Voronoi edge leaves the box: always 0 on a torus.
    std::vector<uint8_t> at_border;

    /// The pieces to draw: index of the Voronoi edge, and both ends within the box; along periodic axes the first end
    /// lies in [0, w), or [0, h), and the second may lie outside.
    struct Piece {
        uint32_t edge;
        Point from, to;
    };
    std::vector<Piece> pieces;

    bool linked(uint32_t a, uint32_t b) const { return find(a, b) != kNone; }
    /// Index in `edges` of a pair in any order; kNone: not linked.
    uint32_t find(uint32_t a, uint32_t b) const;
    /// The edges as rows: all of them, or only those in sight.
    Adjacency adjacency(Context& context, bool only_in_sight = false) const;
};

/// sites: (n) world units, within [0, w), or [0, h), along periodic axes; labels are indices. Throws Error for a
/// coordinate outside the predicates' range, and Cancelled.
ExactGraph exact_graph(Context& context, const std::vector<Point>& sites, const Lattice& lattice);

}  // namespace flipscope
