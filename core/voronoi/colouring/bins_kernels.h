// The kernels that sort sites into the bins of a grid: several in sequence for many sites, or one block on CUDA for
// few. Included only by bins.cu.
#pragma once

#include "compute/launch.h"
#include "voronoi/colouring/bins.h"

namespace flipscope {

inline constexpr uint32_t kCrowdedRank = 16;  // a bin with more sites than this is crowded

FLIPSCOPE_HD inline uint32_t bin_bound(uint32_t sites) {
    const uint32_t two_thirds = static_cast<uint32_t>(sites * 2ull / 3);
    return two_thirds > 1 ? two_thirds : 1;
}

/// Computes the grid where the count is known: about 1.5 sites per bin, bins about square.
struct SiteBins::ShapeGrid {
    Lattice lattice;
    Extent extent;
    View<BinGrid> grid;
    View<uint32_t> count;

    FLIPSCOPE_HD void operator()(uint32_t) const {
        grid[0] = shape();
        count[0] = grid[0].count;
    }
    FLIPSCOPE_HD BinGrid shape() const {
        BinGrid shape;
        shape.count = extent.resolve();
        const uint32_t most = bin_bound(shape.count);
        const double width = lattice.width, height = lattice.height;
        const double side = sqrt(width * height / most);
        shape.columns = clamped(width / side, most);
        shape.rows = clamped(height / side, most / shape.columns);
        shape.width = width / shape.columns;
        shape.height = height / shape.rows;
        shape.columns_per_unit = shape.columns / width;
        shape.rows_per_unit = shape.rows / height;
        return shape;
    }
    FLIPSCOPE_HD static uint32_t clamped(double n, uint32_t most) {
        return !(n >= 1) ? 1 : n >= most ? most : static_cast<uint32_t>(n);
    }
};

/// Counts the sites of each bin, and ranks sites within their bin. Sums the occupied bins and the sites in crowded
/// bins.
struct CountIntoBins {
    Lattice lattice;
    View<const BinGrid> grid;
    View<const Point> given;
    View<Point> sites;                  // (n)
    View<uint32_t> bins, ranks, sizes;  // (n), (n), (bins + 1)

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const Point site = lattice.wrapped(given[i]);
        const uint32_t bin = grid[0].bin(site);
        const uint32_t rank = atomic_add(sizes[bin], 1u);
        sites[i] = site;
        bins[i] = bin;
        ranks[i] = rank;
        sums.value[0] += rank == 0;
        sums.value[1] += rank >= kCrowdedRank;
    }
};

struct PlaceInBins {
    View<const Point> sites;
    View<const uint32_t> bins, ranks, starts;
    View<Point> points;
    View<uint32_t> labels;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t slot = starts[bins[i]] + ranks[i];
        points[slot] = sites[i];
        labels[slot] = i;
    }
};

#if defined(__CUDACC__)
inline constexpr uint32_t kBinThreads = 1024, kWarps = kBinThreads / 32;
inline constexpr uint32_t kRun = 16, kMostInBlock = kRun * kBinThreads;  // sites per thread, and in all
inline constexpr uint32_t kMostBlockBins = kMostInBlock * 2ull / 3;      // counted in shared memory
inline constexpr uint32_t kBinRun = kMostBlockBins / kBinThreads + 1;    // bins summed by a thread
inline constexpr uint32_t kBinBits = 16;                                 // the other bits hold the rank of a site
static_assert(kMostBlockBins <= 1u << kBinBits && kMostInBlock <= 1u << (32 - kBinBits) && kWarps == 32);

/// The three kernels above and a scan in a single block, for few sites, where each launch would take longer than its
/// work.
struct BinInBlock {
    SiteBins::ShapeGrid shaping;
    View<const Point> given;
    View<Point> sites, points;
    View<uint32_t> starts, labels;
    View<uint64_t> block_sums;  // or empty: not requested

