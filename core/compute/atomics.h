// The few atomic operations kernels need, with relaxed order: launches separate passes, so the order within a pass has
// no meaning.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "flipscope/view.h"

namespace flipscope {

template <class T>
FLIPSCOPE_HD inline T atomic_load(const T& place) {
#if defined(__CUDA_ARCH__)
    return *const_cast<const volatile T*>(&place);
#else
    return std::atomic_ref<T>(const_cast<T&>(place)).load(std::memory_order_relaxed);
#endif
}

template <class T>
FLIPSCOPE_HD inline void atomic_store(T& place, T value) {
#if defined(__CUDA_ARCH__)
    *const_cast<volatile T*>(&place) = value;
#else
    std::atomic_ref<T>(place).store(value, std::memory_order_relaxed);
#endif
}

FLIPSCOPE_HD inline void atomic_min(uint64_t& place, uint64_t value) {
#if defined(__CUDA_ARCH__)
    // Most claims are higher: a load before the atomic saves most of them.
    if (value < *const_cast<const volatile uint64_t*>(&place))
        ::atomicMin(reinterpret_cast<unsigned long long*>(&place), static_cast<unsigned long long>(value));
#else
    std::atomic_ref<uint64_t> ref(place);
    uint64_t seen = ref.load(std::memory_order_relaxed);
    while (value < seen && !ref.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
#endif
}

/// Compare and exchange of a word of 16, 32 or 64 bits: writes `desired` if it equals `expected`; returns the previous
/// value.
template <class T>
FLIPSCOPE_HD inline T atomic_exchange_if(T& place, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    static_assert(std::is_unsigned_v<T> && sizeof(T) >= 2);
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) == 8)
        return ::atomicCAS(reinterpret_cast<unsigned long long*>(&place), static_cast<unsigned long long>(expected),
                           static_cast<unsigned long long>(desired));
    else
        return ::atomicCAS(&place, expected, desired);
#else
    std::atomic_ref<T>(place).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    return expected;
#endif
}

/// Writes `value` to a 32-bit or 64-bit unsigned word; returns the previous value.
template <class T>
FLIPSCOPE_HD inline T atomic_exchange(T& place, T value) {
    static_assert(std::is_unsigned_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) == 8)
        return ::atomicExch(reinterpret_cast<unsigned long long*>(&place), static_cast<unsigned long long>(value));
    else
        return ::atomicExch(&place, value);
#else
    return std::atomic_ref<T>(place).exchange(value, std::memory_order_relaxed);
#endif
}

/// Adds to a 32-bit or 64-bit unsigned word; returns the previous value.
template <class T>
FLIPSCOPE_HD inline T atomic_add(T& place, T value) {
    static_assert(std::is_unsigned_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) == 8)
        return ::atomicAdd(reinterpret_cast<unsigned long long*>(&place), static_cast<unsigned long long>(value));
    else
        return ::atomicAdd(&place, value);
#else
    return std::atomic_ref<T>(place).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// Sets bits of a 32-bit word; returns the previous value.
FLIPSCOPE_HD inline uint32_t atomic_or(uint32_t& place, uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return ::atomicOr(&place, bits);
#else
    return std::atomic_ref<uint32_t>(place).fetch_or(bits, std::memory_order_relaxed);
#endif
}

/// Stores the maximum; returns the previous value.
FLIPSCOPE_HD inline uint32_t atomic_max(uint32_t& place, uint32_t value) {
#if defined(__CUDA_ARCH__)
    return ::atomicMax(&place, value);
#else
    std::atomic_ref<uint32_t> ref(place);
    uint32_t seen = ref.load(std::memory_order_relaxed);
    while (seen < value && !ref.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
    return seen;
#endif
}

/// atomic_add(place, count) for a count of at most kBits bits. On CUDA the active threads of a warp share one atomic,
/// because atomics on one word are serialised.
template <uint32_t kBits>
FLIPSCOPE_HD inline uint32_t atomic_reserve(uint32_t& place, uint32_t count) {
#if defined(__CUDA_ARCH__)
    const uint32_t together = __activemask(), lane = threadIdx.x % 32, before = (1u << lane) - 1;
    uint32_t rank = 0, all = 0;
    for (uint32_t bit = 0; bit < kBits; ++bit) {
        const uint32_t with = __ballot_sync(together, static_cast<int>(count >> bit & 1));
        rank += static_cast<uint32_t>(__popc(with & before)) << bit;
        all += static_cast<uint32_t>(__popc(with)) << bit;
    }
    const int leader = __ffs(static_cast<int>(together)) - 1;
    const uint32_t first = lane == static_cast<uint32_t>(leader) && all > 0 ? ::atomicAdd(&place, all) : 0;
    return __shfl_sync(together, first, leader) + rank;
#else
    return count > 0 ? atomic_add(place, count) : 0;
#endif
}
/// The same with a count of 1.
FLIPSCOPE_HD inline uint32_t atomic_reserve(uint32_t& place) { return atomic_reserve<1>(place, 1); }

}  // namespace flipscope
