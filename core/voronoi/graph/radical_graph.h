// The graph of radical cells (power cells, Laguerre cells) of sites with radii: two sites are linked if they share an
// edge of the regular triangulation, the weighted Delaunay triangulation with the squared radii as weights
// (F. Aurenhammer, Power diagrams: properties, algorithms and applications, 1987). Host code, one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "voronoi/graph/exact_graph.h"

namespace flipscope {

struct RadicalGraph {
    ExactGraph graph;              // only `count`, `lattice` and `edges`
    std::vector<uint32_t> hidden;  // ascending: sites whose cell is empty; they have no edge
};

/// sites: (n, 2) world units, within [0, w), or [0, h), along periodic axes; radii: (n) world units. Both are used as
/// given, without rounding: every sign is exact, and ties are broken as in exact_graph(), with whose edges those of
/// equal radii agree. Of sites at one place only the one with the greatest radius, and of these the lowest, has a cell.
/// Edges that touch only around a wall (Lattice::parted) are left out. Throws Error for a coordinate outside the
/// predicates' range or a radius that is negative or no such number, and Cancelled.
RadicalGraph radical_graph(const std::vector<Point>& sites, const std::vector<double>& radii, const Lattice& lattice);

}  // namespace flipscope
