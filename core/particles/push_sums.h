// What the pushes of one particle by all that overlap it add up to: in whole numbers, so that no order of threads
// shows, and how many there were along with them, since the memory adds one word at a time.
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

    /// So small that x has room for pushes of at most `longest` by all of `count` particles: some 2^-30 diameters for a
    /// million.
    static double unit_for(double longest, uint32_t count, const TorusBox& box) {
        const double most = std::exp2(std::floor(std::log2(longest)) + 1 + std::bit_width(count));
        return std::fmax(most * std::exp2(1 - kBits), box.grid);
    }

    /// One pair more, or with `times` -1 one less.
    FLIPSCOPE_HD void add(uint32_t i, int64_t x, int64_t y, int times) const {
        atomic_add(words[2 * size_t(i)], with_pairs(x, times));
        atomic_add(words[2 * size_t(i) + 1], static_cast<uint64_t>(y));
    }
    /// One more. Returns whether it is the first.
    FLIPSCOPE_HD bool add_and_tell(uint32_t i, int64_t x, int64_t y) const {
        atomic_add(words[2 * size_t(i) + 1], static_cast<uint64_t>(y));
        return atomic_add(words[2 * size_t(i)], with_pairs(x, 1)) == 0;
    }
    struct Sum {
        bool any = false;      // pair; not told of 4096 whose pushes cancel each other out, which changes nothing
        int64_t x = 0, y = 0;  // units
    };
    /// And 0 from now on.
    FLIPSCOPE_HD Sum take(uint32_t i) const {
        const uint64_t first = words[2 * size_t(i)], y = words[2 * size_t(i) + 1];
        if (first == 0 && y == 0) return {};
        words[2 * size_t(i)] = words[2 * size_t(i) + 1] = 0;
        return {true, static_cast<int64_t>(first << (64 - kBits)) >> (64 - kBits), static_cast<int64_t>(y)};
    }

    FLIPSCOPE_HD static uint64_t with_pairs(int64_t x, int64_t pairs) {
        return (static_cast<uint64_t>(pairs) << kBits) + static_cast<uint64_t>(x);
    }
};

}  // namespace flipscope
