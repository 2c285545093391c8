// Ordered compaction, reduction and sorting: our own kernels (and CUB, in separate sources) on CUDA, oneTBB tasks on
// the CPU, with the same results on both and for every number of threads. Sources that call them end with .cu.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "compute/buffer.h"
#include "compute/compact_cuda.h"
#include "compute/launch.h"

namespace flipscope {

namespace detail {

inline void add_sums(uint64_t* block_sums, const BlockSums& sums) {
    for (int k = 0; block_sums && k < kSumCount; ++k)
        if (sums.value[k]) atomic_add(block_sums[k], sums.value[k]);
}

/// Codes are bytes, unless a kernel, for append_unordered() only, defines a type Code.
template <class Kernel>
struct CodeType {
    using type = uint8_t;
};
template <class Kernel>
requires requires { typename Kernel::Code; }
struct CodeType<Kernel> {
    using type = typename Kernel::Code;
};
template <class Kernel>
using CodeOf = typename CodeType<Kernel>::type;

/// A kernel may compute the codes of a chunk at once. codes() returns the number of places, or kNone to fall back to
/// code().
template <class Kernel>
concept CodesInRuns = requires(const Kernel& kernel, uint32_t i, uint8_t* codes, BlockSums& sums) {
    { kernel.codes(i, i, codes, sums) } -> std::same_as<uint32_t>;
};

/// Whether emit() does nothing for code 0 and can be skipped: a kernel may declare it by leaves_out().
template <class Kernel>
bool leaves_out(const Kernel& kernel) {
    if constexpr (requires { kernel.leaves_out(); })
        return kernel.leaves_out();
    else
        return false;
}

/// On CPU threads a kernel may prefetch the memory of emit(i), by prefetch_emit(i).
template <class Kernel>
void prefetch_emit(const Kernel& kernel, uint32_t i) {
    if constexpr (requires { kernel.prefetch_emit(i); }) kernel.prefetch_emit(i);
}

/// Computes the codes of every chunk, then the ranks; then each chunk is emitted by the thread that has it in its
/// cache.
template <class Kernel>
struct CompactTask {
    const Kernel* all;
    const CancelFlag* flag;
    uint32_t n;
    CodeOf<Kernel>* codes;  // (n)
    uint32_t* ranks;        // (chunks) places of each chunk, and then those before it
    uint64_t* block_sums;   // (kSumCount) or nullptr

    uint32_t end_of(uint32_t chunk) const {
        return static_cast<uint32_t>(std::min<uint64_t>(n, (uint64_t(chunk) + 1) * kChunk));
    }
    void find_codes(uint32_t chunk) const {
        // Copies: bytes may alias anything, and the compiler would read every view again after each code.
        const Kernel kernel = *all;
        const uint32_t begin = chunk * kChunk, end = end_of(chunk);
        CodeOf<Kernel>* const here = codes + begin;
        BlockSums sums;
        uint32_t places = kNone;
        if constexpr (CodesInRuns<Kernel>) places = kernel.codes(begin, end, here, sums);
        if (places == kNone) {
            places = 0;
            for_indices<Kernel>(*flag, begin, end, [&](uint32_t i) {
                prefetch(kernel, i, end);
                const uint32_t code = code_of(kernel, i, sums);
                here[i - begin] = static_cast<CodeOf<Kernel>>(code);
                places += count_of<Kernel>(code);
            });
        }
        ranks[chunk] = places;
        add_sums(block_sums, sums);
    }
    void emit(uint32_t chunk) const {
        const Kernel kernel = *all;
        const uint32_t begin = chunk * kChunk, end = end_of(chunk);
        const CodeOf<Kernel>* const here = codes + begin;
        uint32_t rank = ranks[chunk];
        if (!leaves_out(kernel)) {
            for_indices<Kernel>(*flag, begin, end, [&](uint32_t i) {
                const uint32_t code = here[i - begin];
                kernel.emit(i, rank, code);
                rank += count_of<Kernel>(code);
            });
            return;
        }
        // Finds the elements that have a place first, without a branch that could be mispredicted.
        uint32_t found[kChunk + 1], count = 0;
        for (uint32_t i = begin; i < end; ++i) {
            found[count] = i;
            count += here[i - begin] != 0;
        }
        for_indices<Kernel>(*flag, 0, count, [&](uint32_t k) {
            if (k + 16 < count) prefetch_emit(kernel, found[k + 16]);
            const uint32_t code = here[found[k] - begin];
            kernel.emit(found[k], rank, code);
            rank += count_of<Kernel>(code);
        });
    }
};

/// Exclusive prefix sum over the chunks; returns the total.
inline uint32_t sum_up(uint32_t* counts, uint32_t chunks) {
    uint32_t sum = 0;
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) sum += std::exchange(counts[chunk], sum);
    return sum;
}

template <class Kernel>
void compact_on_threads(Context& context, const char* label, const Extent& extent, const Kernel& kernel,
                        View<uint32_t> total, View<uint64_t> block_sums) {
    const uint32_t n = extent.resolve();
    Context::Stopwatch stopwatch(context, label, n);
    if (n <= kChunk) {  // one pass: every rank is known when it is needed
        uint32_t rank = 0;
        BlockSums sums;
        const bool whole = for_indices<Kernel>(context.cancel_flag(), 0, n, [&](uint32_t i) {
            const uint32_t code = code_of(kernel, i, sums);
            kernel.emit(i, rank, code);
            rank += count_of<Kernel>(code);
        });
        if (!whole) throw Cancelled();
        add_sums(block_sums.data, sums);
        total[0] = rank;
        return;
    }
    const uint32_t chunks = (n + kChunk - 1) / kChunk;
    auto* const ranks = static_cast<uint32_t*>(
        context.scratch(chunks * sizeof(uint32_t) + alignof(uint64_t) + n * sizeof(CodeOf<Kernel>)));
    auto* const codes = reinterpret_cast<CodeOf<Kernel>*>(ranks + (chunks + 1) / 2 * 2);
    const CompactTask<Kernel> task{&kernel, &context.cancel_flag(), n, codes, ranks, block_sums.data};
    context.run_chunks(chunks, [&](uint32_t chunk) { task.find_codes(chunk); });
    total[0] = sum_up(ranks, chunks);
    context.run_chunks(chunks, [&](uint32_t chunk) { task.emit(chunk); });
}

}  // namespace detail

