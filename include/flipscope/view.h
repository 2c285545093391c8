// What host code and CUDA kernels share: the mark of a function for both sides, and a view of an array in either
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__)
#define FLIPSCOPE_HD __host__ __device__
#define FLIPSCOPE_HD_NOINLINE __host__ __device__ __noinline__
#else
#define FLIPSCOPE_HD
#define FLIPSCOPE_HD_NOINLINE __attribute__((noinline))
#endif

namespace flipscope {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;  // "no such element", everywhere

/// A non-owning pointer and count, passed to kernels by value. Indices are not checked.
template <class T>
struct View {
    T* data = nullptr;
    size_t count = 0;

    FLIPSCOPE_HD T& operator[](size_t i) const { return data[i]; }
    FLIPSCOPE_HD explicit operator bool() const { return data != nullptr; }
    FLIPSCOPE_HD T* begin() const { return data; }
    FLIPSCOPE_HD T* end() const { return data + count; }
    FLIPSCOPE_HD View first(size_t n) const { return {data, n}; }
    FLIPSCOPE_HD View part(size_t begin, size_t n) const { return {data + begin, n}; }
    /// A writable view converts to a read-only one.
    template <class U>
    requires(std::is_same_v<U, const T> && !std::is_const_v<T>) FLIPSCOPE_HD operator View<U>() const {
        return {data, count};
    }
};

}  // namespace flipscope
