// Ordered compaction, reduction and sorting: CUB on CUDA, chunks of oneTBB tasks on the CPU, the same results on both
// and for every number of threads. Sources that include this header are compiled by nvcc when there is one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "compute/buffer.h"
#include "compute/launch.h"

#if defined(__CUDACC__)
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/cub.cuh>
#include <cuda/atomic>
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

template <class Kernel>
struct TokenTask {
    const Kernel* kernel;
    uint32_t n;
    uint8_t* tokens;
    uint32_t* sums;
    static void run(const void* task, uint32_t chunk) {
        const TokenTask& self = *static_cast<const TokenTask*>(task);
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(self.n, (uint64_t(chunk) + 1) * kChunk));
        uint32_t sum = 0;
        for (uint32_t i = chunk * kChunk; i < end; ++i) {
            const uint32_t token = self.kernel->token(i);
            self.tokens[i] = static_cast<uint8_t>(token);
            sum += places<Kernel>(token);
        }
        self.sums[chunk] = sum;
    }
};

template <class Kernel>
struct EmitTask {
    const Kernel* kernel;
    uint32_t n;
    const uint8_t* tokens;
    const uint32_t* ranks;
    static void run(const void* task, uint32_t chunk) {
        const EmitTask& self = *static_cast<const EmitTask*>(task);
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(self.n, (uint64_t(chunk) + 1) * kChunk));
        uint32_t rank = self.ranks[chunk];
        for (uint32_t i = chunk * kChunk; i < end; ++i) {
            self.kernel->emit(i, rank, self.tokens[i]);
            rank += places<Kernel>(self.tokens[i]);
        }
    }
};

#if defined(__CUDACC__)
template <class Kernel>
struct WriteTokens {
    Kernel kernel;
    Extent extent;
    uint8_t* tokens;
    __host__ __device__ void operator()(uint32_t i) const {
        tokens[i] = i < extent.resolve() ? static_cast<uint8_t>(kernel.token(i)) : 0;
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
#endif

}  // namespace detail

/// Ordered compaction. For every i of `extent`, `kernel.token(i)` (0…255, a pure function) says how many places element
/// i takes in the output: as many as its value, or as the static `Kernel::places(token)` makes of it, and none for 0.
/// Then `kernel.emit(i, rank, token)` is called for every i, those without a place too, where `rank` is the number of
/// places before i. The total goes to total[0] (device memory).
template <class Kernel>
void expand(Context& context, const char* label, Extent extent, const Kernel& kernel, View<uint32_t> total) {
    if (extent.bound == 0) {
        context.fill(total.data, 0, sizeof(uint32_t));
        return;
    }
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        const size_t n = extent.bound;
        const auto stream = static_cast<cudaStream_t>(context.stream());
        const auto round_up = [](size_t bytes) { return (bytes + 255) & ~size_t(255); };
        using Counts = thrust::transform_iterator<detail::PlacesOf<Kernel>, const uint8_t*>;
        size_t scan_bytes = 0;
        cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, Counts(nullptr, {}), static_cast<uint32_t*>(nullptr),
                                      static_cast<int>(n), stream);
        char* place = static_cast<char*>(context.scratch(round_up(n) + round_up(4 * n) + scan_bytes));
        uint8_t* tokens = reinterpret_cast<uint8_t*>(place);
        uint32_t* ranks = reinterpret_cast<uint32_t*>(place + round_up(n));
        launch(context, label, extent.bound, detail::WriteTokens<Kernel>{kernel, extent, tokens});
        {
            Context::Stopwatch stopwatch(context, label, 0);
            cub::DeviceScan::ExclusiveSum(place + round_up(n) + round_up(4 * n), scan_bytes, Counts(tokens, {}), ranks,
                                          static_cast<int>(n), stream);
            stopwatch.check_launch();
        }
        launch(context, label, extent.bound, detail::EmitRanked<Kernel>{kernel, extent, tokens, ranks, total.data});
        return;
    }
