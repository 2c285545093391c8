// The short-range force f(r) = r / |r|^7 between pairs within a cutoff, found by cells on the torus or in Verlet lists;
// or a soft repulsion (repulsion.h) between such pairs, found alike. Used by PairForces.
//
// The sums do not depend on the order of their terms, so cells may be filled in any order, and lists kept as long as
// they are valid: each term of a particle is computed on its own, scaled by a power of two given by the nearest
// partner, and rounded to a 64-bit integer, so that the sum of all terms cannot overflow. The exact difference of its
// positions decides whether a pair counts, in either precision and for either search.
#pragma once

#include <memory>
#include <optional>

#include "compute/buffer.h"
#include "compute/launch.h"
#include "particles/model.h"

namespace flipscope {

class ShortRange {
  public:
    ShortRange();
    ~ShortRange();
    ShortRange(ShortRange&&) noexcept;
    ShortRange& operator=(ShortRange&&) noexcept;

    /// Uses cutoff, precision, species and search of the model. The cutoff is at most half the side; a skin that would
    /// exceed this is shortened.
    void reset(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count);
    /// For the repulsion of the model instead; the reach is that of discs of this diameter, likewise.
    void reset_repulsion(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count,
                         double largest_diameter);
    /// As PairForces::look() and compute(); a repulsion is added to `forces`.
    void look(View<const Point> positions, View<const uint8_t> species, Extent count, View<uint64_t> sums);
    void compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces,
                 std::optional<bool> moved_far = std::nullopt, View<const double> diameters = {});

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope
