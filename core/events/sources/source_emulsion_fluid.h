// The fluid of the emulsion on its torus: densities and velocities of two components, and one step of them. Emulsion
// determines the initial droplets and the driving force; tests check the physics.
#pragma once

#include <vector>

#include "compute/buffer.h"
#include "compute/snapshot.h"
#include "events/sources/source_emulsion_kernels.h"

namespace flipscope {

class EmulsionFluid {
  public:
    using Pair = emulsion::Pair;

    /// Strengths of the forces in lattice units; the defaults are those of TLBfind. The second component is the
    /// droplets'.
    struct Strengths {
        double attraction[2] = {-9, -8};   // G₁₁ᵃ, G₂₂ᵃ: of a component to itself, over 8 neighbours
        double repulsion[2] = {8.1, 7.1};  // G₁₁ʳ, G₂₂ʳ: over 24 neighbours
        double between = 0.405;            // G₁₂: of the components
    };

    /// The initial state: at rest, with these densities, which are rounded to multiples of 2^-22.
    struct Start {
        uint32_t width = 0, height = 0;
        std::vector<float> densities;    // (2, h, w); ignored at obstacles
        std::vector<uint8_t> obstacles;  // (h, w), 1: solid, or empty
        std::vector<Pair> push;          // (h) force per unit mass in each row, pixels per step²
        emulsion::Walls walls;
        Strengths strengths;
    };
    /// Throws std::logic_error if sizes differ, or the torus is smaller than 5 × 5.
    void reset(Context& context, const Start& start);
    void step(Context& context);

    struct Findings {
        uint64_t unsound = 0;       // pixels whose densities are not positive, or add up to 4 or more
        double greatest_speed = 0;  // pixels per step
    };
    /// Writes the density of the droplets' component to `field`, 0 at obstacles. Waits for the device.
    Findings show(Context& context, Buffer<float>& field);
    /// `means`: sums of the fields, as sample() makes them; empty without rows.
    void show_flow(Context& context, const SumsOverTime& means, FlowFields& flow) const;
    /// Adds the flow along y and the stress to `sums` (kProfileBins, kProfileSums), with bins across the columns from
    /// `first` on; without obstacles the flow along x, with bins across all rows, from row `first` on. Adds the fields
    /// to `means` (FlowFields::kParts, h, w), in 1 / kPixelUnits, unless that is empty.
    void sample(Context& context, uint32_t first, View<uint64_t> sums, View<uint64_t> means = {});

    View<const uint8_t> obstacles() const { return obstacles_.view(); }
    std::vector<float> densities() const;  // (2, h, w)
    uint64_t hash(Context& context) const;
    void save(Snapshot& snapshot) const;
    /// Returns the index of the block after its last.
    size_t load(Context& context, const Snapshot& snapshot, size_t first_block);

  private:
    emulsion::Fields fields() const;
    void find_effective(Context& context, std::vector<float> densities);

    emulsion::Torus torus_{};
    uint32_t stride_ = 0;  // between the arrays of a buffer
    emulsion::Walls walls_;
    emulsion::Mixture mixture_;
    Buffer<float> densities_{"densities"}, next_densities_{"densities, next"};
    Buffer<float> velocities_{"velocities"}, momenta_{"momenta"}, effective_{"effective densities"};
    Buffer<uint8_t> obstacles_{"obstacles"};
    Buffer<Pair> push_{"body force"};
    Buffer<uint64_t> findings_{"findings"};
};

}  // namespace flipscope
