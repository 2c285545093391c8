// The long-range force f(r) = r / |r|^3 over all pairs of a torus: a tiled sum, on CUDA with the partners broadcast by
// warp shuffles, after Carter, Hitschfeld, Navarro and Soto (algorithm 3), or from shared memory; on CPU threads in the
// lanes of vectors. Used by PairForces.
//
// Order of the sums. Particles have places: by α, and within one α by id; each α begins a block of 128 places anew.
// With one α for all, which is then a factor at the end, a place is an id. The sum of one particle over the 128
// partners of a block is made in the precision asked for, in the order of places; α times those sums is added up in
// double, block by block, in as many segments of blocks as their number asks for; and the segments are added in order.
// None of this depends on the device.
#pragma once

#include <memory>

#include "compute/buffer.h"
#include "particles/model.h"

namespace flipscope {

class AllPairs {
  public:
    AllPairs();
    ~AllPairs();
    AllPairs(AllPairs&&) noexcept;
    AllPairs& operator=(AllPairs&&) noexcept;

    /// Takes precision, tiling and species.
    void reset(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count);
    /// As PairForces::compute().
    void compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces);

    /// On CPU threads: of the sets of instructions that this machine has, the widest first, the so manieth (0). For
    /// tests and the benchmark: the result is the same. From the next compute() on, until the next reset().
    void use_instructions(size_t choice);
    static size_t instruction_sets();
    static const char* instruction_set(size_t choice);  // "AVX-512"

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope
