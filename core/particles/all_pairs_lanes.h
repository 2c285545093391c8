// The sum over all pairs on CPU threads: one particle per lane, with the widest vectors of the machine. Included only
// by all_pairs.cu. nvcc does not compile the source.
#pragma once

#include <cstdint>

#include "compute/cancel.h"
#include "compute/view.h"
#include "particles/all_pairs_arithmetic.h"

namespace flipscope::all_pairs {

inline constexpr uint32_t kBlock = 128;  // contiguous places in the sum; a sum in Real has at most this many terms

/// One block of places: all have the same α.
struct Run {
    double alpha = 0;
    uint32_t count = 0;  // places taken, the first ones
};

/// The places, and the division of a sum over them.
template <class Real>
struct Places {
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    TorusMetric<Real> metric;
    const Coordinate* x = nullptr;  // (blocks · kBlock)
    const Coordinate* y = nullptr;  //
    const Run* runs = nullptr;      // (blocks)
    uint32_t blocks = 0;
    uint32_t segments = 1;  // partial sums, each over neighbouring blocks, that are added in order

    /// The first block of a segment.
    FLIPSCOPE_HD uint32_t begin(uint32_t segment) const {
        return static_cast<uint32_t>(uint64_t(segment) * blocks / segments);
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
