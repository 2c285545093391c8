// The forces of near pairs beside those of an established program, LAMMPS, where it was built in: whether they are the
// same, and how long they take. A section of bench/particles.h.
#pragma once

#include "bench/particles.h"

namespace flipscope::bench {

/// False when forces differ by more than float, or double, accounts for.
bool compare_with_peer(const ParticlesPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
