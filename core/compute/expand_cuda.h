// The CUDA side of expand() in primitives.h, which alone includes it: two launches where there are up to a few million
// elements, and CUB's scan between them beyond. Here, too, is what a listing kernel has to have.
#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/launch.h"

#if defined(__CUDACC__)
#include <thrust/iterator/transform_iterator.h>

#include <cub/cub.cuh>
#endif

namespace flipscope {

namespace detail {

/// Places that an element with this token takes: the token itself, unless the kernel packs more into it.
template <class Kernel>
FLIPSCOPE_HD inline uint32_t places(uint32_t token) {
    if constexpr (requires { Kernel::places(token); })
        return Kernel::places(token);
    else
        return token;
}

/// Whether a listing kernel also counts as it goes.
template <class Kernel>
inline constexpr bool kListTallies = std::is_invocable_v<decltype(&Kernel::token), const Kernel&, uint32_t, Tally&>;

template <class Kernel>
FLIPSCOPE_HD inline uint32_t token_of(const Kernel& kernel, uint32_t i, Tally& tally) {
    if constexpr (kListTallies<Kernel>)
        return kernel.token(i, tally);
    else
        return kernel.token(i);
}

#if defined(__CUDACC__)

inline constexpr uint32_t kExpandThreads = 256, kExpandTile = 4 * kExpandThreads;  // elements of a block
inline constexpr uint32_t kMostTiles = 4096;  // beyond, adding up the tiles before one's own would be dear

/// Sums over the block, for its first thread.
template <class T>
__device__ T sum_of_block(T value) {
    __shared__ T sums[kExpandThreads / 32];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, offset);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < kExpandThreads / 32 ? sums[threadIdx.x] : T(0);
        for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, offset);
    }
    return value;
}

/// First half of expand(): tokens, and how many places each tile takes.
template <class Kernel>
__global__ void write_tokens(Kernel kernel, Extent extent, uint8_t* tokens, uint32_t* tile_sums, uint64_t* tallies) {
    wait_for_previous();
    const uint32_t n = extent.resolve(), begin = blockIdx.x * kExpandTile;
    Tally tally;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < kExpandTile && begin + k < n; k += kExpandThreads) {
        const uint32_t i = begin + k + threadIdx.x;
        if (i >= n) break;
        const uint32_t token = token_of(kernel, i, tally);
        tokens[i] = static_cast<uint8_t>(token);
        sum += places<Kernel>(token);
    }
    if constexpr (kListTallies<Kernel>) {
        for (int k = 0; tallies && k < kTallyWidth; ++k) {
            unsigned long long part = tally.value[k];
            for (int offset = 16; offset > 0; offset /= 2) part += __shfl_down_sync(0xFFFFFFFFu, part, offset);
            if (threadIdx.x % 32 == 0 && part) atomicAdd(reinterpret_cast<unsigned long long*>(&tallies[k]), part);
        }
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) tile_sums[blockIdx.x] = sum;
}

/// Second half: a block adds up what the tiles before its own take, then ranks its own elements 256 at a time.
template <class Kernel>
__global__ void emit_ranked(Kernel kernel, Extent extent, const uint8_t* tokens, const uint32_t* tile_sums,
                            uint32_t* total) {
    wait_for_previous();
    const uint32_t n = extent.resolve(), begin = blockIdx.x * kExpandTile;
    if (begin >= n) {
        if (n == 0 && blockIdx.x == 0 && threadIdx.x == 0) *total = 0;
        return;
    }
    __shared__ uint32_t first, warp_sums[kExpandThreads / 32];
    uint32_t before = 0;
    for (uint32_t tile = threadIdx.x; tile < blockIdx.x; tile += kExpandThreads) before += tile_sums[tile];
    before = sum_of_block(before);
    if (threadIdx.x == 0) first = before;
    for (uint32_t k = 0; k < kExpandTile && begin + k < n; k += kExpandThreads) {
        const uint32_t i = begin + k + threadIdx.x, lane = threadIdx.x % 32;
        const uint32_t token = i < n ? tokens[i] : 0, taken = places<Kernel>(token);
        uint32_t rank = taken;  // up to and with this one, within the warp
        for (uint32_t offset = 1; offset < 32; offset *= 2) {
            const uint32_t other = __shfl_up_sync(0xFFFFFFFFu, rank, offset);
            if (lane >= offset) rank += other;
        }
        if (lane == 31) warp_sums[threadIdx.x / 32] = rank;
        __syncthreads();
        uint32_t round = 0;
        const uint32_t start = first;
        for (uint32_t warp = 0; warp < kExpandThreads / 32; ++warp) {
            if (warp == threadIdx.x / 32) rank += start + round;
            round += warp_sums[warp];
        }
        if (i < n) kernel.emit(i, rank - taken, token);
        if (i + 1 == n) *total = rank;
        __syncthreads();
        if (threadIdx.x == 0) first = start + round;
        __syncthreads();
    }
}

