// The questions that the benchmark answers about particles, after Carter, Hitschfeld, Navarro and Soto: each a section
// with a table of its own. A new one is a function and a line in particle_sections().
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "compute/context.h"

namespace flipscope::bench {

struct ParticlesPlan {
    DeviceRequest device = DeviceRequest::kCpu;  // kCpu or kCuda
    int threads = 0;
    double least = 1 << 10, most = 1 << 20;  // particles
    uint64_t seed = 1;
    Patience patience;
    std::vector<std::string> only;  // names of sections; empty: all
};

/// Prints its table and adds its numbers to `json`. False when two ways to the same result differ.
using ParticleSection = bool (*)(const ParticlesPlan&, nlohmann::ordered_json& json);

struct NamedParticleSection {
    const char* name;
    const char* sentence;
    ParticleSection run;
};
const std::vector<NamedParticleSection>& particle_sections();

/// All sections asked for, one after the other. Throws Error for a name that particle_sections() does not have.
bool run_particles(const ParticlesPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
