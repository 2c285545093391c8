// Stable radix sort of (64-bit key, 32-bit value) pairs: CUB on CUDA; on CPU threads least significant digit first,
// with a histogram and a scatter per digit, each over fixed blocks, so that the order never depends on the thread
// count.
#include <vector>

#include "compute/primitives.h"

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#endif

namespace flipscope {

namespace {

constexpr int kDigitBits = 11;
constexpr uint32_t kDigits = 1u << kDigitBits;

struct RadixPass {
    const uint64_t* keys;
    const uint32_t* values;
    uint64_t* sorted_keys;
    uint32_t* sorted_values;
    uint32_t n, block;
    int shift;
    uint32_t mask;
    uint32_t* counts;  // (blocks, kDigits): histogram, then first place of each digit

    uint32_t digit(uint32_t i) const { return static_cast<uint32_t>(keys[i] >> shift) & mask; }

    void histogram(uint32_t b) const {
        uint32_t* count = counts + size_t(b) * kDigits;
        std::fill(count, count + kDigits, 0u);
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(n, (uint64_t(b) + 1) * block));
        for (uint32_t i = b * block; i < end; ++i) ++count[digit(i)];
    }
    void scatter(uint32_t b) const {
        uint32_t* place = counts + size_t(b) * kDigits;
        const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(n, (uint64_t(b) + 1) * block));
        for (uint32_t i = b * block; i < end; ++i) {
            const uint32_t to = place[digit(i)]++;
            sorted_keys[to] = keys[i];
            sorted_values[to] = values[i];
        }
    }
};

void sort_on_cpu(Context& context, const char* label, Buffer<uint64_t>& keys, Buffer<uint32_t>& values,
                 Buffer<uint64_t>& other_keys, Buffer<uint32_t>& other_values, int bits) {
    const uint32_t n = static_cast<uint32_t>(keys.size());
    Context::Stopwatch stopwatch(context, label, n);
    const uint32_t block = std::max<uint32_t>(1u << 14, (n + 63) / 64);
    const uint32_t blocks = (n + block - 1) / block;
    std::vector<uint32_t> counts(size_t(blocks) * kDigits);
    RadixPass pass{keys.view().data, values.view().data, other_keys.view().data, other_values.view().data, n, block, 0,
                   kDigits - 1,      counts.data()};
    for (int shift = 0; shift < bits; shift += kDigitBits) {
        pass.shift = shift;
        pass.mask = (1u << std::min(kDigitBits, bits - shift)) - 1;
        context.run_chunks(blocks, [&](uint32_t b) { pass.histogram(b); });
        uint32_t place = 0;
        uint32_t largest = 0;
        for (uint32_t d = 0; d < kDigits; ++d) {
            const uint32_t before = place;
            for (uint32_t b = 0; b < blocks; ++b) place += std::exchange(counts[size_t(b) * kDigits + d], place);
            largest = std::max(largest, place - before);
        }
        if (largest == n) continue;  // all keys share this digit
        context.run_chunks(blocks, [&](uint32_t b) { pass.scatter(b); });
        std::swap(const_cast<uint64_t*&>(pass.keys), pass.sorted_keys);
        std::swap(const_cast<uint32_t*&>(pass.values), pass.sorted_values);
    }
    if (pass.keys == keys.view().data) return;
    keys.swap_memory(other_keys);
    values.swap_memory(other_values);
}

}  // namespace

void sort_by_key(Context& context, const char* label, Buffer<uint64_t>& keys, Buffer<uint32_t>& values, int bits) {
    if (keys.size() < 2) return;
    Buffer<uint64_t> other_keys("sort.keys", keys.residence());
    Buffer<uint32_t> other_values("sort.values", values.residence());
    other_keys.resize(context, keys.size());
    other_values.resize(context, keys.size());
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        const int n = static_cast<int>(keys.size());
        const auto stream = static_cast<cudaStream_t>(context.stream());
        cub::DoubleBuffer<uint64_t> key_buffers(keys.view().data, other_keys.view().data);
        cub::DoubleBuffer<uint32_t> value_buffers(values.view().data, other_values.view().data);
        size_t bytes = 0;
        cub::DeviceRadixSort::SortPairs(nullptr, bytes, key_buffers, value_buffers, n, 0, bits, stream);
        void* place = context.scratch(bytes);
        {
            Context::Stopwatch stopwatch(context, label, keys.size());
            cub::DeviceRadixSort::SortPairs(place, bytes, key_buffers, value_buffers, n, 0, bits, stream);
            stopwatch.check_launch();
        }
        if (key_buffers.Current() != keys.view().data) keys.swap_memory(other_keys);
        if (value_buffers.Current() != values.view().data) values.swap_memory(other_values);
        return;
    }
#endif
    sort_on_cpu(context, label, keys, values, other_keys, other_values, bits);
}

}  // namespace flipscope
