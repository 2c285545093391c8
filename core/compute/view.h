// A pointer and a count, passed to kernels by value. It owns nothing; bounds are the caller's promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compute/macros.h"

namespace flipscope {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;  // "no such element", everywhere

template <class T>
struct View {
    T* data = nullptr;
    size_t count = 0;

    FLIPSCOPE_HD T& operator[](size_t i) const { return data[i]; }
    FLIPSCOPE_HD explicit operator bool() const { return data != nullptr; }
    FLIPSCOPE_HD T* begin() const { return data; }
    FLIPSCOPE_HD T* end() const { return data + count; }
    FLIPSCOPE_HD View first(size_t n) const { return {data, n}; }
    /// A view that may write serves where one that only reads is asked for.
    template <class U>
    requires(std::is_same_v<U, const T> && !std::is_const_v<T>) FLIPSCOPE_HD operator View<U>() const {
        return {data, count};
    }
};

/// values[2i] and values[2i + 1], read at once. `values` begins where 8 bytes do, as buffers do.
struct alignas(8) IndexPair {
    uint32_t first, second;
};
FLIPSCOPE_HD inline IndexPair pair_at(View<const uint32_t> values, size_t i) {
#if defined(__CUDA_ARCH__)
    return reinterpret_cast<const IndexPair*>(values.data)[i];
#else
    return {values[2 * i], values[2 * i + 1]};
#endif
}

/// Index of the first of the ascending values[low … high) that is not below `value`; high: there is none.
template <class Index, class T>
FLIPSCOPE_HD inline Index lower_bound(const T* values, Index low, Index high, T value) {
    while (low < high) {
        const Index middle = low + (high - low) / 2;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace flipscope
