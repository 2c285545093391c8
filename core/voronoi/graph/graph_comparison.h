// What a coloured lattice's graph got wrong: links of the exact graph that it misses, and links of its own that are
// none; and apart from these, which links of the exact graph it cannot have, because obstacles lie where the cells
// would touch. Pure host code over the two graphs, for the lab's lists, for tests and for the benchmark.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "voronoi/components/edge_cover.h"
#include "voronoi/graph/exact_graph.h"
#include "voronoi/graph/stencil.h"

namespace flipscope {

struct LinkError {
    std::array<uint32_t, 2> labels;  // a < b
    bool missed = false;             // else spurious
    double dual_length = 0;          // missed: of the part of the Voronoi edge in sight, world units
    double free_length = 0;          // missed: of the longest piece of that which no obstacle covers, world units
    /// Spurious: how far the two are from touching, as the length that their Voronoi edge would have to grow by, world
    /// units: the dual length carried on below 0, as it is when four sites pass through one circle (then it is 0).
    double shortfall = 0;
    /// The lattice need not resolve one of the two, see resolution.h: its cell can lie between the lattice's pixels,
    /// and no rule that looks at pixels can see it. Only StencilRules::exact_cells finds all long links of these.
    bool unresolved = false;
    bool at_border = false;  // missed: the Voronoi edge leaves the box; spurious: a cell of the two does
    bool covered = false;    // missed: obstacles cover a part of the Voronoi edge, its corners perhaps
};

struct GraphComparison {
    std::vector<LinkError> errors;   // missed ones first, each sorted by labels
    std::vector<LinkError> blocked;  // as missed ones, sorted by labels; none of them is among the errors
    uint32_t links = 0;              // of the lattice
    uint32_t exact_links = 0;        // in sight
    uint32_t missed = 0, spurious = 0;
    double longest_missed = 0;           // dual length, world units; blocked ones do not count here
    double longest_missed_interior = 0;  // of those whose Voronoi edge does not leave the box
    double longest_missed_resolved = 0;  // of these, those between sites that the lattice resolves
};

/// Edges of the exact graph that are not in sight are neither missed nor, when the lattice has them, spurious: rules
/// that link two cells at the border can be right about a Voronoi edge just outside. links: (m) labels a < b,
/// ascending, of representatives. obstacles: (h, w) or empty; they cover a place of a Voronoi edge when one of the four
/// pixels around it is an obstacle.
GraphComparison compare_graphs(const ExactGraph& exact, const std::vector<Point>& sites,
                               const std::vector<std::array<uint32_t, 2>>& links,
                               const std::vector<uint8_t>& obstacles = {});
/// How many of the missed links break what StencilRules::exact_cells promises: interior ones along kLeastContact or
/// more, no part of which obstacles cover. Without exact cells only those between sites that the lattice resolves
/// count, and none is promised.
uint32_t count_missed_contacts(const GraphComparison& comparison, ExactCells exact_cells);
/// Whether this error is one of those.
bool breaks_promise(const LinkError& error, ExactCells exact_cells);
/// The pairs a < b of a graph on any device, ascending. Waits for the device.
std::vector<std::array<uint32_t, 2>> pairs_of(const Adjacency& graph);

}  // namespace flipscope
