// launch_gathered(): a kernel in stages that fewer and fewer indices reach, and that writes two lists.
#pragma once

#include "compute/launch.h"

namespace flipscope {

inline constexpr uint32_t kGatheredLists = 2;

namespace detail {

/// All stages of an index, on a CPU thread.
template <class Kernel>
struct StepByStep {
    Kernel kernel;
    View<uint32_t> totals[kGatheredLists];
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        typename Kernel::Kept kept;
        const uint32_t code = kernel.first(i, kept, sums);
        const uint32_t found = code ? kernel.then(i, code, kept, sums) : 0;
        if (!found) return;
        uint32_t ranks[kGatheredLists];
        for (uint32_t list = 0; list < kGatheredLists; ++list) {
            const uint32_t places = kernel.count_of(found, list);
            ranks[list] = places ? atomic_add(totals[list][0], places) : 0;
        }
        kernel.emit(i, found, ranks);
    }
};

#if defined(__CUDACC__)

inline constexpr uint32_t kGatherThreads = 256, kGatherWarps = kGatherThreads / 32;

/// The place of this thread's entry in a list of the warp that has `count` entries. All threads of the warp must call
/// it.
__device__ inline uint32_t place_in_warp(bool takes, uint32_t& count) {
    const uint32_t takers = __ballot_sync(0xFFFFFFFFu, takes);
    const uint32_t place = count + static_cast<uint32_t>(__popc(takers & ((1u << threadIdx.x % 32) - 1)));
    count += static_cast<uint32_t>(__popc(takers));
    return place;
}

/// If only a few threads of a warp went on to the next stage, the others would idle. So a warp queues indices until it
/// has one for each thread, and queues results until one atomic reserves room for many.
template <class Kernel>
__global__ void __launch_bounds__(kGatherThreads, Kernel::kBlocks)
    gather_by_warps(Kernel kernel, Extent extent, View<uint32_t> first_total, View<uint32_t> second_total,
                    uint64_t* block_sums) {
    wait_for_previous();
    constexpr uint32_t kAll = 0xFFFFFFFFu, kFull = 160;
    struct Going {
        uint32_t index[63], code[63];
        typename Kernel::Kept kept[63];
    };
    struct Found {
        uint32_t index[kFull + 31], code[kFull + 31];
    };
    alignas(Going) __shared__ unsigned char going_of_warps[kGatherWarps * sizeof(Going)];
    __shared__ Found found_by_warps[kGatherWarps];
    __shared__ uint32_t first_ranks[kGatheredLists][kGatherWarps];
    const uint32_t n = extent.resolve(), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    Going& going = *reinterpret_cast<Going*>(going_of_warps + warp * sizeof(Going));
    Found& found = found_by_warps[warp];
    BlockSums sums;
    uint32_t going_count = 0, found_count = 0;  // the same in all threads of the warp
    const auto places = [&](uint32_t list) {    // of the warp's entries
        uint32_t sum = 0;
        for (uint32_t entry = lane; entry < found_count; entry += 32) sum += kernel.count_of(found.code[entry], list);
        for (uint32_t offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(kAll, sum, offset);
        return sum;
    };
    const auto emit = [&](uint32_t(&next)[kGatheredLists]) {
        for (uint32_t begin = 0; begin < found_count; begin += 32) {
            const uint32_t entry = begin + lane, code = entry < found_count ? found.code[entry] : 0;
            uint32_t ranks[kGatheredLists];
            for (uint32_t list = 0; list < kGatheredLists; ++list) {
                const uint32_t own = code ? kernel.count_of(code, list) : 0;
                uint32_t end = own;  // up to and with this one
                for (uint32_t offset = 1; offset < 32; offset *= 2) {
                    const uint32_t other = __shfl_up_sync(kAll, end, offset);
                    if (lane >= offset) end += other;
                }
                ranks[list] = next[list] + end - own;
                next[list] += __shfl_sync(kAll, end, 31);
            }
            if (code) kernel.emit(found.index[entry], code, ranks);
        }
        found_count = 0;
        __syncwarp();
    };
    const auto go_on = [&](uint32_t count) {  // with the last `count` queued indices
        going_count -= count;
        const uint32_t entry = going_count + lane, i = lane < count ? going.index[entry] : 0;
        const uint32_t code = lane < count ? kernel.then(i, going.code[entry], going.kept[entry], sums) : 0;
        const uint32_t place = place_in_warp(code != 0, found_count);
        if (code) found.index[place] = i, found.code[place] = code;
        __syncwarp();
        if (found_count < kFull) return;
        uint32_t next[kGatheredLists];
        for (uint32_t list = 0; list < kGatheredLists; ++list) {
            const uint32_t taken = places(list);
            if (lane == 0) next[list] = atomicAdd((list ? second_total : first_total).data, taken);
            next[list] = __shfl_sync(kAll, next[list], 0);
        }
        emit(next);
    };
    for (uint64_t begin = blockIdx.x * uint64_t(blockDim.x); begin < n; begin += uint64_t(gridDim.x) * blockDim.x) {
        const uint32_t i = static_cast<uint32_t>(begin) + threadIdx.x;
        typename Kernel::Kept kept;
        const uint32_t code = threadIdx.x < n - static_cast<uint32_t>(begin) ? kernel.first(i, kept, sums) : 0;
        const uint32_t place = place_in_warp(code != 0, going_count);
        if (code) going.index[place] = i, going.code[place] = code, going.kept[place] = kept;
        __syncwarp();
        if (going_count >= 32) go_on(32);
    }
    if (going_count) go_on(going_count);
    // The block reserves the remaining ranks together, because all blocks contend for the same two words.
    for (uint32_t list = 0; list < kGatheredLists; ++list) {
        const uint32_t taken = places(list);
        if (lane == 0) first_ranks[list][warp] = taken;
    }
    __syncthreads();
    if (threadIdx.x < kGatheredLists) {
        uint32_t* const ranks = first_ranks[threadIdx.x];
        uint32_t sum = 0;
        for (uint32_t k = 0; k < kGatherWarps; ++k) sum += ranks[k];
        uint32_t next = sum ? atomicAdd((threadIdx.x ? second_total : first_total).data, sum) : 0;
        for (uint32_t k = 0; k < kGatherWarps; ++k) {
            const uint32_t taken = ranks[k];
            ranks[k] = next;
            next += taken;
        }
    }
    __syncthreads();
    uint32_t next[kGatheredLists] = {first_ranks[0][warp], first_ranks[1][warp]};
    emit(next);
    if (block_sums) add_sums_of_block(block_sums, sums);
}

#endif

}  // namespace detail

/// Runs `kernel.first(i, kept, sums)` for every i of `extent`. If it returns a nonzero code, runs `kernel.then(i, code,
/// kept, sums)` with the `Kernel::Kept` that first() filled. If that returns a nonzero `found`, runs `kernel.emit(i,
/// found, ranks)`, which may append count_of(found, list) elements to the lists 0 and 1, from ranks[list] on. Different
/// indices may be at different stages at the same time. Ranks come in any order; the totals are added to.
/// `Kernel::kBlocks`: how many blocks of 256 threads should fit into a multiprocessor. Sums and errors as for launch().
template <class Kernel>
void launch_gathered(Context& context, const char* label, Extent extent, const Kernel& kernel,
                     View<uint32_t> first_total, View<uint32_t> second_total, View<uint64_t> block_sums) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "kernels travel by value");
    if (extent.bound == 0) return;
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        Context::Stopwatch stopwatch(context, label, extent.bound);
        const uint32_t blocks = (extent.bound - 1) / detail::kGatherThreads + 1;
        const uint32_t limit = extent.most_threads(detail::kMostThreads / 8 * Kernel::kBlocks) / detail::kGatherThreads;
        detail::launch_dependent(context, std::min(blocks, limit), detail::kGatherThreads,
                                 &detail::gather_by_warps<Kernel>, kernel, extent, first_total, second_total,
                                 block_sums.data);
        stopwatch.check_launch();
        return;
    }
#else
    detail::require_host(context, label);
#endif
    const detail::StepByStep<Kernel> steps{kernel, {first_total, second_total}};
    detail::launch_on_threads(context, label, extent.resolve(), steps, block_sums);
}

}  // namespace flipscope
