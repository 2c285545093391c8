// The first pass: a block selects the pixels of a tile and joins their runs within it. Included only by components.cu.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "voronoi/components/component_tiles.h"

namespace flipscope {

namespace component_kernels {

/// Index: tile. `bound` is the threshold as the equivalent float; `sign` -1 selects values above.
struct ChooseAndJoin {
    RunRows rows;
    View<uint32_t> bits, wound;  // wound: empty on an open lattice
    View<const float> field;
    View<const uint8_t> obstacles;
    float bound, sign;

    struct Shared {
        uint32_t bits[kTileWords], parents[kTileNodes];
        uint16_t hung[kTileNodes];  // by node: its root, before trees are joined
    };

    FLIPSCOPE_HD void operator()(uint32_t index, Block block, Shared& shared) const {
        const Tile tile(rows, index);
        choose(tile, block, shared);
        block.sync();
#if defined(__CUDA_ARCH__)
        static_assert(kShares == kBlockThreads);
        // Each run first gets the first run it touches as its parent: that needs no synchronisation and leaves little
        // to join.
        hang_below_first(tile, block.thread, shared);
        block.sync();
        each_run(shared.bits[block.thread / kWordShares], block.thread, [&](uint32_t run) {
            const uint32_t node = RunRows::node(block.thread / kWordShares, run);
            shared.hung[node] = static_cast<uint16_t>(root_of(node, shared));
        });
        block.sync();
        join_trees(tile, block.thread, shared);
        block.sync();
        settle(tile, block.thread, shared);
#else
        for (uint32_t k = 0; k < kTileWords; ++k) join_in_order(tile, k, shared);
        for (uint32_t k = 0; k < kTileWords; ++k) settle(tile, k, shared);
#endif
    }

