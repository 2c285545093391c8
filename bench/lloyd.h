// Time of a round of Lloyd's iteration: colouring, centroids and moves, separately and together.
#pragma once

#include "bench/lattice.h"

namespace flipscope::bench {

/// Section "lloyd" of --lattice.
bool iterate_lloyd(const LatticePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
