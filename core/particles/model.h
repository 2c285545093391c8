// The simulated model: discs of one or several species in a periodic box, or in a channel with periodicity along one
// axis and walls across the other, their interactions and their motion. After F. Carter, N. Hitschfeld, C. Navarro and
// R. Soto, GPU parallel simulation algorithm of Brownian particles with excluded volume using Delaunay triangulations.
// Numbers only; nothing here computes. Lengths are in units of the world, in which the mean diameter σ is 1; times in
// units in which D and the mobilities are given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/view.h"
#include "geometry/torus_box.h"

namespace flipscope {

inline constexpr uint32_t kMostSpecies = 8;
inline constexpr uint32_t kMostParticles = 1u << 28;  // six corners each must be numbered by 32 bits

/// One kind of particle.
struct Species {
    double fraction = 1;  // of all particles, as a share of the sum over all species
    double alpha = 1;     // α: charge as the source of the field
    double mu = 1;        // μ: response to the field; μ_i α_k > 0 pushes i away from k
    double diameter = 1;  // world units
    friend bool operator==(const Species&, const Species&) = default;
};

/// Charges and diameters by species, as kernels read them.
struct SpeciesTable {
    double alpha[kMostSpecies] = {};
    double mu[kMostSpecies] = {};
    double diameter[kMostSpecies] = {};
    View<const double> diameters = {};  // (n) of each particle, world units; empty: those of the species
    double least = 0, greatest = 0;     // of these

    FLIPSCOPE_HD double diameter_of(uint32_t i, View<const uint8_t> species) const {
        return diameters ? diameters[i] : diameter[species[i]];
    }
};

/// Diameters alone.
struct Diameters {
    View<const double> each = {};  // (n) world units; empty: all have `common`
    double common = 1;
    FLIPSCOPE_HD double of(uint32_t i) const { return each ? each[i] : common; }
    FLIPSCOPE_HD double mean(uint32_t a, uint32_t b) const { return each ? (each[a] + each[b]) / 2 : common; }
};

enum class ForceLaw : uint32_t {
    kNone,
    kLongRange,   // f(r) = r / |r|^3, over all pairs
    kShortRange,  // f(r) = r / |r|^7 up to a cutoff
};
/// A soft force on both of a pair whose radii add up to σ, at a distance r, in addition to ForceLaw; see repulsion.h.
enum class RepulsionKind : uint32_t { kNone, kWca, kHarmonic };
enum class Precision : uint32_t { kFloat, kDouble };
enum class NoiseTails : uint32_t { kClamped, kRerolled };
/// The search for near pairs of the short-range force.
enum class NearPairs : uint32_t { kCells, kVerlet };
/// The sharing of loads in the all-pairs sum on CUDA; the result is the same.
enum class Tiling : uint32_t { kShuffle, kShared };

struct ParticleModel {
    std::vector<Species> species{Species{}};
    uint32_t count = 0;    // N; 0: as given
    double density = 0.5;  // area fraction Σ π d² / 4 over the box's area

    ForceLaw force = ForceLaw::kShortRange;
    double cutoff = 2.5;  // world units, of kShortRange
    NearPairs near_pairs = NearPairs::kVerlet;
    double skin = 0.5;  // world units: lists of kVerlet extend beyond the cutoff
    RepulsionKind repulsion = RepulsionKind::kNone;
    double repulsion_strength = 1;  // ε: an energy times the mobility of particles, world units squared per time
    Precision precision = Precision::kFloat;
    Tiling tiling = Tiling::kShuffle;

    double dt = 0.01;         // Δt
    double diffusion = 0.01;  // D: each component of a step has the standard deviation √(DΔt) (equation 1)
    NoiseTails noise = NoiseTails::kClamped;
    double speed = 0;     // V0 of active particles (equation 10); 0: passive
    double rotation = 0;  // D of equation 11: an angle's step has the standard deviation √(2DΔt)

    double spread = 0;      // radii are spread evenly over ± this part of their species' radius
    double shear_rate = 0;  // γ̇, per time, between the walls of a channel

