// A section of the lattice benchmark: what it takes to find the components of a field and to measure them, beside a
// sequential union-find over pixels.
#pragma once

#include "bench/lattice.h"

namespace flipscope::bench {

/// A LatticeSection. False when the sequential labelling finds other labels, areas or (on an open lattice) centres, or
/// when atomics and sort-and-differences do not give the same.
bool label_components(const LatticePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
