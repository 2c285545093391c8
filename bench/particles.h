// The benchmark of particles, after Carter, Hitschfeld, Navarro and Soto: sections, each with a table. To add one,
// write a function and a line in particle_sections().
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
    int steps = 100;                    // limit per run, from the paper; fewer if `patience` runs out
    bool kernels = false;               // also time kernels: each launch then takes about 3 µs longer on CUDA
    std::vector<std::string> sections;  // empty: all
    std::vector<std::string> configurations{"c0", "c1", "c2", "c3", "c4"};
};

/// Prints its table and adds its numbers to `json`. Returns false if two methods disagree or a check fails.
using ParticleSection = bool (*)(const ParticlesPlan&, nlohmann::ordered_json& json);

struct NamedParticleSection {
    const char* name;
    const char* sentence;
    ParticleSection run;
};
const std::vector<NamedParticleSection>& particle_sections();

/// Sorts words into the plan's sections and configurations. Throws Error for a word that is neither.
void choose(const std::vector<std::string>& words, ParticlesPlan& plan);

/// Runs the selected sections.
bool run_particles(const ParticlesPlan& plan, nlohmann::ordered_json& json);

/// Figures 9 to 12 from the numbers of run_particles(), as far as present.
std::vector<Figure> figures_of_particles(const nlohmann::ordered_json& json);

}  // namespace flipscope::bench