/// Ordered compaction. For every i of `extent`, `kernel.code(i)` (0…255, a pure function) is the number of output
/// places of element i, or encodes it for the static `Kernel::count_of(code)`; 0 means none. Then `kernel.emit(i, rank,
/// code)` is called for every i, also for those without a place; `rank` is the number of places before i. Some elements
/// are emitted while others are still being coded, so emit() must not change anything that code() reads. The total goes
/// to total[0] (device memory). A kernel with code(i, sum) adds to `block_sums`, as in launch().
template <class Kernel>
void compact(Context& context, const char* label, Extent extent, const Kernel& kernel, View<uint32_t> total,
             View<uint64_t> block_sums = {}) {
    if (extent.bound == 0) {
        context.fill(total.data, 0, sizeof(uint32_t));
        return;
    }
#if defined(__CUDACC__)
    if (context.on_cuda()) return detail::compact_on_cuda(context, label, extent, kernel, total, block_sums);
#else
    detail::require_host(context, label);
#endif
    detail::compact_on_threads(context, label, extent, kernel, total, block_sums);
}

namespace detail {
/// Counts the marks of a chunk, then lists the marked indices without a branch that could be mispredicted.
struct MarkedTask {
    uint8_t* marks;
    uint32_t n;
    uint32_t* out;
    uint32_t* ranks;  // as in CompactTask

    uint32_t end_of(uint32_t chunk) const {
        return static_cast<uint32_t>(std::min<uint64_t>(n, (uint64_t(chunk) + 1) * kChunk));
    }
    void count(uint32_t chunk) const {
        const uint32_t end = end_of(chunk);
        uint32_t marked = 0;
        for (uint32_t i = chunk * kChunk; i < end; ++i) marked += marks[i];
        ranks[chunk] = marked;
    }
    void list(uint32_t chunk) const {
        const uint32_t begin = chunk * kChunk, end = end_of(chunk);
        uint32_t found[kChunk + 1], count = 0;
        for (uint32_t i = begin; i < end;) {
            const uint32_t stop = end - i < 8 ? end : i + 8;
            uint64_t some = ~uint64_t(0);  // eight marks at a time, of which mostly none is set
            if (stop - i == 8) std::memcpy(&some, marks + i, 8);
            if (some == 0) {
                i = stop;
                continue;
            }
            for (; i < stop; ++i) {
                found[count] = i;
                count += marks[i];
            }
        }
        if (count > 0) std::memset(marks + begin, 0, end - begin);
        std::copy_n(found, count, out + ranks[chunk]);
    }
};

struct KeepMarked {
    View<uint8_t> marks;
    View<uint32_t> out;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return marks[i]; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        out[rank] = i;
        marks[i] = 0;
    }
};
}  // namespace detail

