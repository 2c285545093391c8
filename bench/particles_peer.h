// A section of bench/particles.h: near-pair forces beside LAMMPS, if built in: whether they agree, and their times.
#pragma once

#include "bench/particles.h"

namespace flipscope::bench {

/// Returns false if forces differ by more than the rounding of float, or of double.
bool compare_with_peer(const ParticlesPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
