// append_unordered(): compaction into a list whose order has no meaning. Kept apart from primitives.h because few
// sources need it.
#pragma once

#include "compute/primitives.h"

namespace flipscope {

#if defined(__CUDACC__)

namespace detail {

inline constexpr uint32_t kAppendThreads = 256;

/// Entries that the threads of a warp have listed. One atomic per entry would serialise all threads, so a warp reserves
/// the ranks of many entries at once. Warps do not wait for each other.
template <class Kernel>
struct WarpEntries {
    static constexpr uint32_t kFull = 128;
    uint32_t index[kFull + 31];
    CodeOf<Kernel> code[kFull + 31];
};

/// The kernel is bound by memory latency and needs many threads: four blocks per multiprocessor leave 64 registers per
/// thread, and rare paths spill.
template <class Kernel>
__global__ void __launch_bounds__(kAppendThreads, 4)
    append_by_warps(Kernel kernel, Extent extent, uint32_t* total, uint64_t* block_sums) {
    wait_for_previous();
    constexpr uint32_t kAll = 0xFFFFFFFFu;
    __shared__ WarpEntries<Kernel> held_by_warps[kAppendThreads / 32];
    WarpEntries<Kernel>& held = held_by_warps[threadIdx.x / 32];
    const uint32_t n = extent.resolve(), lane = threadIdx.x % 32, before = (1u << lane) - 1;
    BlockSums sums;
    uint32_t entries = 0;  // the same in all threads of the warp
    const auto flush = [&] {
        __syncwarp();
        uint32_t next = 0;  // rank of the first free place
        for (uint32_t entry = lane; entry < entries; entry += 32) next += count_of<Kernel>(held.code[entry]);
        for (uint32_t offset = 16; offset > 0; offset /= 2) next += __shfl_xor_sync(kAll, next, offset);
        if (lane == 0) next = atomicAdd(total, next);
        next = __shfl_sync(kAll, next, 0);
        for (uint32_t begin = 0; begin < entries; begin += 32) {
            const uint32_t entry = begin + lane, code = entry < entries ? held.code[entry] : 0;
            const uint32_t places = entry < entries ? count_of<Kernel>(code) : 0;
            uint32_t end = places;  // inclusive
            for (uint32_t offset = 1; offset < 32; offset *= 2) {
                const uint32_t other = __shfl_up_sync(kAll, end, offset);
                if (lane >= offset) end += other;
            }
            if (places) kernel.emit(held.index[entry], next + end - places, code);
            next += __shfl_sync(kAll, end, 31);
        }
        __syncwarp();
        entries = 0;
    };
    for (uint64_t begin = blockIdx.x * uint64_t(blockDim.x); begin < n; begin += uint64_t(gridDim.x) * blockDim.x) {
        const uint32_t i = static_cast<uint32_t>(begin) + threadIdx.x;
        const bool exists = threadIdx.x < n - static_cast<uint32_t>(begin);
        const uint32_t code = exists ? code_of(kernel, i, sums) : 0;
        const bool takes = exists && count_of<Kernel>(code) > 0;
        if (exists && !takes) kernel.emit(i, 0, code);
        const uint32_t takers = __ballot_sync(kAll, takes);
        if (takes) {
            const uint32_t entry = entries + static_cast<uint32_t>(__popc(takers & before));
            held.index[entry] = i;
            held.code[entry] = static_cast<CodeOf<Kernel>>(code);
        }
        entries += static_cast<uint32_t>(__popc(takers));
        if (entries >= WarpEntries<Kernel>::kFull) flush();
    }
    if (entries) flush();
    if constexpr (kCodeAddsSums<Kernel>)
        if (block_sums) add_sums_of_block(block_sums, sums);
}

}  // namespace detail

#endif

/// As compact(), but the ranks may be in any order (on CUDA; on CPU threads they are in order): for lists that are
/// sets, and for extents known only to the device, which cost no more than their true size. `total_is_zero`: the caller
/// has cleared it. Codes may be of any size.
template <class Kernel>
void append_unordered(Context& context, const char* label, Extent extent, const Kernel& kernel, View<uint32_t> total,
                      View<uint64_t> block_sums = {}, bool total_is_zero = false) {
    if (!total_is_zero) context.fill(total.data, 0, sizeof(uint32_t));
    if (extent.bound == 0) return;
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        constexpr uint32_t kThreads = detail::kAppendThreads;
        Context::Stopwatch stopwatch(context, label, extent.bound);
        const uint32_t blocks = (extent.bound - 1) / kThreads + 1;
        detail::launch_dependent(context, std::min(blocks, extent.most_threads(detail::kMostThreads) / kThreads),
                                 kThreads, &detail::append_by_warps<Kernel>, kernel, extent, total.data,
                                 block_sums.data);
        stopwatch.check_launch();
        return;
    }
#else
    detail::require_host(context, label);
#endif
    detail::compact_on_threads(context, label, extent, kernel, total, block_sums);
}

}  // namespace flipscope
