// How long a whole time step of particles takes: forces, motion, untangling, flips and pushes, for the configurations
// of Carter, Hitschfeld, Navarro and Soto's table 1 (their figures 9 to 11), and whether it grows as they say. Sections
// of bench/particles.h.
#pragma once

#include "bench/particles.h"
#include "bench/plot.h"

namespace flipscope::bench {

/// An object: `rows`, one for each configuration and number of particles, `fits`, and `findings`, each a sentence of
/// the paper with what was found and whether that agrees. False when a triangulation is not Delaunay after the steps,
/// or when a grid search finds an overlap that the edges do not tell of.
bool step_short_range(const ParticlesPlan& plan, nlohmann::ordered_json& json);
bool step_long_range(const ParticlesPlan& plan, nlohmann::ordered_json& json);
/// The short-range force from starts that are drawn from a lattice of 1.02 diameters: with as many more sites than
/// particles as the density leaves, neighbours touch from the first step on. The order of configurations by pushes
/// depends on it.
bool step_packed_starts(const ParticlesPlan& plan, nlohmann::ordered_json& json);

/// Figures 9, 10 and 11 from the numbers of both sections, as far as they are there.
std::vector<Figure> figures_of_steps(const nlohmann::ordered_json& short_range,
                                     const nlohmann::ordered_json& long_range);

}  // namespace flipscope::bench