/// Lists the indices whose mark is 1, in order, and clears all marks (0 or 1 each). `out` must have room for all marked
/// indices. The total goes to total[0] (device memory).
inline void list_marked(Context& context, const char* label, View<uint8_t> marks, View<uint32_t> out,
                        View<uint32_t> total) {
    const uint32_t n = static_cast<uint32_t>(marks.count);
    if (n == 0 || context.on_cuda()) return compact(context, label, n, detail::KeepMarked{marks, out}, total);
    Context::Stopwatch stopwatch(context, label, n);
    const uint32_t chunks = (n + kChunk - 1) / kChunk;
    auto* const ranks = static_cast<uint32_t*>(context.scratch(chunks * sizeof(uint32_t)));
    const detail::MarkedTask task{marks.data, n, out.data, ranks};
    context.run_chunks(chunks, [&](uint32_t chunk) { task.count(chunk); });
    total[0] = detail::sum_up(ranks, chunks);
    context.run_chunks(chunks, [&](uint32_t chunk) { task.list(chunk); });
}

namespace detail {
#if defined(__CUDACC__)
inline constexpr uint32_t kReduceThreads = 256, kMostReduceBlocks = 1024;

/// Reduces each block's share of 0 … n - 1 to partial[block]. No share is empty.
template <class Kernel, class Value>
__global__ void reduce_blocks(Kernel kernel, uint32_t n, Value* partial) {
    wait_for_previous();
    alignas(Value) __shared__ unsigned char storage[kReduceThreads * sizeof(Value)];
    Value* const values = reinterpret_cast<Value*>(storage);
    const uint32_t begin = blockIdx.x * kReduceThreads, self = threadIdx.x;
    const uint32_t taking_part = n - begin < kReduceThreads ? n - begin : kReduceThreads;
    if (self < taking_part) {
        Value value = kernel(begin + self);
        for (uint64_t i = uint64_t(begin) + self + gridDim.x * kReduceThreads; i < n; i += gridDim.x * kReduceThreads)
            value = Kernel::combine(value, kernel(static_cast<uint32_t>(i)));
        new (&values[self]) Value(value);
    }
    for (uint32_t half = kReduceThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (self < half && self + half < taking_part) values[self] = Kernel::combine(values[self], values[self + half]);
    }
    if (self == 0) partial[blockIdx.x] = values[0];
}
#endif
}  // namespace detail

/// Combines kernel(i) over i in [0, n) with the static `Kernel::combine(a, b)`, which must be associative and
/// commutative to the last bit (minima, integer sums; not floating-point sums). Returns `identity` for n = 0. Waits for
/// the result.
template <class Value, class Kernel>
Value reduce(Context& context, const char* label, uint32_t n, const Kernel& kernel, Value identity) {
    if (n == 0) return identity;
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        const uint32_t blocks = std::min((n - 1) / detail::kReduceThreads + 1, detail::kMostReduceBlocks);
        std::vector<Value> partial(blocks, identity);
        Value* const place = static_cast<Value*>(context.scratch(blocks * sizeof(Value)));
        {
            Context::Stopwatch stopwatch(context, label, n);
            detail::launch_dependent(context, blocks, detail::kReduceThreads, &detail::reduce_blocks<Kernel, Value>,
                                     kernel, n, place);
            stopwatch.check_launch();
        }
        context.copy(partial.data(), place, blocks * sizeof(Value));
        for (const Value& value : partial) identity = Kernel::combine(identity, value);
        return identity;
    }
#else
    detail::require_host(context, label);
#endif
    Context::Stopwatch stopwatch(context, label, n);
    const uint32_t chunks = (n + kChunk - 1) / kChunk;
    std::vector<Value> partial(chunks, identity);
    context.run_chunks(chunks, [&](uint32_t chunk) {
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(n, (uint64_t(chunk) + 1) * kChunk));
        Value value = kernel(chunk * kChunk);
        detail::for_indices<Kernel>(context.cancel_flag(), chunk * kChunk + 1, end,
                                    [&](uint32_t i) { value = Kernel::combine(value, kernel(i)); });
        partial[chunk] = value;
    });
    for (const Value& value : partial) identity = Kernel::combine(identity, value);
    return identity;
}

/// Sorts the pairs stably by the lowest `bits` bits of the key. Invalidates views of the buffers; neither buffer may be
/// drawn.
void sort_by_key(Context& context, const char* label, Buffer<uint64_t>& keys, Buffer<uint32_t>& values, int bits);

}  // namespace flipscope
