// The pixels of components, as runs: 32 pixels of a row are a word of bits, and consecutive pixels of a word are a run,
// the unit that components.cu joins, ranks and measures. Included only by the kernels of components*.cpp.
#pragma once

#include <bit>
#include <cstdint>

#include "compute/atomics.h"
#include "compute/view.h"
#include "voronoi/lattice.h"

namespace flipscope {

FLIPSCOPE_HD inline uint32_t lowest_bit(uint32_t word) {  // of a word that is not 0
#if defined(__CUDA_ARCH__)
    return static_cast<uint32_t>(__ffs(static_cast<int>(word)) - 1);
#else
    return static_cast<uint32_t>(std::countr_zero(word));
#endif
}
FLIPSCOPE_HD inline uint32_t highest_bit(uint32_t word) {  // of a word that is not 0
#if defined(__CUDA_ARCH__)
    return static_cast<uint32_t>(31 - __clz(static_cast<int>(word)));
#else
    return static_cast<uint32_t>(31 - std::countl_zero(word));
#endif
}
FLIPSCOPE_HD inline uint32_t count_bits(uint32_t word) {
#if defined(__CUDA_ARCH__)
    return static_cast<uint32_t>(__popc(word));
#else
    return static_cast<uint32_t>(std::popcount(word));
#endif
}

inline constexpr uint32_t kWordPixels = 32;
inline constexpr uint32_t kWordNodes = 16;  // runs do not touch, so a word has at most 16
/// The index within its word's nodes of the run that contains bit `place`.
FLIPSCOPE_HD inline uint32_t slot_at(uint32_t bits, uint32_t place) {
    const uint32_t gaps = ~bits & ((1u << place) - 1);
    return (gaps ? highest_bit(gaps) + 1 : 0) / 2;
}
inline constexpr uint32_t kTileWords = 128, kTileNodes = kTileWords * kWordNodes;
inline constexpr uint32_t kSegments = 1024;  // at most

/// Removes the lowest run from `rest`, which must not be 0, and returns it.
FLIPSCOPE_HD inline uint32_t take_run(uint32_t& rest) {
    const uint32_t without = rest & (rest + (rest & (0u - rest)));
    const uint32_t run = rest ^ without;
    rest = without;
    return run;
}

/// Contributions of one or more runs to the area and the centre of mass; x and y modulo 2^64.
struct RunSums {
    uint64_t area, x, y;
    FLIPSCOPE_HD friend RunSums operator+(const RunSums& a, const RunSums& b) {
        return {a.area + b.area, a.x + b.x, a.y + b.y};
    }
};

/// The directions in which a component winds around the lattice.
enum WindingBit : uint32_t { kWindsInX = 1u << 0, kWindsInY = 1u << 1 };

/// The runs of a lattice, and the union-find over them.
///
/// Nodes. Run r of word w, beginning at bit p, is node 16 w + p / 2: nodes are in the order of the pixels. A node holds
/// its parent (a lower node, or itself for a root) in the upper 32 bits, and the offset from its parent in the lower
/// ones.
///
/// Tiles. The runs of a tile are joined first, by one block. They are in one window, so they need no offsets, and each
/// gets as its parent the lowest connected run of the tile: its top, whose number within the tile is stored instead of
/// the offset. Only tops are joined across the borders of tiles.
///
/// Ranks. Components are numbered in two steps: roots within a segment of the words, then segments.
///
/// Offsets. On a torus or a cylinder every pixel lies in the window it was read from, but its component may extend
/// beyond it. An offset x · stride + y means that a run lies x widths and y heights further than its parent. A stride
/// of 2 width + 3 keeps the two apart, since a path over distinct pixels crosses the border in y at most width + 1
/// times net.
struct RunRows {
    Lattice lattice;
    uint32_t row_words = 0;      // words per row
    View<const uint32_t> bits;   // (h, row_words) bit k of word x: pixel 32 x + k of the row is in a component
    View<uint64_t> nodes;        // (h, row_words, 16)
    View<uint32_t> tops;         // (h, row_words) bit r: run r is the lowest of its connected runs in its tile
    View<uint32_t> firsts;       // (segments) label of the first root in each
    uint32_t tile_shift = 0;     // a tile is 2^tile_shift words wide, and has kTileWords in all
    uint32_t segment_shift = 0;  // a segment has 2^segment_shift words

    struct Found {
        uint32_t root;
        uint32_t offset;  // of the node from its root
    };
    struct Windows {
        int64_t x, y;  // widths and heights
    };

    FLIPSCOPE_HD static uint64_t pack(uint32_t parent, uint32_t offset) { return uint64_t(parent) << 32 | offset; }
    FLIPSCOPE_HD static uint32_t parent(uint64_t node) { return static_cast<uint32_t>(node >> 32); }
    FLIPSCOPE_HD static uint32_t offset(uint64_t node) { return static_cast<uint32_t>(node); }

    FLIPSCOPE_HD uint32_t tile_width() const { return 1u << tile_shift; }  // words
    FLIPSCOPE_HD uint32_t tile_height() const { return kTileWords >> tile_shift; }
    FLIPSCOPE_HD uint32_t tile_columns() const { return (row_words + tile_width() - 1) >> tile_shift; }
    FLIPSCOPE_HD uint32_t tile_rows() const { return (lattice.height + tile_height() - 1) / tile_height(); }
    FLIPSCOPE_HD uint32_t tiles() const { return tile_columns() * tile_rows(); }
    FLIPSCOPE_HD uint32_t words() const { return row_words * lattice.height; }
    FLIPSCOPE_HD uint32_t segment(uint32_t node) const { return node / kWordNodes >> segment_shift; }
    FLIPSCOPE_HD uint32_t segments() const { return (words() + (1u << segment_shift) - 1) >> segment_shift; }

