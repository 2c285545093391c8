// The CUDA side of compact(): two launches, and for more than a few million elements a scan of the tiles between them.
// It also defines what a listing kernel must provide. Only primitives.h includes it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/exclusive_sum.h"
#include "compute/launch.h"

namespace flipscope {

namespace detail {

/// How many places an element with this code occupies: the code itself, unless the kernel packs more into it.
template <class Kernel>
FLIPSCOPE_HD inline uint32_t count_of(uint32_t code) {
    if constexpr (requires { Kernel::count_of(code); })
        return Kernel::count_of(code);
    else
        return code;
}

/// Whether a listing kernel also adds sums.
template <class Kernel>
inline constexpr bool kCodeAddsSums = std::is_invocable_v<decltype(&Kernel::code), const Kernel&, uint32_t, BlockSums&>;

template <class Kernel>
FLIPSCOPE_HD inline uint32_t code_of(const Kernel& kernel, uint32_t i, BlockSums& sums) {
    if constexpr (kCodeAddsSums<Kernel>)
        return kernel.code(i, sums);
    else
        return kernel.code(i);
}

#if defined(__CUDACC__)

inline constexpr uint32_t kCompactThreads = 256, kCompactTile = 4 * kCompactThreads;  // elements of a block
inline constexpr uint32_t kMostTiles =
    4096;  // with more tiles, summing those before each block's own would cost too much

/// Sum over the block; valid in its first thread.
template <class T>
__device__ T sum_of_block(T value) {
    __shared__ T sums[kCompactThreads / 32];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, offset);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < kCompactThreads / 32 ? sums[threadIdx.x] : T(0);
        for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, offset);
    }
    return value;
}

/// First launch of compact(): codes, and the number of places of each tile.
template <class Kernel>
__global__ void write_codes(Kernel kernel, Extent extent, uint8_t* codes, uint32_t* tile_sums, uint64_t* block_sums) {
    wait_for_previous();
    const uint32_t n = extent.resolve(), begin = blockIdx.x * kCompactTile;
    BlockSums sums;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < kCompactTile && begin + k < n; k += kCompactThreads) {
        const uint32_t i = begin + k + threadIdx.x;
        if (i >= n) break;
        const uint32_t code = code_of(kernel, i, sums);
        codes[i] = static_cast<uint8_t>(code);
        sum += count_of<Kernel>(code);
    }
    if constexpr (kCodeAddsSums<Kernel>)
        if (block_sums) add_sums_of_block(block_sums, sums);
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) tile_sums[blockIdx.x] = sum;
}

/// Second launch: a block sums the tiles before its own, unless these sums have been `scanned`, then ranks its own
/// elements, 256 at a time.
template <class Kernel>
__global__ void emit_ranked(Kernel kernel, Extent extent, const uint8_t* codes, const uint32_t* tile_sums, bool scanned,
                            uint32_t* total) {
    wait_for_previous();
    const uint32_t n = extent.resolve(), begin = blockIdx.x * kCompactTile;
    if (begin >= n) {
        if (n == 0 && blockIdx.x == 0 && threadIdx.x == 0) *total = 0;
        return;
    }
    __shared__ uint32_t first, warp_sums[kCompactThreads / 32];
    if (scanned) {
        if (threadIdx.x == 0) first = tile_sums[blockIdx.x];  // seen by all after the first barrier below
    } else {
        uint32_t before = 0;
        for (uint32_t tile = threadIdx.x; tile < blockIdx.x; tile += kCompactThreads) before += tile_sums[tile];
        before = sum_of_block(before);
        if (threadIdx.x == 0) first = before;
    }
    for (uint32_t k = 0; k < kCompactTile && begin + k < n; k += kCompactThreads) {
        const uint32_t i = begin + k + threadIdx.x, lane = threadIdx.x % 32;
        const uint32_t code = i < n ? codes[i] : 0, taken = count_of<Kernel>(code);
        uint32_t rank = taken;  // inclusive, within the warp
        for (uint32_t offset = 1; offset < 32; offset *= 2) {
            const uint32_t other = __shfl_up_sync(0xFFFFFFFFu, rank, offset);
            if (lane >= offset) rank += other;
        }
        if (lane == 31) warp_sums[threadIdx.x / 32] = rank;
        __syncthreads();
        uint32_t round = 0;
        const uint32_t start = first;
        for (uint32_t warp = 0; warp < kCompactThreads / 32; ++warp) {
            if (warp == threadIdx.x / 32) rank += start + round;
            round += warp_sums[warp];
        }
        if (i < n) kernel.emit(i, rank - taken, code);
        if (i + 1 == n) *total = rank;
        __syncthreads();
        if (threadIdx.x == 0) first = start + round;
        __syncthreads();
    }
}

template <class Kernel>
void compact_on_cuda(Context& context, const char* label, Extent extent, const Kernel& kernel, View<uint32_t> total,
                     View<uint64_t> block_sums) {
    const uint32_t n = extent.bound, tiles = (n - 1) / kCompactTile + 1;
    const bool scanned = tiles > kMostTiles;
    const auto round_up = [](size_t bytes) { return (bytes + 255) & ~size_t(255); };
    const size_t after_codes = round_up(n), after_sums = after_codes + round_up(tiles * sizeof(uint32_t));
    char* const place =
        static_cast<char*>(context.scratch(after_sums + (scanned ? exclusive_sum_bytes(tiles) : size_t(0))));
    uint8_t* const codes = reinterpret_cast<uint8_t*>(place);
    uint32_t* const tile_sums = reinterpret_cast<uint32_t*>(place + after_codes);
    Context::Stopwatch stopwatch(context, label, n);
    launch_dependent(context, tiles, kCompactThreads, &write_codes<Kernel>, kernel, extent, codes, tile_sums,
                     block_sums.data);
    if (scanned) exclusive_sum(context, tile_sums, tiles, place + after_sums);
    launch_dependent(context, tiles, kCompactThreads, &emit_ranked<Kernel>, kernel, extent, codes, tile_sums, scanned,
                     total.data);
    stopwatch.check_launch();
}

#endif

}  // namespace detail

}  // namespace flipscope
