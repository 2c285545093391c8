// Ordered compaction, reduction and sorting: kernels of our own (and CUB, in sources of its own) on CUDA, chunks of
// oneTBB tasks on the CPU, the same results on both and for every number of threads. Sources that include this header
// are compiled by nvcc when there is one.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <new>
#include <numeric>
#include <thread>
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

/// The first rank of every chunk, plus one; 0 while it is not known. Lies in the context's scratch memory.
struct Ranks {
    Ranks(Context& context, uint32_t chunk_count, size_t more_bytes = 0) : chunks(chunk_count) {
        ends = static_cast<std::atomic<uint64_t>*>(
            context.scratch((size_t(chunks) + 1) * sizeof(std::atomic<uint64_t>) + more_bytes));
        for (uint32_t chunk = 0; chunk <= chunks; ++chunk) new (&ends[chunk]) std::atomic<uint64_t>(chunk == 0);
    }
    uint32_t total() const { return static_cast<uint32_t>(ends[chunks].load(std::memory_order_relaxed) - 1); }
    void* more() const { return ends + chunks + 1; }

    uint32_t chunks;
    std::atomic<uint64_t>* ends;
    std::atomic<uint32_t> claimed{0};  // chunks that a thread works on
};

inline uint64_t wait_for_rank(const std::atomic<uint64_t>& end) {
    uint64_t first = 0;
    for (uint32_t spins = 0; !(first = end.load(std::memory_order_acquire)); ++spins)
        if (spins > 1000) std::this_thread::yield();
    return first;
}

/// Codes are bytes, but those of kernels that append_unordered() alone runs, and that say so by a type Code.
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

/// A kernel may tell the codes of a chunk at once, as code() does one by one: how many places they take, or kNone for
/// "ask one by one".
template <class Kernel>
concept CodesInRuns = requires(const Kernel& kernel, uint32_t i, uint8_t* codes) {
    { kernel.codes(i, i, codes) } -> std::same_as<uint32_t>;
};

/// One chunk after the other: codes, the chunk's first rank from the chunk before, and then the elements are emitted
/// while what they look at is still in the cache. A free thread takes the next chunk, so the one before is always
/// under way already, and waiting for its ranks ends.
template <class Kernel>
struct CompactTask {
    const Kernel* kernel;
    const CancelFlag* flag;
    uint32_t n;
    CodeOf<Kernel>* codes;           // (n)
    std::atomic<uint64_t>* ends;     // (chunks + 1) Ranks
    std::atomic<uint32_t>* claimed;  //
    uint64_t* block_sums;            // (kSumCount) or nullptr

    static void run(const void* task, uint32_t) {
        const CompactTask& self = *static_cast<const CompactTask*>(task);
        // Copies: bytes may alias anything, and the compiler would read every view again after each code.
        const Kernel kernel = *self.kernel;
        const uint32_t chunk = self.claimed->fetch_add(1, std::memory_order_relaxed), begin = chunk * kChunk;
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(self.n, (uint64_t(chunk) + 1) * kChunk));
        CodeOf<Kernel>* const codes = self.codes + begin;
        uint32_t sum = 0;
        BlockSums sums;
        bool known = false;
        if constexpr (CodesInRuns<Kernel>) {
            sum = kernel.codes(begin, end, codes);
            known = sum != kNone;
            if (!known) sum = 0;
        }
        if (!known)
            for_indices<Kernel>(*self.flag, begin, end, [&](uint32_t i) {
                ask_ahead(kernel, i, end);
                const uint32_t code = code_of(kernel, i, sums);
                codes[i - begin] = static_cast<CodeOf<Kernel>>(code);
                sum += count_of<Kernel>(code);
            });
        add_sums(self.block_sums, sums);
        const uint64_t first = wait_for_rank(self.ends[chunk]);
        self.ends[chunk + 1].store(first + sum, std::memory_order_release);  // cancelled or not: the next one waits
        // Where a chunk before this one was cancelled the ranks are wrong, and the flag is seen set here.
        if (self.flag->is_set()) return;
        uint32_t rank = static_cast<uint32_t>(first - 1);
        for_indices<Kernel>(*self.flag, begin, end, [&](uint32_t i) {
            const uint32_t code = codes[i - begin];
            kernel.emit(i, rank, code);
            rank += count_of<Kernel>(code);
        });
    }
};

}  // namespace detail

