// The few atomic operations kernels need, with relaxed order: passes are separated by launches, so order within one
// never carries meaning.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "compute/macros.h"

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

/// Writes `desired` where `expected` stands; returns what stood there.
FLIPSCOPE_HD inline uint64_t atomic_exchange_if(uint64_t& place, uint64_t expected, uint64_t desired) {
#if defined(__CUDA_ARCH__)
    return ::atomicCAS(reinterpret_cast<unsigned long long*>(&place), static_cast<unsigned long long>(expected),
                       static_cast<unsigned long long>(desired));
#else
    std::atomic_ref<uint64_t>(place).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    return expected;
#endif
}

FLIPSCOPE_HD inline uint32_t atomic_exchange_if(uint32_t& place, uint32_t expected, uint32_t desired) {
#if defined(__CUDA_ARCH__)
    return ::atomicCAS(&place, expected, desired);
#else
    std::atomic_ref<uint32_t>(place).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    return expected;
#endif
}

/// Adds to a 32-bit or 64-bit unsigned word; returns what stood there.
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

/// Sets bits of a 32-bit word; returns what stood there.
FLIPSCOPE_HD inline uint32_t atomic_or(uint32_t& place, uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return ::atomicOr(&place, bits);
#else
    return std::atomic_ref<uint32_t>(place).fetch_or(bits, std::memory_order_relaxed);
#endif
}

/// On CUDA the L2 cache is to fetch what will be read a little later.
FLIPSCOPE_HD inline void prefetch_far([[maybe_unused]] const void* place) {
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
#endif
}

/// atomic_add(place, 1): on CUDA threads of a warp that are here together take one atomic.
FLIPSCOPE_HD inline uint32_t atomic_take(uint32_t& place) {
#if defined(__CUDA_ARCH__)
    const uint32_t together = __activemask(), lane = threadIdx.x % 32;
    const auto leader = static_cast<uint32_t>(__ffs(static_cast<int>(together)) - 1);
    const uint32_t first = lane == leader ? ::atomicAdd(&place, static_cast<uint32_t>(__popc(together))) : 0;
    return __shfl_sync(together, first, static_cast<int>(leader)) +
           static_cast<uint32_t>(__popc(together & ((1u << lane) - 1)));
#else
    return atomic_add(place, 1u);
#endif
}

}  // namespace flipscope
