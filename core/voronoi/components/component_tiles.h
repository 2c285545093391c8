// Tiles of a lattice, one per block of threads, and the division of a tile's pixels and runs among threads. Included
// only by components.cu.
#pragma once

#include "voronoi/components/component_blocks.h"
#include "voronoi/components/component_runs.h"

namespace flipscope {

namespace component_kernels {

/// The position of a tile, and its words and nodes, numbered row by row, so that the order of its nodes is that of the
/// pixels.
struct Tile {
    uint32_t x, y;                                     // of its first word, in words and rows
    uint32_t shift, row_words, row_pixels, row_count;  // as in RunRows and Lattice

    FLIPSCOPE_HD Tile(const RunRows& rows, uint32_t index)
        : x((index % rows.tile_columns()) << rows.tile_shift),
          y(index / rows.tile_columns() * rows.tile_height()),
          shift(rows.tile_shift),
          row_words(rows.row_words),
          row_pixels(rows.lattice.width),
          row_count(rows.lattice.height) {}

    FLIPSCOPE_HD uint32_t width() const { return 1u << shift; }
    FLIPSCOPE_HD uint32_t column(uint32_t k) const { return k & (width() - 1); }
    FLIPSCOPE_HD uint32_t row(uint32_t k) const { return k >> shift; }
    FLIPSCOPE_HD bool has(uint32_t k) const { return x + column(k) < row_words && y + row(k) < row_count; }
    FLIPSCOPE_HD uint32_t word(uint32_t k) const { return (y + row(k)) * row_words + x + column(k); }
    FLIPSCOPE_HD uint32_t first_pixel(uint32_t k) const {
        return (y + row(k)) * row_pixels + (x + column(k)) * kWordPixels;
    }
    FLIPSCOPE_HD uint32_t pixel_count(uint32_t k) const {
        const uint32_t left = row_pixels - (x + column(k)) * kWordPixels;
        return left < kWordPixels ? left : kWordPixels;
    }
    /// Converts a node number within the tile to that on the lattice.
    FLIPSCOPE_HD uint32_t global(uint32_t node) const {
        return word(node / kWordNodes) * kWordNodes + node % kWordNodes;
    }
};

/// A thread's share is the runs of a word, or of half a word on CUDA, and the pixels of a word, or four on CUDA, so
/// that neighbouring threads access neighbouring data.
#if defined(__CUDA_ARCH__)
inline constexpr uint32_t kWordShares = 2;
#else
inline constexpr uint32_t kWordShares = 1;
#endif
inline constexpr uint32_t kShares = kTileWords * kWordShares;

/// Calls visit(run) for the runs that begin in a share.
template <class Visit>
FLIPSCOPE_HD inline void each_run(uint32_t bits, uint32_t share, Visit visit) {
    if constexpr (kWordShares > 1) {
        constexpr uint32_t kPixels = kWordPixels / kWordShares;
        const uint32_t mask = static_cast<uint32_t>((uint64_t(1) << kPixels) - 1) << share % kWordShares * kPixels;
        for (uint32_t starts = bits & ~(bits << 1) & mask; starts; starts &= starts - 1) {
            uint32_t rest = bits & ~((starts & (0u - starts)) - 1);
            visit(take_run(rest));
        }
    } else {
        for (uint32_t rest = bits; rest;) visit(take_run(rest));
    }
}

inline constexpr uint32_t kPartPixels = 4, kWordParts = kWordPixels / kPartPixels;

/// Four values in one access, aligned to its size.
template <class T>
struct alignas(kPartPixels * sizeof(T)) Four {
    T value[kPartPixels];
};
template <class T>
FLIPSCOPE_HD inline bool in_fours(const T* data, uint32_t width) {
    return width % kPartPixels == 0 && reinterpret_cast<uintptr_t>(data) % sizeof(Four<T>) == 0;
}

/// The position of an earlier run that a run touches: in the word above, the last of the word before, or at a corner.
enum class Side { kAbove, kBefore, kBeforeAbove, kAfterAbove };

/// The surroundings of a word: the pixels above, and whether the single ones at its ends are selected.
struct Surroundings {
    uint32_t above = 0, before = 0, before_above = 0, after_above = 0;

    /// A diagonal neighbour beside a selected pixel is joined to that pixel, by that pixel's word.
    template <class Visit>
    FLIPSCOPE_HD void each_touched(uint32_t run, Visit visit) const {
        if (run & before) visit(Side::kBefore, 0);
        for (uint32_t touched = above & (run | run << 1 | run >> 1); touched;)
            visit(Side::kAbove, lowest_bit(take_run(touched)));
        if (run & before_above & ~above & ~before) visit(Side::kBeforeAbove, 0);
        if (run >> 31 & after_above & ~(above >> 31)) visit(Side::kAfterAbove, 0);
    }
};

}  // namespace component_kernels

}  // namespace flipscope