    __device__ void run() const {
        __shared__ uint32_t sizes[kMostBlockBins];
        __shared__ BinGrid shared_grid;
        __shared__ uint32_t occupied, crowd;
        const uint32_t thread = threadIdx.x;
        if (thread < 32) {  // divides while other threads clear
            const BinGrid shape = shaping.shape();
            if (thread == 0) {
                shared_grid = shaping.grid[0] = shape;
                shaping.count[0] = shape.count;
                occupied = crowd = 0;
            }
        } else {
            const uint32_t most = bin_bound(shaping.extent.bound);
            for (uint32_t bin = thread - 32; bin < most; bin += kBinThreads - 32) sizes[bin] = 0;
        }
        __syncthreads();
        const BinGrid grid = shared_grid;
        uint32_t places[kRun];  // bin and rank
#pragma unroll
        for (uint32_t k = 0; k < kRun; ++k) {
            const uint32_t i = k * kBinThreads + thread;
            if (i >= grid.count) break;
            const Point site = shaping.lattice.wrapped(given[i]);
            sites[i] = site;
            const uint32_t bin = grid.bin(site);
            places[k] = bin | atomicAdd(&sizes[bin], 1u) << kBinBits;
        }
        __syncthreads();
        sizes_to_starts(sizes, grid.columns * grid.rows, occupied, crowd);
        __syncthreads();
        if (block_sums && thread == 0) {
            block_sums[0] = occupied;
            block_sums[1] = crowd;
        }
#pragma unroll
        for (uint32_t k = 0; k < kRun; ++k) {
            const uint32_t i = k * kBinThreads + thread;
            if (i >= grid.count) break;
            const uint32_t slot = sizes[places[k] & ((1u << kBinBits) - 1)] + (places[k] >> kBinBits);
            points[slot] = sites[i];
            labels[slot] = i;
        }
    }
    __device__ void sizes_to_starts(uint32_t* sizes, uint32_t bins, uint32_t& occupied, uint32_t& crowd) const {
        const uint32_t run = (bins + kBinThreads - 1) / kBinThreads, first = threadIdx.x * run;
        uint32_t mine[kBinRun], sum = 0, filled = 0, crowded = 0;
#pragma unroll
        for (uint32_t k = 0; k < kBinRun; ++k) {
            if (k >= run) break;
            mine[k] = first + k < bins ? sizes[first + k] : 0;
            sum += mine[k];
            filled += mine[k] > 0;
            crowded += mine[k] > kCrowdedRank ? mine[k] - kCrowdedRank : 0;
        }
        uint32_t start = sum_before(sum);
#pragma unroll
        for (uint32_t k = 0; k < kBinRun; ++k) {
            if (k >= run || first + k >= bins) break;
            sizes[first + k] = starts[first + k] = start;
            start += mine[k];
        }
        if (threadIdx.x == kBinThreads - 1) starts[bins] = start;
        if (!block_sums || filled == 0) return;
        atomicAdd(&occupied, filled);
        atomicAdd(&crowd, crowded);
    }
    /// The sum over all threads before this one; all must call it.
    __device__ static uint32_t sum_before(uint32_t mine) {
        __shared__ uint32_t totals[kWarps];
        const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const uint32_t within = sum_up_to(mine, lane);
        if (lane == 31) totals[warp] = within;
        __syncthreads();
        if (warp == 0) totals[lane] = sum_up_to(totals[lane], lane);
        __syncthreads();
        return within - mine + (warp > 0 ? totals[warp - 1] : 0);
    }
    __device__ static uint32_t sum_up_to(uint32_t value, uint32_t lane) {
        for (uint32_t apart = 1; apart < 32; apart *= 2) {
            const uint32_t before = __shfl_up_sync(0xFFFFFFFFu, value, apart);
            if (lane >= apart) value += before;
        }
        return value;
    }
};
inline __global__ void __launch_bounds__(kBinThreads) bin_in_block(BinInBlock kernel) {
    detail::wait_for_previous();
    kernel.run();
}
#endif

}  // namespace flipscope
