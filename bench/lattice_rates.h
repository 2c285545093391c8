// A section of the lattice benchmark: how often the neighbour rules miss a link of the exact Delaunay graph, and how
// often they find one that is none, for each variant of the rules.
#pragma once

#include "bench/lattice.h"

namespace flipscope::bench {

/// A LatticeSection. On lattices of its own, as rates do not depend on their size. False when a link is missed whose
/// Voronoi edge is at least 1.5 lattice units long: with exact cells any, by the rules alone one between sites that
/// the lattice resolves (√2 apart from others).
bool rate_links(const LatticePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
