// The passes in which a block of threads works on a tile of the lattice: choosing sites and joining their runs within
// the tile, and, when components are numbered, writing labels and adding up what the tile has of each. For
// components.cpp alone.
#pragma once

#include "geometry/point.h"
#include "voronoi/component_blocks.h"
#include "voronoi/component_runs.h"

namespace flipscope {

namespace component_kernels {

/// Where a tile lies, and its words and nodes: numbered row by row, so that the order of its nodes is that of the sites
/// here as everywhere.
struct Tile {
    const RunRows& rows;
    uint32_t x, y;           // of its first word: words, rows
    uint32_t width, height;  // what the lattice has of it: words, rows

    FLIPSCOPE_HD Tile(const RunRows& all, uint32_t index)
        : rows(all),
          x((index % rows.tile_columns()) << rows.tile_shift),
          y(index / rows.tile_columns() * rows.tile_height()),
          width(at_most(rows.tile_width(), rows.row_words - x)),
          height(at_most(rows.tile_height(), rows.lattice.height - y)) {}
    FLIPSCOPE_HD static uint32_t at_most(uint32_t a, uint32_t b) { return a < b ? a : b; }

    FLIPSCOPE_HD uint32_t column(uint32_t k) const { return k & (rows.tile_width() - 1); }
    FLIPSCOPE_HD uint32_t row(uint32_t k) const { return k >> rows.tile_shift; }
    FLIPSCOPE_HD bool has(uint32_t k) const { return column(k) < width && row(k) < height; }
    FLIPSCOPE_HD uint32_t word(uint32_t k) const { return (y + row(k)) * rows.row_words + x + column(k); }
    FLIPSCOPE_HD uint32_t first_site(uint32_t k) const {
        return rows.lattice.site((x + column(k)) * kWordSites, y + row(k));
    }
    FLIPSCOPE_HD uint32_t site_count(uint32_t k) const {
        return at_most(kWordSites, rows.lattice.width - (x + column(k)) * kWordSites);
    }
    /// From the number of a node within the tile to that on the lattice.
    FLIPSCOPE_HD uint32_t global(uint32_t node) const {
        return word(node / kWordNodes) * kWordNodes + node % kWordNodes;
    }
};

/// Runs are shared out among threads by the word, or by half a word on CUDA; sites by the word, or by four on CUDA, so
/// that threads side by side touch what lies side by side.
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
        constexpr uint32_t kSites = kWordSites / kWordShares;
        const uint32_t mask = static_cast<uint32_t>((uint64_t(1) << kSites) - 1) << share % kWordShares * kSites;
        for (uint32_t starts = bits & ~(bits << 1) & mask; starts; starts &= starts - 1) {
            uint32_t rest = bits & ~((starts & (0u - starts)) - 1);
            visit(take_run(rest));
        }
    } else {
        for (uint32_t rest = bits; rest;) visit(take_run(rest));
    }
}

inline constexpr uint32_t kPartSites = 4, kWordParts = kWordSites / kPartSites;

/// Four values in one access, where they lie on a multiple of its size.
template <class T>
struct alignas(kPartSites * sizeof(T)) Four {
    T value[kPartSites];
};
template <class T>
FLIPSCOPE_HD inline bool in_fours(const T* data, uint32_t width) {
    return width % kPartSites == 0 && reinterpret_cast<uintptr_t>(data) % sizeof(Four<T>) == 0;
}

/// Which runs before a run it touches: one of the word above, or the last of the word before, or one at a corner.
enum class Side { kAbove, kBefore, kBeforeAbove, kAfterAbove };

/// What a word needs to know of its surroundings: the sites above, and whether the single ones at its ends belong.
struct Surroundings {
    uint32_t above = 0, before = 0, before_above = 0, after_above = 0;

    /// A diagonal neighbour beside one that is none is joined to that one, by that one's word.
    template <class Visit>
    FLIPSCOPE_HD void each_touched(uint32_t run, Visit visit) const {
        if (run & before) visit(Side::kBefore, 0);
        for (uint32_t touched = above & (run | run << 1 | run >> 1); touched;)
            visit(Side::kAbove, lowest_bit(take_run(touched)));
        if (run & before_above & ~above & ~before) visit(Side::kBeforeAbove, 0);
        if (run >> 31 & after_above & ~(above >> 31)) visit(Side::kAfterAbove, 0);
    }
};

/// Index: tile. `bound` is the threshold as the float that decides the same; `sign` -1 asks for values above.
struct ChooseAndJoin {
    RunRows rows;
    View<uint32_t> bits, wound;  // wound: empty unless periodic
    View<const float> field;
    View<const uint8_t> obstacles;
    float bound, sign;

    struct Shared {
        uint32_t bits[kTileWords], parents[kTileNodes];
        uint16_t hung[kTileNodes];  // roots, before trees are joined
    };