#endif
    const uint32_t n = extent.resolve();
    Context::Stopwatch stopwatch(context, label, n);
    if (n <= kChunk) {  // one pass: every rank is known when it is needed
        uint32_t rank = 0;
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t token = kernel.token(i);
            kernel.emit(i, rank, token);
            rank += detail::places<Kernel>(token);
        }
        total[0] = rank;
        return;
    }
    const uint32_t chunks = (n + kChunk - 1) / kChunk;
    auto* sums = static_cast<uint32_t*>(context.scratch(chunks * sizeof(uint32_t) + n));
    auto* tokens = reinterpret_cast<uint8_t*>(sums + chunks);
    const detail::TokenTask<Kernel> token_task{&kernel, n, tokens, sums};
    context.run_chunks(chunks, &detail::TokenTask<Kernel>::run, &token_task);
    uint32_t rank = 0;
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) rank += std::exchange(sums[chunk], rank);
    const detail::EmitTask<Kernel> emit_task{&kernel, n, tokens, sums};
    context.run_chunks(chunks, &detail::EmitTask<Kernel>::run, &emit_task);
    total[0] = rank;
}

namespace detail {
template <class Kernel>
struct Append {
    Kernel kernel;
    View<uint32_t> total;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t token = kernel.token(i);
        kernel.emit(i, reserve(places<Kernel>(token)), token);
    }
    FLIPSCOPE_HD uint32_t reserve(uint32_t taken) const {
#if defined(__CUDA_ARCH__)
        // One atomic a warp: the pass would wait for a word that every thread adds to.
        const cuda::atomic_ref<uint32_t, cuda::thread_scope_device> sum(total[0]);
        return cooperative_groups::exclusive_scan_update(cooperative_groups::coalesced_threads(), sum, taken);
#else
        return atomic_add(total[0], taken);
#endif
    }
};
}  // namespace detail

/// As expand(), but the ranks may be in any order (on CUDA; on CPU threads they are in order): for lists that are sets,
/// and for extents that the host does not know, which cost nothing beyond their true size.
template <class Kernel>
void append(Context& context, const char* label, Extent extent, const Kernel& kernel, View<uint32_t> total) {
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        context.fill(total.data, 0, sizeof(uint32_t));
        launch(context, label, extent, detail::Append<Kernel>{kernel, total});
        return;
    }
#endif
    expand(context, label, extent, kernel, total);
}

namespace detail {
template <class Kernel, class Value>
struct ReduceTask {
    const Kernel* kernel;
    uint32_t n;
    Value* partial;
    static void run(const void* task, uint32_t chunk) {
        const ReduceTask& self = *static_cast<const ReduceTask*>(task);
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(self.n, (uint64_t(chunk) + 1) * kChunk));
        Value value = (*self.kernel)(chunk * kChunk);
        for (uint32_t i = chunk * kChunk + 1; i < end; ++i) value = Kernel::combine(value, (*self.kernel)(i));
        self.partial[chunk] = value;
    }
};
#if defined(__CUDACC__)
template <class Kernel>
struct Combine {
    template <class Value>
    __host__ __device__ Value operator()(const Value& a, const Value& b) const {
        return Kernel::combine(a, b);
    }
};
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
        const auto stream = static_cast<cudaStream_t>(context.stream());
        const auto values = thrust::make_transform_iterator(thrust::counting_iterator<uint32_t>(0), kernel);
        size_t bytes = 0;
        cub::DeviceReduce::Reduce(nullptr, bytes, values, static_cast<Value*>(nullptr), static_cast<int>(n),
                                  detail::Combine<Kernel>{}, identity, stream);
        char* place = static_cast<char*>(context.scratch(256 + bytes));
        {
            Context::Stopwatch stopwatch(context, label, n);
            cub::DeviceReduce::Reduce(place + 256, bytes, values, reinterpret_cast<Value*>(place), static_cast<int>(n),
                                      detail::Combine<Kernel>{}, identity, stream);
            stopwatch.check_launch();
        }
        Value result;
        context.copy(&result, place, sizeof(Value));
        return result;
    }
#endif
    Context::Stopwatch stopwatch(context, label, n);
    const uint32_t chunks = (n + kChunk - 1) / kChunk;
    std::vector<Value> partial(chunks, identity);
    const detail::ReduceTask<Kernel, Value> task{&kernel, n, partial.data()};
    context.run_chunks(chunks, &detail::ReduceTask<Kernel, Value>::run, &task);
    for (const Value& value : partial) identity = Kernel::combine(identity, value);
    return identity;
}

/// Sorts the pairs by key, stably, looking at the lowest `bits` bits only.
void sort_by_key(Context& context, const char* label, Buffer<uint64_t>& keys, Buffer<uint32_t>& values, int bits);

}  // namespace flipscope
