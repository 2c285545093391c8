// Equation 2: what all particles, or the near ones, do to each. Called once a time step by ParticleDynamics; it knows
// positions and species and nothing of triangulations. The same to the last bit on every device and for any number of
// threads: the order of each sum, and every operation in it, are fixed.
#pragma once

#include <memory>
#include <optional>

#include "compute/buffer.h"
#include "compute/launch.h"
#include "particles/model.h"

namespace flipscope {

class PairForces {
  public:
    PairForces();
    ~PairForces();
    PairForces(PairForces&&) noexcept;
    PairForces& operator=(PairForces&&) noexcept;

    /// Takes the law, cutoff, precision, tiling and species from the model; `count` particles. Throws Error for a
    /// cutoff beyond half the box's shorter side, where a particle would meet two images of another.
    void reset(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count);

    /// forces[i] = Σ_k≠i μ_i α_k f(r_i - r_k) over nearest images, world units per time; a pair at one place adds
    /// nothing. `positions` (n) in the box, on its grid, `species` (n), `forces` (n). The result is a function of
    /// these alone, not of earlier calls, whatever lists are kept between them. `moved_far`: what look() has counted is
    /// not 0, of these same positions, and it was the last thing asked of this; without it, and where lists are kept,
    /// compute() looks itself, and waits for the device.
    void compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces,
                 std::optional<bool> moved_far = std::nullopt);
    /// Ahead of compute(), where the caller reads counts anyway: adds to sums[0] how many particles have moved so far
    /// that lists must be made anew; 0 where none are kept. `count`: all particles, or none. Does not wait.
    void look(View<const Point> positions, View<const uint8_t> species, Extent count, View<uint64_t> sums);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope
