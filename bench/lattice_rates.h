// A section of the lattice benchmark: how often each variant of the neighbour rules misses a link of the exact Delaunay
// graph or finds a spurious one.
#pragma once

#include "bench/lattice.h"

namespace flipscope::bench {

/// A LatticeSection. Uses its own lattices, since rates do not depend on their size. Returns false if a link is missed
/// whose Voronoi edge is at least 1.5 lattice units long: any such link with exact cells; with the rules alone, one
/// between sites that the lattice resolves (√2 apart from others).
bool rate_links(const LatticePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