    FLIPSCOPE_HD void operator()(uint32_t index, Block block, Shared& shared) const {
        const Tile tile(rows, index);
        choose(tile, block, shared);
        block.sync();
#if defined(__CUDA_ARCH__)
        // Everybody below the first run it touches: that needs no agreement, and leaves little to be joined. Threads
        // and shares are as many.
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
        const uint32_t first = threadIdx.x % kWordParts * kPartSites;
        uint32_t chosen[kRounds];
        if (in_fours(field.data, rows.lattice.width) && (!obstacles || in_fours(obstacles.data, 4))) {
            // All is on its way before the first is looked at.
            Four<float> values[kRounds];
            Four<uint8_t> walls[kRounds];
#pragma unroll
            for (uint32_t round = 0; round < kRounds; ++round) {
                const uint32_t k = (round * kBlockThreads + threadIdx.x) / kWordParts;
                chosen[round] = tile.has(k) && first < tile.site_count(k);
                if (!chosen[round]) continue;
                const uint32_t site = tile.first_site(k) + first;
                values[round] = reinterpret_cast<const Four<float>&>(field[site]);
                if (obstacles) walls[round] = reinterpret_cast<const Four<uint8_t>&>(obstacles[site]);
            }
#pragma unroll
            for (uint32_t round = 0; round < kRounds; ++round) {
                if (!chosen[round]) continue;
                chosen[round] = 0;
#pragma unroll
                for (uint32_t j = 0; j < kPartSites; ++j) {
                    const bool wall = obstacles && walls[round].value[j] != 0;
                    chosen[round] |= uint32_t(values[round].value[j] * sign < bound && !wall) << j;
                }
            }
        } else {
#pragma unroll
            for (uint32_t round = 0; round < kRounds; ++round) {
                const uint32_t k = (round * kBlockThreads + threadIdx.x) / kWordParts;
                chosen[round] = 0;
                for (uint32_t j = first; tile.has(k) && j < first + kPartSites && j < tile.site_count(k); ++j)
                    chosen[round] |= chooses(tile.first_site(k) + j) << (j - first);
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
            const uint32_t site = tile.first_site(k), count = tile.site_count(k);
            if (count == kWordSites)
                shared.bits[k] = choose_word(site);
            else
                for (uint32_t j = 0; j < count; ++j) shared.bits[k] |= chooses(site + j) << j;
            bits[tile.word(k)] = shared.bits[k];
        }
#endif
    }
    FLIPSCOPE_HD uint32_t chooses(uint32_t site) const {
        return field[site] * sign < bound && !(obstacles && obstacles[site]);
    }
    /// A byte for each site, which the compiler does many at a time; then eight bytes become eight bits at once.
    uint32_t choose_word(uint32_t site) const {
        uint8_t marks[kWordSites];
        for (uint32_t k = 0; k < kWordSites; ++k) marks[k] = field[site + k] * sign < bound;
        if (obstacles)
            for (uint32_t k = 0; k < kWordSites; ++k) marks[k] &= obstacles[site + k] == 0;
        uint32_t chosen = 0;
        for (uint32_t k = 0; k < kWordSites; k += 8) {
            uint64_t eight = 0;
            for (uint32_t j = 0; j < 8; ++j) eight |= uint64_t(marks[k + j]) << 8 * j;
            chosen |= static_cast<uint32_t>(eight * 0x0102040810204080ull >> 56) << k;
        }
        return chosen;
    }

    /// Within the tile: what lies beyond its borders is for JoinTiles.
    FLIPSCOPE_HD Surroundings around(const Tile& tile, uint32_t k, const Shared& shared) const {
        Surroundings around;
        const uint32_t width = rows.tile_width(), column = tile.column(k);
        const bool row_above = k >= width;
        if (row_above) around.above = shared.bits[k - width];
        if (column > 0) around.before = shared.bits[k - 1] >> (kWordSites - 1);
        if (row_above && column > 0) around.before_above = shared.bits[k - width - 1] >> (kWordSites - 1);
        if (row_above && column + 1 < width) around.after_above = shared.bits[k - width + 1] & 1;
        return around;
    }
    FLIPSCOPE_HD uint32_t touched_node(uint32_t k, Side side, uint32_t place, const Shared& shared) const {
        const uint32_t above = k - rows.tile_width();
        switch (side) {
            case Side::kAbove:
                return above * kWordNodes + slot_at(shared.bits[above], place);
            case Side::kAfterAbove:
                return (above + 1) * kWordNodes;
            default:
                break;
        }
        const uint32_t other = side == Side::kBefore ? k - 1 : above - 1;
        return other * kWordNodes + slot_at(shared.bits[other], kWordSites - 1);
    }

    FLIPSCOPE_HD void hang_below_first(const Tile& tile, uint32_t share, Shared& shared) const {
        const uint32_t k = share / kWordShares, here = shared.bits[k];
        if (here == 0) return;
        const Surroundings surroundings = around(tile, k, shared);
        each_run(here, share, [&](uint32_t run) {
            const uint32_t node = RunRows::node(k, run);
            uint32_t first = node;
            surroundings.each_touched(run, [&](Side side, uint32_t place) {
                if (first == node) first = touched_node(k, side, place, shared);
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
                const uint32_t other = shared.hung[touched_node(k, side, place, shared)];
                if (other != root) join(root, other, shared);
            });
        });
    }
    /// What the two do, where words come one after the other.
    FLIPSCOPE_HD void join_in_order(const Tile& tile, uint32_t k, Shared& shared) const {
        const uint32_t here = shared.bits[k];
        if (here == 0) return;
        const Surroundings surroundings = around(tile, k, shared);
        each_run(here, k, [&](uint32_t run) {
            const uint32_t node = RunRows::node(k, run);
            uint32_t root = node;
            shared.parents[node] = node;
            surroundings.each_touched(run, [&](Side side, uint32_t place) {
                const uint32_t other = find(touched_node(k, side, place, shared), shared);
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
        return shared.parents[node] = shared.parents[shared.parents[node]];  // those before have settled
#endif
    }

    /// The same union-find as RunRows', without offsets.
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

/// Index: tile. Labels to the sites, sums to the components: first those of the tile, then one addition for each
/// component that has a part in it.
struct LabelAndSum {
    RunRows rows;
    View<const uint32_t> wound;  // empty unless periodic
    View<uint32_t> windings, counts, labels;
    View<uint64_t> sums, shifts;
    View<const uint32_t> totals;  // of the segments, on CUDA

    struct Shared {
        uint32_t bits[kTileWords], tops[kTileWords];
        uint16_t top_of[kTileNodes];                  // by run
        uint32_t labels[kTileNodes];                  // by top
        uint32_t heights[kTileNodes], x[kTileNodes];  // by top: area and sum of y in one; sum of x, within the tile
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

    /// Every block for itself, since they cannot wait for each other; the first one also for those who come later.
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
            counts[2] = count + 1;
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
        const uint32_t begin = tile.word(k) * kWordNodes, row = tile.row(k), x = tile.column(k) * kWordSites;
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
            atomic_add(sums[3 * label + 1], shared.x[node] + area * tile.x * kWordSites);
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
            if (winding && atomic_or(windings[shared.labels[shared.top_of[node]]], winding) == 0)
                atomic_add(counts[1], 1u);
        });
    }
    FLIPSCOPE_HD void write_labels(const Tile& tile, Block block, Shared& shared) const {
#if defined(__CUDA_ARCH__)
        const bool fours = in_fours(labels.data, rows.lattice.width);
        for (uint32_t part = block.thread; part < kTileWords * kWordParts; part += block.threads) {
            const uint32_t k = part / kWordParts, first = part % kWordParts * kPartSites, here = shared.bits[k];
            if (!tile.has(k) || first >= tile.site_count(k)) continue;
            Four<uint32_t> four;
#pragma unroll
            for (uint32_t j = 0; j < kPartSites; ++j) {
                four.value[j] = kNone;
                if (!(here >> (first + j) & 1)) continue;
                const bool goes_on = j > 0 && here >> (first + j - 1) & 1;
                four.value[j] = goes_on ? four.value[j - 1] : label_at(k, first + j, shared);
            }
            uint32_t* const to = &labels[tile.first_site(k) + first];
            if (fours)
                *reinterpret_cast<Four<uint32_t>*>(to) = four;
            else
                for (uint32_t j = 0; j < kPartSites && first + j < tile.site_count(k); ++j) to[j] = four.value[j];
        }
#else
        for (uint32_t k = block.thread; k < kTileWords; k += block.threads) {
            if (!tile.has(k)) continue;
            uint32_t* const to = &labels[tile.first_site(k)];
            const uint32_t count = tile.site_count(k);
            fill(to, count, kNone);
            for (uint32_t rest = shared.bits[k]; rest;) {
                const uint32_t run = take_run(rest), first = lowest_bit(run);
                fill(to + first, highest_bit(run) - first + 1, label_at(k, first, shared));
            }
        }
#endif
    }
    static void fill(uint32_t* to, uint32_t count, uint32_t value) {
        if (count == kWordSites)  // known to the compiler
            for (uint32_t j = 0; j < kWordSites; ++j) to[j] = value;
        else
            for (uint32_t j = 0; j < count; ++j) to[j] = value;
    }
    FLIPSCOPE_HD uint32_t label_at(uint32_t k, uint32_t place, const Shared& shared) const {
        return shared.labels[shared.top_of[k * kWordNodes + slot_at(shared.bits[k], place)]];
    }
};

}  // namespace component_kernels

}  // namespace flipscope