/// The same for very many elements, with CUB's scan between.
template <class Kernel>
struct WriteTokens {
    Kernel kernel;
    Extent extent;
    uint8_t* tokens;
    __host__ __device__ void operator()(uint32_t i, Tally& tally) const {
        tokens[i] = i < extent.resolve() ? static_cast<uint8_t>(token_of(kernel, i, tally)) : 0;
    }
};
template <class Kernel>
struct PlacesOf {
    __host__ __device__ uint32_t operator()(uint8_t token) const { return places<Kernel>(token); }
};
template <class Kernel>
struct EmitRanked {
    Kernel kernel;
    Extent extent;
    const uint8_t* tokens;
    const uint32_t* ranks;
    uint32_t* total;
    __host__ __device__ void operator()(uint32_t i) const {
        if (i < extent.resolve()) kernel.emit(i, ranks[i], tokens[i]);
        if (i + 1 == extent.bound) *total = ranks[i] + places<Kernel>(tokens[i]);
    }
};

template <class Kernel>
void expand_on_cuda(Context& context, const char* label, Extent extent, const Kernel& kernel, View<uint32_t> total,
                    View<uint64_t> tallies) {
    const size_t n = extent.bound;
    const auto stream = static_cast<cudaStream_t>(context.stream());
    const auto round_up = [](size_t bytes) { return (bytes + 255) & ~size_t(255); };
    const uint32_t tiles = static_cast<uint32_t>((n + kExpandTile - 1) / kExpandTile);
    if (tiles <= kMostTiles) {
        char* place = static_cast<char*>(context.scratch(round_up(n) + tiles * sizeof(uint32_t)));
        uint8_t* const tokens = reinterpret_cast<uint8_t*>(place);
        uint32_t* const tile_sums = reinterpret_cast<uint32_t*>(place + round_up(n));
        Context::Stopwatch stopwatch(context, label, n);
        launch_next(context, tiles, kExpandThreads, &write_tokens<Kernel>, kernel, extent, tokens, tile_sums,
                    tallies.data);
        launch_next(context, tiles, kExpandThreads, &emit_ranked<Kernel>, kernel, extent, tokens, tile_sums,
                    total.data);
        stopwatch.check_launch();
        return;
    }
    using Counts = thrust::transform_iterator<PlacesOf<Kernel>, const uint8_t*>;
    size_t scan_bytes = 0;
    cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, Counts(nullptr, {}), static_cast<uint32_t*>(nullptr),
                                  static_cast<int>(n), stream);
    char* place = static_cast<char*>(context.scratch(round_up(n) + round_up(4 * n) + scan_bytes));
    uint8_t* tokens = reinterpret_cast<uint8_t*>(place);
    uint32_t* ranks = reinterpret_cast<uint32_t*>(place + round_up(n));
    launch(context, label, extent.bound, WriteTokens<Kernel>{kernel, extent, tokens}, tallies);
    {
        Context::Stopwatch stopwatch(context, label, 0);
        cub::DeviceScan::ExclusiveSum(place + round_up(n) + round_up(4 * n), scan_bytes, Counts(tokens, {}), ranks,
                                      static_cast<int>(n), stream);
        stopwatch.check_launch();
    }
    launch(context, label, extent.bound, EmitRanked<Kernel>{kernel, extent, tokens, ranks, total.data});
}

#endif

}  // namespace detail

}  // namespace flipscope