    FLIPSCOPE_HD void choose(const Tile& tile, Block block, Shared& shared) const {
#if defined(__CUDA_ARCH__)
        constexpr uint32_t kRounds = kTileWords * kWordParts / kBlockThreads;
        const uint32_t first = threadIdx.x % kWordParts * kPartPixels;
        uint32_t chosen[kRounds];
        if (in_fours(field.data, rows.lattice.width) && (!obstacles || in_fours(obstacles.data, 4))) {
            // Loads everything before using the first value.
            Four<float> values[kRounds];
            Four<uint8_t> walls[kRounds];
#pragma unroll
            for (uint32_t round = 0; round < kRounds; ++round) {
                const uint32_t k = (round * kBlockThreads + threadIdx.x) / kWordParts;
                chosen[round] = tile.has(k) && first < tile.pixel_count(k);
                if (!chosen[round]) continue;
                const uint32_t pixel = tile.first_pixel(k) + first;
                values[round] = reinterpret_cast<const Four<float>&>(field[pixel]);
                if (obstacles) walls[round] = reinterpret_cast<const Four<uint8_t>&>(obstacles[pixel]);
            }
#pragma unroll
            for (uint32_t round = 0; round < kRounds; ++round) {
                if (!chosen[round]) continue;
                chosen[round] = 0;
#pragma unroll
                for (uint32_t j = 0; j < kPartPixels; ++j) {
                    const bool wall = obstacles && walls[round].value[j] != 0;
                    chosen[round] |= uint32_t(values[round].value[j] * sign < bound && !wall) << j;
                }
            }
        } else {
#pragma unroll
            for (uint32_t round = 0; round < kRounds; ++round) {
                const uint32_t k = (round * kBlockThreads + threadIdx.x) / kWordParts;
                chosen[round] = 0;
                for (uint32_t j = first; tile.has(k) && j < first + kPartPixels && j < tile.pixel_count(k); ++j)
                    chosen[round] |= chooses(tile.first_pixel(k) + j) << (j - first);
            }
        }
#pragma unroll
        for (uint32_t round = 0; round < kRounds; ++round) {
            const uint32_t k = (round * kBlockThreads + threadIdx.x) / kWordParts;
            uint32_t word = chosen[round] << first;
            for (uint32_t other = 1; other < kWordParts; other *= 2) word |= __shfl_xor_sync(0xFFFFFFFFu, word, other);
            if (first != 0) continue;
            shared.bits[k] = word;
            if (tile.has(k)) bits[tile.word(k)] = word;
        }
#else
        for (uint32_t k = block.thread; k < kTileWords; k += block.threads) {
            shared.bits[k] = 0;
            if (!tile.has(k)) continue;
            const uint32_t pixel = tile.first_pixel(k), count = tile.pixel_count(k);
            if (count == kWordPixels)
                shared.bits[k] = choose_word(pixel);
            else
                for (uint32_t j = 0; j < count; ++j) shared.bits[k] |= chooses(pixel + j) << j;
            bits[tile.word(k)] = shared.bits[k];
        }
#endif
    }
    FLIPSCOPE_HD uint32_t chooses(uint32_t pixel) const {
        return field[pixel] * sign < bound && !(obstacles && obstacles[pixel]);
    }
    /// All 32 pixels of a word on the CPU: a mask for four values or sixteen obstacles is one instruction.
    uint32_t choose_word(uint32_t pixel) const {
        uint32_t chosen = 0;
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
        const __m128 signs = _mm_set1_ps(sign), bounds = _mm_set1_ps(bound);
        for (uint32_t k = 0; k < kWordPixels; k += 4) {
            const __m128 below = _mm_cmplt_ps(_mm_mul_ps(_mm_loadu_ps(&field[pixel + k]), signs), bounds);
            chosen |= static_cast<uint32_t>(_mm_movemask_ps(below)) << k;
        }
        for (uint32_t k = 0; obstacles && k < kWordPixels; k += 16) {
            const __m128i walls = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&obstacles[pixel + k]));
            const __m128i free = _mm_cmpeq_epi8(walls, _mm_setzero_si128());
            chosen &= static_cast<uint32_t>(_mm_movemask_epi8(free)) << k | ~(0xFFFFu << k);
        }
#else
        for (uint32_t k = 0; k < kWordPixels; ++k) chosen |= uint32_t(chooses(pixel + k)) << k;
#endif
        return chosen;
    }

    /// Within the tile; JoinTiles handles its borders.
    FLIPSCOPE_HD Surroundings around(const Tile& tile, uint32_t k, const Shared& shared) const {
        Surroundings around;
        const uint32_t width = tile.width(), column = tile.column(k);
        const bool row_above = k >= width;
        if (row_above) around.above = shared.bits[k - width];
        if (column > 0) around.before = shared.bits[k - 1] >> (kWordPixels - 1);
        if (row_above && column > 0) around.before_above = shared.bits[k - width - 1] >> (kWordPixels - 1);
        if (row_above && column + 1 < width) around.after_above = shared.bits[k - width + 1] & 1;
        return around;
    }
    FLIPSCOPE_HD uint32_t touched_node(const Tile& tile, uint32_t k, Side side, uint32_t place,
                                       const Shared& shared) const {
        const uint32_t above = k - tile.width();
        switch (side) {
            case Side::kAbove:
                return above * kWordNodes + slot_at(shared.bits[above], place);
            case Side::kAfterAbove:
                return (above + 1) * kWordNodes;
            default:
                break;
        }
        const uint32_t other = side == Side::kBefore ? k - 1 : above - 1;
        return other * kWordNodes + slot_at(shared.bits[other], kWordPixels - 1);
    }

