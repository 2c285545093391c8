// The sum over all pairs on CUDA. A warp computes the pairs of two blocks: each lane keeps one particle of every row of
// the first block, and the rows of the second move around the warp, one lane a step, with the sums of their own. So
// each pair is computed once, for both particles. The warps that add to one sum take turns. Included only by
// all_pairs.cu.
#pragma once

#include "compute/atomics.h"
#include "compute/launch_on_cuda.h"
#include "particles/all_pairs_lanes.h"

#if defined(__CUDACC__)

namespace flipscope::all_pairs {

constexpr uint32_t kWarps = 4, kThreads = 32 * kWarps;  // of a CUDA block
static_assert(kRow == 32, "a place of a row per lane");

/// A row in the registers of a warp: every step each lane passes its place to the lane before it.
template <class Real>
struct Shuffled {
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    Coordinate x, y;
    Real sum_x, sum_y;
    __device__ void begin(Coordinate own_x, Coordinate own_y) { x = own_x, y = own_y, sum_x = sum_y = 0; }
    __device__ void read(uint32_t /*step*/) {}
    __device__ void pass(uint32_t /*step*/) {
        const auto from_next = [](auto value) { return __shfl_sync(0xFFFFFFFFu, value, threadIdx.x + 1); };
        x = from_next(x), y = from_next(y), sum_x = from_next(sum_x), sum_y = from_next(sum_y);
    }
    __device__ void end() {}
};

/// The same in shared memory: every step each lane reads the place after its last one.
template <class Real>
struct Shared {
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    struct alignas(16) Slot {
        Coordinate x, y;
        Real sum_x, sum_y;
    };
    Coordinate x, y;
    Real sum_x, sum_y;
    __device__ static Slot& slot(uint32_t step) {
        __shared__ Slot slots[kWarps][kRow];
        return slots[threadIdx.x / 32][(threadIdx.x + step) % 32];
    }
    __device__ void begin(Coordinate own_x, Coordinate own_y) {
        slot(0) = {own_x, own_y, 0, 0};
        __syncwarp();
    }
    __device__ void read(uint32_t step) {
        const Slot now = slot(step);
        x = now.x, y = now.y, sum_x = now.sum_x, sum_y = now.sum_y;
    }
    __device__ void pass(uint32_t step) {
        slot(step).sum_x = sum_x, slot(step).sum_y = sum_y;
        __syncwarp();
    }
    __device__ void end() {
        read(0);
        __syncwarp();
    }
};

/// The first block of a task: a particle of each row per lane, and their sums.
template <class Real>
struct Pairing {
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    Coordinate x[kRows], y[kRows];
    Real sum_x[kRows], sum_y[kRows];

