// A section of the lattice benchmark: time to find and measure the components of a field, beside a sequential
// union-find over pixels.
#pragma once

#include "bench/lattice.h"

namespace flipscope::bench {

/// A LatticeSection. Returns false if the sequential labelling gives other labels, areas or (on an open lattice)
/// centres, or if atomics and sort-and-differences disagree.
bool label_components(const LatticePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
