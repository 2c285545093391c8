// The parameters of the Particles lab, as the panel and the command line show them, and the model that they describe. A
// named configuration determines the species; of density, force, speed and rotation it has values of its own, which the
// word "auto" stands for.
#pragma once

#include <cmath>

#include "lab/parameter_visitor.h"
#include "particles/model.h"

namespace flipscope {

inline constexpr uint32_t kShownSpecies = 3;  // that have parameters

/// What discs are coloured by.
enum class ParticleColour : int { kSpecies, kOverlaps, kSpeed, kOrientation, kDegree, kBondOrder, kCluster };

struct ParticlesParameters {
    int config = 2;  // index into model_names(); past them: custom
    int count = 256;
    double density = NAN;  // NaN: the configuration's
    Point box;             // sides, world units; 0: the input's own, or from the density
    int walls = 0;         // 0: chosen_walls() decides; else OpenAxis + 1
    int force = 0;         // 0: the configuration's; else ForceLaw + 1
    double cutoff = 2.5;
    int near_pairs = 1;  // NearPairs
    double skin = 0.5;
    int precision = 0;  // Precision
    int tiling = 0;     // Tiling
    double dt = 0.01, diffusion = 0.01;
    int noise = 0;                       // NoiseTails
    double speed = NAN, rotation = NAN;  // NaN: the configuration's
    bool overlaps = true;
    double delta = 1, cap = 0.25;
    int push_limit = 1000;
    int after_rebuild = 0;  // 0: the run ends, 1: it goes on
    int seed = 1;
    int species = 2;
    Species kinds[kShownSpecies] = {{0.5, 1, 1, 1}, {0.5, 1, -1, 1}, {0, 1, 1, 1}};
    int steps = 10000;
    int record = 0;
    int cluster_interval = 10;
    int colour_by = int(ParticleColour::kSpecies);
    int block_size = 256;
    int config_at_start = -1;  // of the run that there is, whose box stays; -1: there is none. No parameter
};

/// "c0" … or "custom".
std::string config_name(const ParticlesParameters& parameters);
void visit_particles_parameters(ParameterVisitor& visitor, ParticlesParameters& parameters);

/// Across which axis of a box of these sides walls stand: with "auto" across one along which alone the side is 0, since
/// the box is not periodic along it.
OpenAxis chosen_walls(int walls, Point sides, const Geometry& input);

/// What they come to. Not checked: make_start() refuses what cannot be.
ParticleModel model_of(const ParticlesParameters& parameters);

}  // namespace flipscope