/// Ordered compaction. For every i of `extent`, `kernel.code(i)` (0…255, a pure function) says how many places element
/// i takes in the output: as many as its value, or as the static `Kernel::count_of(code)` makes of it, and none for 0.
/// Then `kernel.emit(i, rank, code)` is called for every i, those without a place too, where `rank` is the number of
/// places before i. Some are emitted while others are still asked, so emit() must change nothing that code() reads.
/// The total goes to total[0] (device memory). A kernel with code(i, sum) adds to `block_sums`, as in launch().
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
    const uint32_t n = extent.resolve();
    Context::Stopwatch stopwatch(context, label, n);
    if (n <= kChunk) {  // one pass: every rank is known when it is needed
        uint32_t rank = 0;
        BlockSums sums;
        const bool whole = detail::for_indices<Kernel>(context.cancel_flag(), 0, n, [&](uint32_t i) {
            const uint32_t code = detail::code_of(kernel, i, sums);
            kernel.emit(i, rank, code);
            rank += detail::count_of<Kernel>(code);
        });
        if (!whole) throw Cancelled();
        detail::add_sums(block_sums.data, sums);
        total[0] = rank;
        return;
    }
    const uint32_t chunks = (n + kChunk - 1) / kChunk;
    using Code = detail::CodeOf<Kernel>;
    detail::Ranks ranks(context, chunks, n * sizeof(Code));
    const detail::CompactTask<Kernel> task{
        &kernel,        &context.cancel_flag(), n, static_cast<Code*>(ranks.more()), ranks.ends,
        &ranks.claimed, block_sums.data};
    context.run_chunks(chunks, &detail::CompactTask<Kernel>::run, &task);
    total[0] = ranks.total();
}

namespace detail {
/// Lists the marked indices of a chunk without a branch that could be guessed wrong, then copies them to their place.
struct MarkedTask {
    uint8_t* marks;
    uint32_t n;
    uint32_t* out;
    std::atomic<uint64_t>* ends;  // as in CompactTask
    std::atomic<uint32_t>* claimed;

    static void run(const void* task, uint32_t) {
        const MarkedTask& self = *static_cast<const MarkedTask*>(task);
        const uint32_t chunk = self.claimed->fetch_add(1, std::memory_order_relaxed), begin = chunk * kChunk;
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(self.n, (uint64_t(chunk) + 1) * kChunk));
        uint32_t found[kChunk + 1], count = 0;
        for (uint32_t i = begin; i < end;) {
            const uint32_t stop = end - i < 8 ? end : i + 8;
            uint64_t some = ~uint64_t(0);  // eight marks at a time, of which mostly none is set
            if (stop - i == 8) std::memcpy(&some, self.marks + i, 8);
            if (some == 0) {
                i = stop;
                continue;
            }
            for (; i < stop; ++i) {
                found[count] = i;
                count += self.marks[i];
                self.marks[i] = 0;
            }
        }
        const uint64_t first = wait_for_rank(self.ends[chunk]);
        self.ends[chunk + 1].store(first + count, std::memory_order_release);
        std::copy_n(found, count, self.out + (first - 1));
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

/// Lists the indices whose mark is 1, in order, and clears all marks (0 or 1 each). `out` has room for as many as there
/// can be. The total goes to total[0] (device memory).
inline void list_marked(Context& context, const char* label, View<uint8_t> marks, View<uint32_t> out,
                        View<uint32_t> total) {
    const uint32_t n = static_cast<uint32_t>(marks.count);
    if (n == 0 || context.on_cuda()) return compact(context, label, n, detail::KeepMarked{marks, out}, total);
    Context::Stopwatch stopwatch(context, label, n);
    const uint32_t chunks = (n + kChunk - 1) / kChunk;
    detail::Ranks ranks(context, chunks);
    const detail::MarkedTask task{marks.data, n, out.data, ranks.ends, &ranks.claimed};
    context.run_chunks(chunks, &detail::MarkedTask::run, &task);
    total[0] = ranks.total();
}

namespace detail {
template <class Kernel, class Value>
struct ReduceTask {
    const Kernel* kernel;
    const CancelFlag* flag;
    uint32_t n;
    Value* partial;
    static void run(const void* task, uint32_t chunk) {
        const ReduceTask& self = *static_cast<const ReduceTask*>(task);
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(self.n, (uint64_t(chunk) + 1) * kChunk));
        Value value = (*self.kernel)(chunk * kChunk);
        for_indices<Kernel>(*self.flag, chunk * kChunk + 1, end,
                            [&](uint32_t i) { value = Kernel::combine(value, (*self.kernel)(i)); });
        self.partial[chunk] = value;
    }
};
#if defined(__CUDACC__)
inline constexpr uint32_t kReduceThreads = 256, kMostReduceBlocks = 1024;

/// What each block's share of 0 … n - 1 comes to: partial[block]. Every block has a share.
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
    const detail::ReduceTask<Kernel, Value> task{&kernel, &context.cancel_flag(), n, partial.data()};
    context.run_chunks(chunks, &detail::ReduceTask<Kernel, Value>::run, &task);
    for (const Value& value : partial) identity = Kernel::combine(identity, value);
    return identity;
}

/// Sorts the pairs by key, stably, looking at the lowest `bits` bits only. Views of the buffers are not valid any more;
/// neither may be drawn.
void sort_by_key(Context& context, const char* label, Buffer<uint64_t>& keys, Buffer<uint32_t>& values, int bits);

}  // namespace flipscope
