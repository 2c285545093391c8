// The pass after the numbering of components: a block writes the labels of a tile, and adds the tile's part of each
// component to its sums. Included only by components.cu.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "voronoi/components/component_tiles.h"

namespace flipscope {

namespace component_kernels {

/// Index: tile. Writes labels to the pixels and sums to the components: first sums within the tile, then one addition
/// per component in it.
struct LabelAndSum {
    RunRows rows;
    View<const uint32_t> wound;  // empty on an open lattice
    View<uint32_t> windings, counts, labels;
    View<uint64_t> sums, shifts;
    View<const uint32_t> totals;  // of the segments, on CUDA

    struct Shared {
        uint32_t bits[kTileWords], tops[kTileWords];
        uint16_t top_of[kTileNodes];  // by run
        uint32_t labels[kTileNodes];  // by top
        uint32_t heights[kTileNodes],
            x[kTileNodes];  // by top: area and sum of y in one word; sum of x, within the tile
        uint32_t firsts[kSegments + 1], room[kBlockThreads / 32];
    };
    // An area is at most 4096, and a tile at most 128 rows high.
    static constexpr uint32_t kAreaBits = 13, kAreaMask = (1u << kAreaBits) - 1;

    FLIPSCOPE_HD void operator()(uint32_t index, Block block, Shared& shared) const {
        const Tile tile(rows, index);
        for (uint32_t k = block.thread; k < kTileWords; k += block.threads) {
            shared.bits[k] = tile.has(k) ? rows.bits[tile.word(k)] : 0;
            shared.tops[k] = shared.bits[k] ? rows.tops[tile.word(k)] : 0;
            for (uint32_t tops = shared.tops[k]; tops; tops &= tops - 1) {
                const uint32_t node = k * kWordNodes + lowest_bit(tops);
                shared.heights[node] = shared.x[node] = 0;
            }
        }
        find_firsts(index, block, shared);
        block.sync();
        for (uint32_t share = block.thread; share < kShares; share += block.threads) add_runs(tile, share, shared);
        for (uint32_t share = block.thread; share < kShares; share += block.threads) find_labels(tile, share, shared);
        block.sync();
        for (uint32_t share = block.thread; share < kShares; share += block.threads) add_tops(tile, share, shared);
        if (wound)
            for (uint32_t share = block.thread; share < kShares; share += block.threads) mark(tile, share, shared);
        write_labels(tile, block, shared);
    }

    /// Every block computes them itself, since blocks cannot wait for each other; the first one also stores them for
    /// later kernels.
    FLIPSCOPE_HD void find_firsts(uint32_t index, Block block, Shared& shared) const {
#if defined(__CUDA_ARCH__)
        constexpr uint32_t kEach = kSegments / kBlockThreads;
        const uint32_t segments = rows.segments(), begin = block.thread * kEach;
        uint32_t values[kEach], sum = 0, count;
        for (uint32_t j = 0; j < kEach; ++j) {
            values[j] = begin + j < segments ? totals[begin + j] : 0;
            sum += values[j];
        }
        uint32_t first = block.sum_before(sum, count, shared.room);
        for (uint32_t j = 0; j < kEach; ++j) {
            shared.firsts[begin + j] = first;
            if (index == 0 && begin + j < segments) rows.firsts[begin + j] = first;
            first += values[j];
        }
        if (index == 0 && block.thread == 0) {
            counts[0] = count;
            counts[1] = count + 1;
        }
#else
        (void)index, (void)block, (void)shared;
#endif
    }
    FLIPSCOPE_HD uint32_t first_of(uint32_t segment, const Shared& shared) const {
#if defined(__CUDA_ARCH__)
        return shared.firsts[segment];
#else
        (void)shared;
        return rows.firsts[segment];
#endif
    }