    bool overlaps = true;  // overlapping pairs are pushed apart
    double delta = 1;      // fraction of σ - r by which each of a pair moves: 1 rebounds, 1/2 leaves them touching
    double cap = 0.25;     // largest push of a particle at once, in diameters
    uint32_t most_pushes = 1000;  // rounds of pushes in a time step
    uint64_t seed = 1;
};

/// Pairs closer than this fraction of their mean diameter overlap.
inline constexpr double kTouching = 1 - 5e-7;
/// For larger ratios of diameters, overlapping pairs may have no Delaunay edge. Matters only if overlaps are resolved.
inline constexpr double kMostDiameterRatio = 1.8;

/// Equal discs in the densest packing cover π / √12 of the plane.
inline constexpr double kClosestPacking = 0.90689968211710892;

/// "c0" … "c4" of table 1 with the short-range force, and "abp-dense" and "abp-dilute" of figures 14 and 15: active
/// particles without other forces. Throws Error for another name, with the list of all.
ParticleModel named_model(const std::string& name);
std::vector<std::string> model_names();

/// Throws Error, with the value and the valid range, for an invalid number of the model.
void check_model(const ParticleModel& model);
/// Throws Error for a ratio of diameters that could hide overlaps, if the model resolves them.
void check_diameters(const ParticleModel& model, double smallest, double largest);
/// Throws Error for discs that are wider than a channel; other boxes fit all discs.
void require_fits_between_walls(double largest_diameter, const TorusBox& box);

SpeciesTable table_of(const ParticleModel& model);
/// Of all species, with their spread, world units.
double largest_diameter(const ParticleModel& model);
/// The number of particles of each species among `count`: its share, rounded so that the sum is right (largest
/// remainder; of equal ones the first).
std::vector<uint32_t> species_counts(const ParticleModel& model, uint32_t count);

/// The total area of `count` discs, world units squared; with a spread and several species its expected value.
double area_of_discs(const ParticleModel& model, uint32_t count);
/// The same for discs of these diameters.
double area_of_discs(const std::vector<double>& diameters);
/// The side of a square box in which `count` discs have the model's area fraction (equation 9, with π), world units. 1
/// for no discs.
double side_of_box(const ParticleModel& model, uint32_t count);

/// The initial direction of an active particle: radians in [0, 2π), drawn by the model's seed.
double orientation_at_first(const ParticleModel& model, uint64_t id);

/// The initial state of a run.
struct ParticleStart {
    TorusBox box;
    std::vector<Point> positions;      // (n) in the box, from (0, 0), on its grid
    std::vector<uint8_t> species;      // (n)
    std::vector<double> orientations;  // (n) radians, in [0, 2π)
    std::vector<double> sizes;         // (n) diameter over that of the species; empty: all 1
};
/// (n) of all particles of a start, world units.
std::vector<double> diameters_of(const ParticleModel& model, const ParticleStart& start);

/// N sites drawn by reservoir sampling from a triangular lattice with at least N sites, in the order of a Hilbert
/// curve; species by a random permutation with the exact fractions, orientations uniform. The same for the same model.
/// The box has these sides, and walls across at most one axis; if both sides are 0 it is the square in which the discs
/// have the model's area fraction. With a spread the sizes are 1 - spread + (2k + 1) / n spread for k < n, in random
/// order. Throws Error if hard discs of the species' diameters do not fit without overlap, for impossible sides, and as
/// check_model() and require_fits_between_walls() do.
ParticleStart make_start(const ParticleModel& model, Point sides = {}, OpenAxis walls = OpenAxis::kNone);

/// The same at given places, where `low` is the box's corner: particle i at place i, wrapped into the box, and moved to
/// touch a wall that its disc would overlap. Ignores the model's count. Discs may overlap. Throws Error, which begins
/// with `name`, for two particles at one place of the box, for places beyond a wall or not finite, by their indices,
/// and for more discs than the densest packing holds if overlaps are to be resolved; and as the other one does.
/// `diameters`: (n) of the discs, world units; empty: those of their species and their spread.
ParticleStart make_start(const ParticleModel& model, const std::vector<Point>& places, Point sides,
                         const std::string& name, OpenAxis walls = OpenAxis::kNone, Point low = {},
                         const std::vector<double>& diameters = {});

/// "a box of 30 by 12", "a channel 30 long and 12 high, periodic along x".
std::string box_in_words(const TorusBox& box);

}  // namespace flipscope
