// The sum over all pairs on CPU threads: one particle per lane, with the widest vectors of the machine. Included only
// by all_pairs.cu. nvcc does not compile the source.
#pragma once

#include <cstdint>

#include "compute/cancel.h"
#include "compute/view.h"
#include "particles/all_pairs_arithmetic.h"

namespace flipscope::all_pairs {

inline constexpr uint32_t kRow = 32;  // contiguous places that go around a ring
inline constexpr uint32_t kRows = 4;  // of a block
inline constexpr uint32_t kBlock =
    kRow * kRows;  // contiguous places in the sum; a sum in Real has at most this many terms

/// One block of places: all have the same α.
struct Run {
    double alpha = 0;
    uint32_t count = 0;  // places taken, the first ones
};

/// The places, and the order of the sum. Every two blocks make a task: a first block and one that follows it, around
/// the ring of all blocks, at a distance, which is the task's diagonal. Diagonal 0 is each block with itself. If the
/// number of blocks is even, the last diagonal has half as many tasks.
template <class Real>
struct Places {
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    TorusMetric<Real> metric;
    const Coordinate* x = nullptr;  // (blocks · kBlock)
    const Coordinate* y = nullptr;  //
    const Run* runs = nullptr;      // (blocks)
    uint32_t blocks = 0;
    uint32_t parts = 1;  // partial sums: part p adds the diagonals p, p + parts, …

    FLIPSCOPE_HD uint32_t diagonals() const { return blocks / 2 + 1; }
    FLIPSCOPE_HD bool has_task(uint32_t first, uint32_t diagonal) const {
        return 2 * uint64_t(diagonal) < blocks || first < blocks / 2;
    }
    FLIPSCOPE_HD uint32_t after(uint32_t block, uint32_t distance) const {
        return block < blocks - distance ? block + distance : block - (blocks - distance);
    }
};

/// Σ α_k d / |d|^3 over all k, for the places of one block.
struct BlockSum {
    double x[kBlock], y[kBlock];
};

/// False: cancelled.
template <class Real>
using SumBlock = bool (*)(const Places<Real>&, uint32_t block, const CancelFlag&, BlockSum&);

/// "AVX-512", "AVX2", "portable".
struct Lanes {
    const char* name;
    SumBlock<float> sum_floats;
    SumBlock<double> sum_doubles;
};

/// The instruction sets of this machine, the widest first and a portable one last. All give the same bits.
View<const Lanes> lanes_here();

}  // namespace flipscope::all_pairs
