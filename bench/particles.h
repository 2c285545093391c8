// The questions that the benchmark answers about particles, after Carter, Hitschfeld, Navarro and Soto: each a section
// with a table of its own. A new one is a function and a line in particle_sections().
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/plot.h"
#include "compute/context.h"

namespace flipscope::bench {

struct ParticlesPlan {
    DeviceRequest device = DeviceRequest::kCpu;  // kCpu or kCuda
    int threads = 0;
    double least = 1 << 10, most = 1 << 20;  // particles
    uint64_t seed = 1;
    Patience patience;
    int steps = 100;                    // of a run, at most: the paper's; fewer where `patience` is out
    bool kernels = false;               // time them, too: each launch takes some 3 µs more on CUDA
    std::vector<std::string> sections;  // empty: all
    std::vector<std::string> configurations{"c0", "c1", "c2", "c3", "c4"};
};

/// Prints its table and adds its numbers to `json`. False when two ways to the same result differ, or a check fails.
using ParticleSection = bool (*)(const ParticlesPlan&, nlohmann::ordered_json& json);

struct NamedParticleSection {
    const char* name;
    const char* sentence;
    ParticleSection run;
};
const std::vector<NamedParticleSection>& particle_sections();

/// Sorts words into the sections and the configurations of a plan. Throws Error for one that is neither.
void choose(const std::vector<std::string>& words, ParticlesPlan& plan);

/// All sections asked for, one after the other.
bool run_particles(const ParticlesPlan& plan, nlohmann::ordered_json& json);

/// Figures 9 to 12 from the numbers of run_particles(), as far as they are there.
std::vector<Figure> figures_of_particles(const nlohmann::ordered_json& json);

}  // namespace flipscope::bench
