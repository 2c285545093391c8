// How long a round of Lloyd's iteration takes: colouring, centroids and move, apart and together.
#pragma once

#include "bench/lattice.h"

namespace flipscope::bench {

/// Section "lloyd" of --lattice.
bool iterate_lloyd(const LatticePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
