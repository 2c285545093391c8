// The errors of a coloured lattice's graph: links of the exact graph that it misses, and spurious links; and
// separately, links of the exact graph that it cannot have, because obstacles cover the contact. Pure host code over
// the two graphs, for the lab's lists, tests and the benchmark.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "voronoi/graph/exact_graph.h"
#include "voronoi/graph/resolution.h"
#include "voronoi/graph/stencil.h"

namespace flipscope {

struct LinkError {
    std::array<uint32_t, 2> labels;  // a < b
    bool missed = false;             // else spurious
    double dual_length = 0;          // missed: of the visible part of the Voronoi edge, world units
    double free_length = 0;          // missed: of the longest piece of it free of obstacles, world units
    /// Spurious: how far the two cells are from touching, as the length by which their Voronoi edge would have to grow,
    /// world units: the dual length continued below 0. It is 0 if four sites are cocircular.
    double shortfall = 0;
    /// The lattice need not resolve one of the two, see resolution.h: its cell may lie between pixels, where no rule on
    /// pixels can find it. Only StencilRules::exact_cells finds all their long links.
    bool unresolved = false;
    bool at_border = false;  // missed: the Voronoi edge leaves the box; spurious: one of the two cells does
    bool covered = false;    // missed: obstacles cover part of the Voronoi edge, possibly only its ends
};

struct GraphComparison {
    std::vector<LinkError> errors;   // missed ones first, each sorted by labels
    std::vector<LinkError> blocked;  // missed because of obstacles, sorted by labels; not among the errors
    uint32_t links = 0;              // of the lattice
    uint32_t exact_links = 0;        // in sight
    uint32_t missed = 0, spurious = 0;
    double longest_missed = 0;           // dual length, world units; without blocked ones
    double longest_missed_interior = 0;  // of those whose Voronoi edge stays in the box
    double longest_missed_resolved = 0;  // of these, between sites that the lattice resolves
};

/// Edges of the exact graph out of sight are neither missed nor, if the lattice has them, spurious: rules that link two
/// cells at the border may be right about a Voronoi edge just outside. links: (m) labels a < b, ascending, of
/// representatives. obstacles: (h, w) or empty; they cover a place of a Voronoi edge if one of the four pixels around
/// it is an obstacle.
GraphComparison compare_graphs(const ExactGraph& exact, const std::vector<Point>& sites,
                               const std::vector<std::array<uint32_t, 2>>& links,
                               const std::vector<uint8_t>& obstacles = {});
/// The number of missed links that break the guarantee of StencilRules::exact_cells: interior ones of length
/// kLeastContact or more, with no part covered by obstacles. Without exact cells it counts only those between resolved
/// sites, and guarantees nothing.
uint32_t count_missed_contacts(const GraphComparison& comparison, ExactCells exact_cells);
/// Whether this error is one of those.
bool breaks_promise(const LinkError& error, ExactCells exact_cells);
/// The pairs a < b of a graph on any device, ascending. Waits for the device.
std::vector<std::array<uint32_t, 2>> pairs_of(const Adjacency& graph);

}  // namespace flipscope
