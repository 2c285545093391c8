// The parts of VoronoiMachine::check(): colours, places of sites, rows of the graph, and contacts that its rules
// guarantee. Every function adds its faults to a report, and a clause to its sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "compute/context.h"
#include "mesh/checks.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/graph/graph_comparison.h"

namespace flipscope {

/// A failure at one pixel: "pixel 3, 4 " followed by `says`.
void add_pixel_failure(CheckReport& report, const char* code, const Lattice& lattice, uint32_t pixel,
                       const std::string& says);
inline constexpr const char* kWrongColour = "has another colour than its nearest site's";
/// Every pixel has the colour of the nearest of `count` sites, found by brute force; rows of a large lattice are
/// sampled. "wrong-colour"; not a failure if the method `floods`. Waits for the device.
void verify_colours(Context& context, const Colouring& colouring, uint32_t count, bool floods, CheckReport& report);
/// No site has left a periodic lattice or has a NaN coordinate: "lost-site".
void verify_sites(const Lattice& lattice, std::span<const Point> sites, CheckReport& report);
/// The rows of `sites` sites are ascending, without repetitions, and symmetric: "broken-row". `starts`: (n + 1).
void verify_rows(std::span<const uint32_t> starts, std::span<const uint32_t> entries, uint32_t sites,
                 CheckReport& report);
/// Counts the links of the exact graph that the lattice's graph misses. If exact cells guarantee long contacts, and the
/// colours are `exact`, a missed one is a failure: "missed-link".
void verify_contacts(const GraphComparison& comparison, std::span<const Point> sites, ExactCells cells, bool exact,
                     bool has_obstacles, CheckReport& report);

}  // namespace flipscope