    FLIPSCOPE_HD uint32_t stride() const { return 2 * lattice.width + 3; }
    FLIPSCOPE_HD Windows windows(uint32_t offset) const {
        const int64_t period = stride(), value = static_cast<int32_t>(offset);
        int64_t y = value % period;
        if (y > period / 2) y -= period;
        if (y < -(period / 2)) y += period;
        return {(value - y) / period, y};
    }

    FLIPSCOPE_HD static uint32_t node(uint32_t word, uint32_t run) { return word * kWordNodes + lowest_bit(run) / 2; }
    /// The node of the run that contains bit `place` of a word.
    FLIPSCOPE_HD uint32_t node_at(uint32_t word, uint32_t place) const {
        return word * kWordNodes + slot_at(bits[word], place);
    }
    /// The run of a node, as bits of its word.
    FLIPSCOPE_HD uint32_t run_of(uint32_t node) const {
        const uint32_t word = bits[node / kWordNodes];
        const uint32_t start = word & ~(word << 1) & 3u << 2 * (node % kWordNodes);
        uint32_t rest = word & ~(start - 1);
        return take_run(rest);
    }

    FLIPSCOPE_HD bool is_top(uint32_t node) const { return tops[node / kWordNodes] >> node % kWordNodes & 1; }
    FLIPSCOPE_HD uint32_t top_of(uint32_t node) const { return is_top(node) ? node : parent(nodes[node]); }

    /// After the ranking: the index of a root in its segment is stored instead of its offset.
    FLIPSCOPE_HD uint32_t label(uint32_t node) const {
        const uint32_t root = root_of(top_of(node)).root;
        return firsts[segment(root)] + offset(nodes[root]);
    }
    /// After the ranking: the sums of a run, in its component's window except for directions in which it winds.
    FLIPSCOPE_HD RunSums sums(uint32_t node, uint32_t run, uint32_t winding) const {
        const uint32_t word = node / kWordNodes, first = lowest_bit(run), last = highest_bit(run);
        const uint64_t area = last - first + 1, x = word % row_words * kWordPixels, y = word / row_words;
        RunSums sum{area, x * area + (first + last) * area / 2, y * area};
        const uint32_t from_root = root_of(top_of(node)).offset;
        if (from_root == 0) return sum;
        const Windows away = windows(from_root);
        if (!(winding & kWindsInX)) sum.x += static_cast<uint64_t>(away.x * lattice.width) * area;
        if (!(winding & kWindsInY)) sum.y += static_cast<uint64_t>(away.y * lattice.height) * area;
        return sum;
    }

    /// The root of a top, while nothing is being joined.
    FLIPSCOPE_HD Found root_of(uint32_t node) const {
        uint32_t total = 0;
        for (;;) {
            const uint64_t here = nodes[node];
            if (parent(here) == node) return {node, total};
            total += offset(here);
            node = parent(here);
        }
    }

    /// The root of a top. Shortens the path for other threads; never writes roots.
    FLIPSCOPE_HD Found find(uint32_t node) const {
        uint32_t total = 0;
        for (;;) {
            const uint64_t here = atomic_load(nodes[node]);
            const uint32_t above = parent(here);
            if (above == node) return {node, total};
            const uint64_t there = atomic_load(nodes[above]);
            if (parent(there) == above) return {above, total + offset(here)};
            const uint64_t shorter = pack(parent(there), offset(here) + offset(there));
            atomic_store(nodes[node], shorter);
            total += offset(shorter);
            node = parent(there);
        }
    }

    /// Makes the root the parent of a top, and returns it: for a pass in which each node is written only by its own
    /// thread, because a shorter path written by another thread could arrive late and undo that. All threads climb at
    /// the same time and store the highest node reached, so all paths become shorter together.
    FLIPSCOPE_HD uint32_t climb(uint32_t node) const {
        const uint64_t here = atomic_load(nodes[node]);
        uint32_t above = parent(here), total = offset(here);
        if (above == node) return node;
        for (;;) {
            const uint64_t there = atomic_load(nodes[above]);
            if (parent(there) == above) return above;
            above = parent(there);
            total += offset(there);
            atomic_store(nodes[node], pack(above, total));
        }
    }

    /// Joins two tops, where b is offset by `step` from a. Returns 0, or the difference of the two paths if they were
    /// joined already: a winding.
    FLIPSCOPE_HD uint32_t join(uint32_t a, uint32_t b, uint32_t step) const {
        Found from = find(a), to = find(b);
        for (;;) {
            if (from.root == to.root) return from.offset + step - to.offset;
            // The higher root becomes a child of the lower one, so that finally a root is its component's lowest run.
            const bool from_goes = from.root > to.root;
            const uint32_t child = from_goes ? from.root : to.root;
            const uint32_t way = from.offset + step - to.offset;  // of to's root, relative to from's
            const uint64_t linked = pack(from_goes ? to.root : from.root, from_goes ? 0u - way : way);
            if (atomic_exchange_if(nodes[child], pack(child, 0), linked) == pack(child, 0)) return 0;
            const Found further = find(child);  // another thread was faster
            if (from_goes)
                from = {further.root, from.offset + further.offset};
            else
                to = {further.root, to.offset + further.offset};
        }
    }
};

}  // namespace flipscope
