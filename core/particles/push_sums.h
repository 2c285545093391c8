// The sum of the pushes of each particle, in integers so that the order of threads does not matter, with the number of
// pushes packed into the same word, because atomics add one word at a time.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "compute/atomics.h"
#include "compute/launch.h"
#include "geometry/torus_box.h"

namespace flipscope {

struct PushSums {
    static constexpr int kBits = 52;  // of x

    View<uint64_t> words;  // (n, 2) x and 2^kBits for every pair; y. Two's complement, units
    double unit = 1;       // world units, a multiple of the grid
    double per_unit = 1;

    /// Small enough that x cannot overflow with pushes of at most `longest` by all `count` particles: some 2^-30
    /// diameters for a million.
    static double unit_for(double longest, uint32_t count, const TorusBox& box) {
        const double most = std::exp2(std::floor(std::log2(longest)) + 1 + std::bit_width(count));
        return std::fmax(most * std::exp2(1 - kBits), box.grid);
    }

    /// Adds the push of one pair.
    FLIPSCOPE_HD void add(uint32_t i, int64_t x, int64_t y) const {
        atomic_add(words[2 * size_t(i)], (uint64_t(1) << kBits) + static_cast<uint64_t>(x));
        atomic_add(words[2 * size_t(i) + 1], static_cast<uint64_t>(y));
    }
    /// Removes the push of one pair.
    FLIPSCOPE_HD void take_back(uint32_t i, int64_t x, int64_t y) const {
        atomic_add(words[2 * size_t(i)], 0 - ((uint64_t(1) << kBits) + static_cast<uint64_t>(x)));
        atomic_add(words[2 * size_t(i) + 1], 0 - static_cast<uint64_t>(y));
    }
    struct Sum {
        bool any = false;      // pair; misses exactly 4096 pairs whose pushes cancel out, which is harmless
        int64_t x = 0, y = 0;  // units
    };
    /// Reads and clears the sum.
    FLIPSCOPE_HD Sum take(uint32_t i) const {
        const uint64_t first = words[2 * size_t(i)];
        if (first == 0) return {};
        const uint64_t second = words[2 * size_t(i) + 1];
        words[2 * size_t(i)] = words[2 * size_t(i) + 1] = 0;
        return sum_of(first, second);
    }
    /// The same for concurrent calls for one particle: only one caller gets the sum.
    FLIPSCOPE_HD Sum take_once(uint32_t i) const {
        const uint64_t second = atomic_load(words[2 * size_t(i) + 1]);
        const uint64_t first = atomic_exchange(words[2 * size_t(i)], uint64_t(0));
        if (first == 0) return {};
        atomic_store(words[2 * size_t(i) + 1], uint64_t(0));
        return sum_of(first, second);
    }
    FLIPSCOPE_HD static Sum sum_of(uint64_t first, uint64_t second) {
        return {true, static_cast<int64_t>(first << (64 - kBits)) >> (64 - kBits), static_cast<int64_t>(second)};
    }
};

}  // namespace flipscope
