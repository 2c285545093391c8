// Sections of bench/particles.h: time of a whole step of particles (forces, motion, untangling, flips and pushes) for
// the configurations of table 1 of Carter, Hitschfeld, Navarro and Soto (their figures 9 to 11), and its growth
// compared with theirs.
#pragma once

#include "bench/particles.h"
#include "bench/plot.h"

namespace flipscope::bench {

/// `json` becomes an object: `rows`, one per configuration and number of particles; `fits`; `findings`, each a
/// statement of the paper with our measurement and whether it agrees. Returns false if a triangulation is not Delaunay
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

}  // namespace flipscope::bench