    /// Adds a row of another block. Of either block one has its coordinates negated, so a sum is a difference.
    template <class Tile>
    __device__ void add(const TorusMetric<Real>& metric, Tile& tile) {
#pragma unroll 4
        for (uint32_t step = 0; step < kRow; ++step) {
            tile.read(step);
#pragma unroll
            for (uint32_t n = 0; n < kRows; ++n) {
                const Real dx = metric.template wrap<0>(x[n] + tile.x), dy = metric.template wrap<1>(y[n] + tile.y);
                const Real w = weight(dx, dy);
                add_term(w, dx, dy, sum_x[n], sum_y[n]);
                add_term(w, dx, dy, tile.sum_x, tile.sum_y);
            }
            tile.pass(step);
        }
    }
    /// The same for the block itself, or with absent particles: `place` is the first of this block, which has `count`
    /// particles; `row` is the first of the row, which has `row_count`.
    template <class Tile>
    __device__ void add_checked(const TorusMetric<Real>& metric, Tile& tile, size_t place, uint32_t count, size_t row,
                                uint32_t row_count) {
        const uint32_t lane = threadIdx.x % 32;
#pragma unroll 1
        for (uint32_t step = 0; step < kRow; ++step) {
            tile.read(step);
            const uint32_t k = (lane + step) % 32;
#pragma unroll
            for (uint32_t n = 0; n < kRows; ++n) {
                const bool before = row + k < place + kRow * n + lane;
                const Real dx = difference_of_pair<0>(metric, before, x[n], tile.x),
                           dy = difference_of_pair<1>(metric, before, y[n], tile.y);
                const Real w = k < row_count && kRow * n + lane < count ? weight(dx, dy) : Real(0);
                add_term(w, dx, dy, sum_x[n], sum_y[n]);
                add_term(w, dx, dy, tile.sum_x, tile.sum_y);
            }
            tile.pass(step);
        }
    }
};

/// The warps that add to the sums of a block, in the order of their turns.
struct Turns {
    uint64_t* counter;
    __device__ void await(uint64_t turn) const {
        while (atomic_load(*counter) != turn) {
        }
        __threadfence();
        __syncwarp();
    }
    __device__ void pass(uint64_t turn) const {
        __threadfence();
        __syncwarp();
        if (threadIdx.x % 32 == 0) atomic_store(*counter, turn + 1);
    }
};

/// sum += scale · term, of a sum that other multiprocessors also add to
template <class Real>
__device__ inline void add_scaled(double scale, Real x, Real y, Point& sum) {
    double2* const place = reinterpret_cast<double2*>(&sum);
    double2 total = __ldcg(place);
    total.x = fma(scale, static_cast<double>(x), total.x);
    total.y = fma(scale, static_cast<double>(y), total.y);
    __stcg(place, total);
}

/// Warps take the tasks one by one, diagonal by diagonal, so that every wait is for an earlier task.
/// `sums` (2, parts, places) and `turns` (1 + 2 · parts · blocks: the next task, then the turns) are 0 before.
template <class Real, template <class> class Tile>
__global__ void __launch_bounds__(kThreads, sizeof(Real) == 4 ? 6 : 4)
    sum_all_pairs(Places<Real> places, Point* sums, uint64_t* turns) {
    detail::wait_for_previous();
    const uint32_t blocks = places.blocks, lane = threadIdx.x % 32;
    const uint64_t tasks = uint64_t(blocks) * (blocks + 1) / 2;
    for (;;) {
        uint64_t task = lane == 0 ? atomic_add(turns[0], uint64_t(1)) : 0;
        task = __shfl_sync(0xFFFFFFFFu, task, 0);
        if (task >= tasks) return;
        const auto diagonal = static_cast<uint32_t>(task / blocks);
        const uint32_t first = static_cast<uint32_t>(task - uint64_t(diagonal) * blocks);
        const uint32_t second = places.after(first, diagonal);
        const uint32_t turn = diagonal / places.parts, part = diagonal % places.parts;
        const Run runs[2] = {places.runs[first], places.runs[second]};
        const bool checked = diagonal == 0 || runs[0].count < kBlock || runs[1].count < kBlock;
        const bool before = !checked && second < first;
        const Turns own_turns{turns + 1 + size_t(part) * blocks + first};
        const Turns other_turns{turns + 1 + (size_t(places.parts) + part) * blocks + second};
        Point* const own_sums = sums + (size_t(part) * blocks + first) * kBlock + lane;
        Point* const other_sums = sums + ((size_t(places.parts) + part) * blocks + second) * kBlock + lane;

        Pairing<Real> own;
#pragma unroll
        for (uint32_t n = 0; n < kRows; ++n) {
            const size_t place = size_t(first) * kBlock + kRow * n + lane;
            own.x[n] = before ? -places.x[place] : places.x[place];
            own.y[n] = before ? -places.y[place] : places.y[place];
            own.sum_x[n] = own.sum_y[n] = 0;
        }
        own_turns.await(turn);
        other_turns.await(turn);
        Tile<Real> tile;
#pragma unroll 1
        for (uint32_t row = 0; kRow * row < runs[1].count; ++row) {
            const size_t place = size_t(second) * kBlock + kRow * row;
            const auto x = places.x[place + lane], y = places.y[place + lane];
            if (checked) {
                tile.begin(x, y);
                own.add_checked(places.metric, tile, size_t(first) * kBlock, runs[0].count, place,
                                runs[1].count - kRow * row);
            } else {
                tile.begin(before ? x : -x, before ? y : -y);
                own.add(places.metric, tile);
            }
            tile.end();
            if (diagonal > 0)
                add_scaled(before ? runs[0].alpha : -runs[0].alpha, tile.sum_x, tile.sum_y, other_sums[kRow * row]);
        }
        other_turns.pass(turn);
#pragma unroll
        for (uint32_t n = 0; n < kRows; ++n)
            add_scaled(before ? -runs[1].alpha : runs[1].alpha, own.sum_x[n], own.sum_y[n], own_sums[kRow * n]);
        own_turns.pass(turn);
    }
}

}  // namespace flipscope::all_pairs

#endif