    FLIPSCOPE_HD void hang_below_first(const Tile& tile, uint32_t share, Shared& shared) const {
        const uint32_t k = share / kWordShares, here = shared.bits[k];
        if (here == 0) return;
        const Surroundings surroundings = around(tile, k, shared);
        each_run(here, share, [&](uint32_t run) {
            const uint32_t node = RunRows::node(k, run);
            uint32_t first = node;
            surroundings.each_touched(run, [&](Side side, uint32_t place) {
                if (first == node) first = touched_node(tile, k, side, place, shared);
            });
            shared.parents[node] = first;
        });
    }
    FLIPSCOPE_HD void join_trees(const Tile& tile, uint32_t share, Shared& shared) const {
        const uint32_t k = share / kWordShares, here = shared.bits[k];
        if (here == 0) return;
        const Surroundings surroundings = around(tile, k, shared);
        each_run(here, share, [&](uint32_t run) {
            const uint32_t root = shared.hung[RunRows::node(k, run)];
            surroundings.each_touched(run, [&](Side side, uint32_t place) {
                const uint32_t other = shared.hung[touched_node(tile, k, side, place, shared)];
                if (other != root) join(root, other, shared);
            });
        });
    }
    /// Both steps above, where words are processed in order.
    FLIPSCOPE_HD void join_in_order(const Tile& tile, uint32_t k, Shared& shared) const {
        const uint32_t here = shared.bits[k];
        if (here == 0) return;
        const Surroundings surroundings = around(tile, k, shared);
        each_run(here, k, [&](uint32_t run) {
            const uint32_t node = RunRows::node(k, run);
            uint32_t root = node;
            shared.parents[node] = node;
            surroundings.each_touched(run, [&](Side side, uint32_t place) {
                const uint32_t touched = touched_node(tile, k, side, place, shared);
                if (shared.parents[touched] == root) return;
                const uint32_t other = find(touched, shared);
                const uint32_t higher = other > root ? other : root;
                root = other < root ? other : root;
                shared.parents[higher] = root;
            });
        });
    }
    FLIPSCOPE_HD void settle(const Tile& tile, uint32_t share, Shared& shared) const {
        const uint32_t k = share / kWordShares, first = tile.has(k) ? tile.word(k) * kWordNodes : 0;
        uint32_t tops = 0;
        each_run(shared.bits[k], share, [&](uint32_t run) {
            const uint32_t node = RunRows::node(k, run);
            const uint32_t root = settled_root(node, shared), global = first + node % kWordNodes;
            rows.nodes[global] = root == node ? RunRows::pack(global, 0) : RunRows::pack(tile.global(root), root);
            if (root == node) tops |= 1u << node % kWordNodes;
        });
#if defined(__CUDA_ARCH__)
        tops |= __shfl_xor_sync(0xFFFFFFFFu, tops, 1);
#endif
        if (share % kWordShares != 0 || !tile.has(k)) return;
        rows.tops[tile.word(k)] = tops;
        if (wound) wound[tile.word(k)] = 0;
    }
    FLIPSCOPE_HD static uint32_t settled_root(uint32_t node, Shared& shared) {
#if defined(__CUDA_ARCH__)
        return root_of(shared.hung[node], shared);
#else
        return shared.parents[node] = shared.parents[shared.parents[node]];  // earlier ones are final
#endif
    }

    /// The union-find of RunRows, without offsets.
    FLIPSCOPE_HD static uint32_t root_of(uint32_t node, const Shared& shared) {
        while (shared.parents[node] != node) node = shared.parents[node];
        return node;
    }
    FLIPSCOPE_HD static uint32_t find(uint32_t node, Shared& shared) {
        for (;;) {
            const uint32_t above = Block::load(shared.parents[node]);
            if (above == node) return node;
            const uint32_t there = Block::load(shared.parents[above]);
            if (there == above) return above;
            Block::lower(shared.parents[node], there);
            node = there;
        }
    }
    FLIPSCOPE_HD static void join(uint32_t a, uint32_t b, Shared& shared) {
        for (;;) {
            a = find(a, shared);
            b = find(b, shared);
            if (a == b) return;
            const uint32_t higher = a > b ? a : b, lower = a > b ? b : a;
            if (Block::exchange_if(shared.parents[higher], higher, lower) == higher) return;
        }
    }
};

}  // namespace component_kernels

}  // namespace flipscope
