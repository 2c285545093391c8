// Equation 2: the force of all, or of the near, particles on each. Called once per time step by ParticleDynamics;
// independent of triangulations. The same bits on every device and for any number of threads: the order of each sum and
// its operations are fixed.
#pragma once

#include <optional>

#include "compute/buffer.h"
#include "compute/launch.h"
#include "particles/all_pairs.h"
#include "particles/model.h"
#include "particles/near_pairs.h"

namespace flipscope {

class PairForces {
  public:
    /// Uses law, cutoff, precision, tiling and species of the model, for `count` particles. Throws Error for a cutoff
    /// beyond half the box's shorter side, within which a particle could meet two images of another. The same holds for
    /// the reach of a soft repulsion, from the largest diameter; 0: that of the model.
    void reset(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count,
               double largest_diameter = 0);

    /// forces[i] = Σ_k≠i μ_i α_k f(r_i - r_k) over nearest images, and the model's repulsion, world units per time; a
    /// pair at one place adds nothing. `positions` (n) in the box, on its grid, `species` (n), `forces` (n),
    /// `diameters` (n), or empty: those of the species. The result depends only on the arguments, not on lists kept
    /// from earlier calls. `moved_far`: whether look() has counted any particle at these positions, if look() was the
    /// last call; without it, compute() counts itself if there are lists, and waits for the device.
    void compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces,
                 std::optional<bool> moved_far = std::nullopt, View<const double> diameters = {});
    /// Call it before compute() if the caller reads counts anyway: adds to sums[0] the number of particles that have
    /// moved so far that lists must be rebuilt; 0 without lists. `count`: all particles, or none. Does not wait.
    void look(View<const Point> positions, View<const uint8_t> species, Extent count, View<uint64_t> sums);

  private:
    Context* context_ = nullptr;
    ForceLaw law_ = ForceLaw::kNone;
    uint32_t count_ = 0;
    AllPairs all_;
    bool repels_ = false;
    ShortRange near_, repulsion_;
};

}  // namespace flipscope
