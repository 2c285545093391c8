// The parameters of the Particles lab, as shown by the panel and the command line, and the model that they describe. A
// named configuration determines the species; the word "auto" selects its density, force, speed and rotation.
#pragma once

#include <cmath>

#include "lab/parameter_visitor.h"
#include "particles/model.h"

namespace flipscope {

inline constexpr uint32_t kShownSpecies = 3;  // species with parameters

/// The colouring of discs.
enum class ParticleColour : int { kSpecies, kOverlaps, kSpeed, kOrientation, kDegree, kBondOrder, kCluster };

struct ParticlesParameters {
    int config = 2;  // index into model_names(); past them: custom
    int count = 256;
    double density = NAN;  // NaN: as in the configuration
    double spread = 0;     // of radii
    bool column_radii = true;
    Point box;      // sides, world units; 0: the input's own, or from the density
    int walls = 0;  // 0: chosen_walls() decides; else OpenAxis + 1
    double shear_rate = 0;
    int force = 0;  // 0: as in the configuration; else ForceLaw + 1
    double cutoff = 2.5;
    int repulsion = 0;  // RepulsionKind
    double repulsion_strength = 1;
    int near_pairs = 1;  // NearPairs
    double skin = 0.5;
    int precision = 0;  // Precision
    int tiling = 0;     // Tiling
    double dt = 0.01, diffusion = 0.01;
    int noise = 0;                       // NoiseTails
    double speed = NAN, rotation = NAN;  // NaN: as in the configuration
    bool overlaps = true;
    double delta = 1, cap = 0.25;
    int push_limit = 1000;
    int after_rebuild = 0;  // 0: the run ends; 1: it goes on
    int seed = 1;
    int species = 2;
    Species kinds[kShownSpecies] = {{0.5, 1, 1, 1}, {0.5, 1, -1, 1}, {0, 1, 1, 1}};
    int steps = 10000;
    int record = 0;
    int cluster_interval = 10;
    int stress_interval = 0;
    double wavenumber = NAN;        // NaN: 2π over the mean diameter
    double contact_distance = NAN;  // NaN: any
    int colour_by = int(ParticleColour::kSpecies);
    int block_size = 256;
    int config_at_start = -1;  // of the present run, which keeps its box; -1: no run. Not a parameter
};

/// "c0" … or "custom".
std::string config_name(const ParticlesParameters& parameters);
void visit_particles_parameters(ParameterVisitor& visitor, ParticlesParameters& parameters);

/// The axis across which the walls of a box of these sides stand. With "auto": the axis along which alone the side is
/// 0, because the box is not periodic along it.
OpenAxis chosen_walls(int walls, Point sides, const Geometry& input);

/// The column of an input that gives radii or diameters: "radius" or "diameter", in any case; nullptr: none, or unused.
const Attribute* column_of_radii(const Geometry& input, bool column_radii);
inline bool is_of_diameters(const Attribute& column) { return column.name.size() == 8; }

/// The model that the parameters describe. Not validated: make_start() rejects impossible ones.
ParticleModel model_of(const ParticlesParameters& parameters);

}  // namespace flipscope
