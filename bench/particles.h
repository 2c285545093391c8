// The benchmark of particles, after Carter, Hitschfeld, Navarro and Soto: sections, each with a table and numbers as
// JSON. To add one, write a function here and a line in particles.cpp. A section returns false if two methods disagree
// or a check fails.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/plot.h"
#include "particles/model.h"

namespace flipscope::bench {

struct ParticlesPlan : Task {
    int steps = 100;                         // limit per run, from the paper; fewer if `patience` runs out
    bool kernels = false;                    // also time kernels: each launch then takes about 3 µs longer on CUDA
    std::vector<std::string> sections = {};  // empty: all
    std::vector<std::string> configurations{"c0", "c1", "c2", "c3", "c4"};
};

/// Sorts words into the plan's sections and configurations. Throws Error for a word that is neither.
void choose(const std::vector<std::string>& words, ParticlesPlan& plan);

/// Runs the selected sections.
bool run_particles(const ParticlesPlan& plan, nlohmann::ordered_json& json);

/// Figures 9 to 12 from the numbers of run_particles(), as far as present.
std::vector<Figure> figures_of_particles(const nlohmann::ordered_json& json);

// particles_steps.cpp: time of a whole step of particles (forces, motion, untangling, flips and pushes) for the
// configurations of table 1 of the paper (its figures 9 to 11), and its growth compared with theirs.

/// `json` becomes an object: `rows`, one per configuration and number of particles; and `fits` of
/// their growth, to compare with the paper. Returns false if a triangulation is not Delaunay
/// after the steps, or if a grid search finds an overlap that the edges miss.
bool step_short_range(const ParticlesPlan& plan, nlohmann::ordered_json& json);
bool step_long_range(const ParticlesPlan& plan, nlohmann::ordered_json& json);
/// The short-range force from starts on a lattice of spacing 1.02 diameters: the lattice has as many more sites than
/// particles as the density permits, so that neighbours touch from the first step on. The order of configurations by
/// pushes depends on it.
bool step_packed_starts(const ParticlesPlan& plan, nlohmann::ordered_json& json);

/// Figures 9, 10 and 11 from the numbers of both sections, as far as present.
std::vector<Figure> figures_of_steps(const nlohmann::ordered_json& short_range,
                                     const nlohmann::ordered_json& long_range);

// particles_forces.cpp: times of the pair forces by each method, and whether all methods agree bit by bit.

/// One force method on one start, with its own context. `moves`: every second run sees all particles moved by the whole
/// skin, so that each run rebuilds its lists.
std::unique_ptr<Contestant> make_force_run(std::string name, DeviceRequest device, int threads,
                                           const ParticleModel& model, const ParticleStart& start, bool moves = false);
/// (n) forces at the start's positions; `run` must come from make_force_run().
std::vector<Point> forces_of(Contestant& run);

/// Figure 12: time against N for the sum over all pairs.
bool sum_all_pairs(const ParticlesPlan& plan, nlohmann::ordered_json& json);
/// From its numbers; no curves if there are none.
Figure figure_of_all_pairs(const nlohmann::ordered_json& rows);

/// Time per step with cells, with kept lists and with lists rebuilt at each step; c0 … c4.
bool sum_near_pairs(const ParticlesPlan& plan, nlohmann::ordered_json& json);

/// particles_peer.cpp: near-pair forces beside LAMMPS, if built in. Returns false if forces differ by more than the
/// rounding of float, or of double.
bool compare_with_peer(const ParticlesPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
