// Measures of one state of the particles: degrees, bond order, nearest neighbours, clusters, the pair correlation, and
// the expected mean-squared displacement. Used by the Particles lab between time steps. Per-particle
// numbers stay on the device for the colours of layers; every result has the same bits on every device and for any
// number of threads, because sums are taken in fixed point.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/buffer.h"
#include "delaunay/torus/torus_triangulation.h"
#include "particles/model.h"
#include "statistics/window.h"

namespace flipscope {

/// One state for kernels; all views are in the memory of the context's device.
struct ParticleState {
    TorusBox box;
    View<const Point> positions;     // (n) in the box, on its grid
    View<const uint8_t> species;     // (n)
    SpeciesTable table;              //
    View<const uint32_t> triangles;  // (t, 3) of the Delaunay triangulation on the torus: particle ids
    View<const ImageShift> shifts;   // (t, 3): of the edge that begins at this corner
    View<const uint32_t> corner_of;  // (e, 2)

    uint32_t count() const { return static_cast<uint32_t>(positions.count); }
    uint32_t edge_count() const { return static_cast<uint32_t>(corner_of.count / 2); }
};
ParticleState particle_state(const TorusTriangulation& triangulation, View<const uint8_t> species,
                             const SpeciesTable& table);

/// For grids: in a channel, cells at opposite walls are neighbours, too, which is harmless.
Window window_of(const TorusBox& box);

/// The number of edges of the triangulation; in a channel, of those between its walls. Waits for the device.
uint32_t count_edges(Context& context, const ParticleState& state);

/// Pairs nearer than this many of their mean diameters, along a Delaunay edge, belong to one cluster.
inline constexpr double kContactDistance = 1.1;

/// Measures of every particle over its Delaunay neighbours, and the clusters. An edge to another image of a particle
/// counts like any other, once for each end, so degrees add up to 6n; in a channel edges beyond the walls do not count,
/// so they add up to less.
class ParticleMeasures {
  public:
    /// Measures the state; `contact` is in mean diameters of a pair. Does not wait for the device.
    void measure(Context& context, const ParticleState& state, double contact = kContactDistance);
    uint32_t count() const { return count_; }  // of measured particles; 0 before the first measure()

    const Buffer<uint32_t>& degrees() const { return degrees_; }          // (n)
    const Buffer<Point>& bond_orders() const { return bond_orders_; }     // (n) ψ6 = Σ exp(6iθ) / degree, as x + iy
    const Buffer<double>& bond_lengths() const { return bond_lengths_; }  // (n) |ψ6|, 0 … 1
    const Buffer<double>& nearest() const { return nearest_; }            // (n) world units, centre to centre
    const Buffer<uint32_t>& clusters() const { return clusters_; }        // (n) the lowest id in its cluster
    const Buffer<uint32_t>& cluster_sizes() const { return cluster_sizes_; }  // (n) particles in its cluster

    enum class Quantity : uint32_t { kDegree, kBondOrder, kNearest, kClusterSize };
    /// One number per particle, for the colours of a layer.
    void write_scalars(Context& context, Quantity quantity, Buffer<float>& scalars) const;  // (n)

    /// The share of all particles that are in the largest cluster, 0 … 1; 0 without particles. Waits for the device.
    double largest_share() const;
    /// The size of every cluster, in the order of lowest ids. Waits.
    std::vector<uint32_t> sizes_of_clusters() const;

  private:
    Context* context_ = nullptr;
    uint32_t count_ = 0;
    Buffer<uint32_t> degrees_{"degrees"}, clusters_{"clusters"}, cluster_sizes_{"cluster sizes"},
        forest_{"cluster forest"};
    Buffer<Point> bond_orders_{"bond orders"};
    Buffer<double> bond_lengths_{"bond order lengths"}, nearest_{"nearest distances"};
    Buffer<uint64_t> bond_sums_{"bond sums"}, nearest_bits_{"nearest squared"};
};

/// |move| / Δt of every particle: (n) world units per time. `moves` (n) is in the context's memory.
void measure_speeds(Context& context, View<const Point> moves, double dt, Buffer<double>& speeds);

/// g(r): the number of pairs at a distance, relative to as many uniform random particles.
struct PairCorrelation {
    double width = 0;             // of a bin, world units; bin k holds distances in [k, k + 1) · width
    std::vector<uint64_t> pairs;  // (bins) unordered pairs, nearest images
    std::vector<double> values;   // (bins) g
    double middle(size_t bin) const { return (double(bin) + 0.5) * width; }  // world units
};
/// `count` discs of one diameter, world units.
struct Discs {
    double count, diameter;
};
/// Up to `reach` world units; 0: the lesser of 8 and half the shorter side, which is also the upper limit. In a channel
/// the side is the periodic one, and the reference is centres of `discs`, or of points, placed anywhere between the
/// walls, which leave wide discs less room. At most 1,024 bins. No values for fewer than two particles. Waits for the
/// device.
PairCorrelation pair_correlation(Context& context, const TorusBox& box, View<const Point> positions,
                                 uint32_t bins = 160, double reach = 0, std::vector<Discs> discs = {});

// The mean-squared displacement without forces, overlaps and walls.

/// Variance of the noise's normal numbers: 1 except for their tails, which are cut at three standard deviations.
/// Clamped numbers have 0.99500…, redrawn ones 0.97334….
double noise_variance(NoiseTails noise);
/// For a passive or active particle after `steps` steps, world units squared: 2DΔt per step in the plane, times
/// noise_variance(). An active particle adds the square of its path, whose direction decays by rotation (the sum over
/// all pairs of steps of the mean cosine between them).
double expected_squared_displacement(const ParticleModel& model, uint64_t steps);
/// The expected displacement r of a particle since the start, for a model that changes during the run.
struct ExpectedDisplacement {
    double squared = 0;  // mean of r², world units squared
    double along = 0;    // mean of r · u, where u is the unit vector of the next active step; world units
};
/// After `steps` more steps of this model. From the start, `squared` is expected_squared_displacement().
ExpectedDisplacement expected_after(const ExpectedDisplacement& before, const ParticleModel& model, uint64_t steps);

}  // namespace flipscope
