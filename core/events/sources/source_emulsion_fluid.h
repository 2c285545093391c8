// The fluid of the emulsion on its torus: populations of two components, and one step of them. Emulsion determines the
// initial droplets and the driving force; tests check conserved quantities.
#pragma once

#include <vector>

#include "compute/buffer.h"
#include "compute/snapshot.h"
#include "events/sources/source_emulsion_kernels.h"

namespace flipscope {

class EmulsionFluid {
  public:
    using Mixture = emulsion::Mixture;
    using Pair = emulsion::Pair;

    /// The initial state: at rest, with these densities.
    struct Start {
        uint32_t width = 0, height = 0;
        std::vector<float> densities;    // (2, h, w); ignored at obstacles
        std::vector<uint32_t> owners;    // (h, w) the droplet of each pixel
        std::vector<uint8_t> obstacles;  // (h, w), 1: solid, or empty
        std::vector<Pair> push;          // (h) force per unit mass in each row, pixels per step²
        float wall[2] = {0, 0};          // densities of obstacles in the forces
        Mixture mixture;
    };
    void reset(Context& context, const Start& start);
    void step(Context& context);

    /// Writes the density of the first component to `field`, 0 at obstacles; returns the number of pixels where it is
    /// not finite or out of range.
    uint32_t show(Context& context, Buffer<float>& field);
    /// Adds the flow along y to `sums` (kProfileBins, 2), with bins across the columns from `first` on.
    void sample(Context& context, uint32_t first, View<uint64_t> sums) const;

    View<const uint8_t> obstacles() const { return obstacles_.view(); }
    std::vector<float> populations() const;  // (2, kWays, h, w), before the pull
    uint64_t hash(Context& context) const;
    void save(Snapshot& snapshot) const;
    /// Returns the index of the block after its last.
    size_t load(Context& context, const Snapshot& snapshot, size_t first_block);

  private:
    emulsion::Torus torus_{};
    bool walls_ = false;
    float wall_[2] = {0, 0};
    float half_push_ = 0;
    Mixture mixture_;
    Buffer<float> now_{"populations"}, next_{"populations, next"};
    Buffer<uint32_t> owners_{"owners"}, next_owners_{"owners, next"};
    Buffer<float> densities_{"densities"};
    Buffer<uint8_t> obstacles_{"obstacles"};
    Buffer<Pair> push_{"body force"};
    Buffer<uint32_t> wrong_{"no numbers"};
};

}  // namespace flipscope