    FLIPSCOPE_HD void add_runs(const Tile& tile, uint32_t share, Shared& shared) const {
        const uint32_t k = share / kWordShares, here = shared.bits[k], tops = shared.tops[k];
        if (here == 0) return;
        const uint32_t begin = tile.word(k) * kWordNodes, row = tile.row(k), x = tile.column(k) * kWordPixels;
        each_run(here, share, [&](uint32_t run) {
            const uint32_t first = lowest_bit(run), last = highest_bit(run), area = last - first + 1, slot = first / 2;
            const uint32_t node = k * kWordNodes + slot;
            const uint32_t top = tops >> slot & 1 ? node : RunRows::offset(rows.nodes[begin + slot]);
            shared.top_of[node] = static_cast<uint16_t>(top);
            Block::add(shared.heights[top], area | row * area << kAreaBits);
            Block::add(shared.x[top], x * area + (first + last) * area / 2);
        });
    }
    /// Calls visit(node) for the tops of a share.
    template <class Visit>
    FLIPSCOPE_HD void each_top(uint32_t share, const Shared& shared, Visit visit) const {
        constexpr uint32_t kSlots = kWordNodes / kWordShares;
        const uint32_t k = share / kWordShares, mask = ((1u << kSlots) - 1) << share % kWordShares * kSlots;
        for (uint32_t tops = shared.tops[k] & mask; tops; tops &= tops - 1) visit(k * kWordNodes + lowest_bit(tops));
    }
    FLIPSCOPE_HD void find_labels(const Tile& tile, uint32_t share, Shared& shared) const {
        each_top(share, shared, [&](uint32_t node) {
            const uint32_t root = rows.root_of(tile.global(node)).root;
            shared.labels[node] = first_of(rows.segment(root), shared) + RunRows::offset(rows.nodes[root]);
        });
    }
    FLIPSCOPE_HD void add_tops(const Tile& tile, uint32_t share, Shared& shared) const {
        each_top(share, shared, [&](uint32_t node) {
            const size_t label = shared.labels[node];
            const uint64_t area = shared.heights[node] & kAreaMask, y = shared.heights[node] >> kAreaBits;
            atomic_add(sums[3 * label], area);
            atomic_add(sums[3 * label + 1], shared.x[node] + area * tile.x * kWordPixels);
            atomic_add(sums[3 * label + 2], y + area * tile.y);
            const uint32_t from_root = shifts ? rows.root_of(tile.global(node)).offset : 0;
            if (from_root == 0) return;
            const RunRows::Windows away = rows.windows(from_root);
            atomic_add(shifts[2 * label], static_cast<uint64_t>(away.x) * area);
            atomic_add(shifts[2 * label + 1], static_cast<uint64_t>(away.y) * area);
        });
    }
    FLIPSCOPE_HD void mark(const Tile& tile, uint32_t share, Shared& shared) const {
        const uint32_t k = share / kWordShares, here = shared.bits[k];
        const uint32_t closed = here ? wound[tile.word(k)] : 0;
        if (closed == 0) return;
        each_run(here, share, [&](uint32_t run) {
            const uint32_t node = RunRows::node(k, run), winding = closed >> 2 * (node % kWordNodes) & 3;
            if (winding) atomic_or(windings[shared.labels[shared.top_of[node]]], winding);
        });
    }
    static constexpr uint32_t kManyRuns = 12;  // per word: such runs are short and of similar length
    FLIPSCOPE_HD void write_labels(const Tile& tile, Block block, Shared& shared) const {
#if defined(__CUDA_ARCH__)
        const bool fours = in_fours(labels.data, rows.lattice.width);
        for (uint32_t part = block.thread; part < kTileWords * kWordParts; part += block.threads) {
            const uint32_t k = part / kWordParts, first = part % kWordParts * kPartPixels, here = shared.bits[k];
            if (!tile.has(k) || first >= tile.pixel_count(k)) continue;
            Four<uint32_t> four;
#pragma unroll
            for (uint32_t j = 0; j < kPartPixels; ++j) {
                four.value[j] = kNone;
                if (!(here >> (first + j) & 1)) continue;
                const bool goes_on = j > 0 && here >> (first + j - 1) & 1;
                four.value[j] = goes_on ? four.value[j - 1] : label_at(k, first + j, shared);
            }
            uint32_t* const to = &labels[tile.first_pixel(k) + first];
            if (fours)
                *reinterpret_cast<Four<uint32_t>*>(to) = four;
            else
                for (uint32_t j = 0; j < kPartPixels && first + j < tile.pixel_count(k); ++j) to[j] = four.value[j];
        }
#else
        for (uint32_t k = block.thread; k < kTileWords; k += block.threads) {
            if (!tile.has(k)) continue;
            uint32_t* const to = &labels[tile.first_pixel(k)];
            const uint32_t count = tile.pixel_count(k);
            uint32_t rest = shared.bits[k];
            if (count_bits(rest & ~(rest << 1)) > kManyRuns) {
                for (uint32_t j = 0; j < count; ++j) to[j] = kNone;
                while (rest) {
                    const uint32_t run = take_run(rest), label = shared.labels[shared.top_of[RunRows::node(k, run)]];
                    uint32_t j = lowest_bit(run);
                    do to[j] = label;
                    while (run >> j++ >> 1 & 1);
                }
                continue;
            }
            if (rest == 0) write_run(to, count, 0, kNone, true);
            for (bool first = true; rest; first = false) {
                const uint32_t run = take_run(rest);
                write_run(to, count, run, label_at(k, lowest_bit(run), shared), first);
            }
        }
#endif
    }
    /// Writes a label to the pixels of a run, and kNone to the others if it is the first run. Whole words without a
    /// branch.
    static void write_run(uint32_t* to, uint32_t count, uint32_t run, uint32_t label, bool first) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
        if (count == kWordPixels) {
            const __m128i runs = _mm_set1_epi32(static_cast<int>(run)), value = _mm_set1_epi32(static_cast<int>(label));
            __m128i places = _mm_set_epi32(8, 4, 2, 1);
            for (uint32_t k = 0; k < kWordPixels; k += 4, places = _mm_slli_epi32(places, 4)) {
                __m128i* const four = reinterpret_cast<__m128i*>(to + k);
                const __m128i others = first ? _mm_set1_epi32(-1) : _mm_loadu_si128(four);
                const __m128i here = _mm_cmpeq_epi32(_mm_and_si128(runs, places), places);
                _mm_storeu_si128(four, _mm_or_si128(_mm_and_si128(here, value), _mm_andnot_si128(here, others)));
            }
            return;
        }
#endif
        for (uint32_t j = 0; j < count; ++j) to[j] = run >> j & 1 ? label : first ? kNone : to[j];
    }
    FLIPSCOPE_HD uint32_t label_at(uint32_t k, uint32_t place, const Shared& shared) const {
        return shared.labels[shared.top_of[k * kWordNodes + slot_at(shared.bits[k], place)]];
    }
};

}  // namespace component_kernels

}  // namespace flipscope
