// The long-range force f(r) = r / |r|^3 over all pairs of a torus. On CUDA each pair is computed once, for both
// particles: those of one block stay in registers, and those of another go around the lanes of a warp, by shuffles
// (after Carter, Hitschfeld, Navarro and Soto, algorithm 3, which computes each pair twice) or through shared memory.
// CPU threads compute each particle's sum, in the lanes of vectors. Used by PairForces.
//
// Order of the sums. Particles have places: sorted by α, then by id; each α begins a new block of 128 places, in rows
// of 32. With a single α, which is then a factor at the end, places are ids. The sum of one particle over the partners
// of a block is computed in the chosen precision. In a pair of blocks, a particle of the first adds its partners row by
// row, in each row from its own lane upwards; a particle of the second adds them from its own lane downwards, at each
// lane from all rows. α times these sums is added in double, in the order of the distance from the first to the second
// block around the ring of blocks, in parts; the parts are added in order, those as a first block before those as a
// second. None of this depends on the device.
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

    /// Uses precision, tiling and species of the model.
    void reset(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count);
    /// As PairForces::compute().
    void compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces);

    /// On CPU threads: selects an instruction set of this machine by index, widest first. For tests and the benchmark;
    /// the result is the same. Takes effect at the next compute(), until the next reset().
    void use_instructions(size_t choice);
    static size_t instruction_sets();
    static const char* instruction_set(size_t choice);  // "AVX-512"

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope
