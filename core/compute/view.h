// A non-owning pointer and count, passed to kernels by value. Indices are not checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "flipscope/view.h"

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
    /// A writable view converts to a read-only one.
    template <class U>
    requires(std::is_same_v<U, const T> && !std::is_const_v<T>) FLIPSCOPE_HD operator View<U>() const {
        return {data, count};
    }
};

/// values[2i] and values[2i + 1] in one load. `values` must be aligned to 8 bytes, as buffers are.
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

/// Lower bound: the first index in [low, high) of the ascending `values` whose value is not below `value`, or high.
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
