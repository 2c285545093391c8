// Rows of neighbours to which many threads add at once, each neighbour once: LatticeGraph collects links in them before
// it arranges them. Included only by lattice_graph.cu.
//
// A row is a line of 16 places, where a neighbour takes the first free place, cyclically from a place given by its
// hash: threads that add several at once rarely compete for one place. The remaining neighbours are in blocks of 16,
// found by a hash of the label and the number of the block, so a site may have any number of neighbours. Nothing is
// removed while neighbours are added, so adding and searching threads reach the same place.
#pragma once

#include <cstdint>

#include "compute/atomics.h"
#include "compute/view.h"
#include "voronoi/graph/sort_row.h"

namespace flipscope {

inline constexpr uint32_t kRowPlaces = 16;  // a line of the cache

struct LinkRows {
    View<uint32_t> slots;    // (n, 16) neighbours, in any order; kNone: free
    View<uint32_t> blocks;   // (b, 16) further neighbours
    View<uint64_t> keys;     // (b) owner of each block, see key(); 0: free. b is a power of two
    View<uint32_t> degrees;  // (n)
    View<uint64_t> lost;     // (1) neighbours without room

    FLIPSCOPE_HD static uint64_t key(uint32_t label, uint32_t depth) { return (uint64_t(label) + 1) << 32 | depth; }

    /// Index of a block; kNone: it does not exist or, with `make`, there is no room for it.
    FLIPSCOPE_HD uint32_t find_block(uint32_t label, uint32_t depth, bool make) const {
        const uint64_t wanted = key(label, depth);
        const uint32_t mask = static_cast<uint32_t>(keys.count) - 1;
        uint32_t place = static_cast<uint32_t>(wanted * 0x9E3779B97F4A7C15ull >> 32) & mask;
        for (uint32_t tried = 0; tried <= mask; ++tried, place = (place + 1) & mask) {
            uint64_t seen = atomic_load(keys[place]);
            if (seen == 0) {
                if (!make) return kNone;
                seen = atomic_exchange_if(keys[place], uint64_t(0), wanted);
                if (seen == 0) return place;
            }
            if (seen == wanted) return place;
        }
        return kNone;
    }

    /// Whether it was inserted already, as far as this thread can see.
    FLIPSCOPE_HD bool holds(uint32_t label, uint32_t neighbour) const {
        const uint32_t* line = &slots[size_t(label) * kRowPlaces];
        for (uint32_t depth = 0;;) {
            const Place place = find_place(line, neighbour);
            if (place.steps < kRowPlaces) return place.seen == neighbour;
            const uint32_t block = find_block(label, ++depth, false);
            if (block == kNone) return false;
            line = &blocks[size_t(block) * kRowPlaces];
        }
    }

    FLIPSCOPE_HD void insert(uint32_t label, uint32_t neighbour) const {
        if (insert_into(&slots[size_t(label) * kRowPlaces], label, neighbour)) return;
        for (uint32_t depth = 1;; ++depth) {
            const uint32_t block = find_block(label, depth, true);
            if (block == kNone) {
                atomic_add(lost[0], uint64_t(1));
                return;
            }
            if (insert_into(&blocks[size_t(block) * kRowPlaces], label, neighbour)) return;
        }
    }

    /// Copies the row to `out` in ascending order, and clears it.
    FLIPSCOPE_HD void take(uint32_t label, uint32_t* out) const {
        const uint32_t degree = degrees[label];
        if (degree > kRowPlaces) return take_long(label, degree, out);
        uint32_t* const line = &slots[size_t(label) * kRowPlaces];
        uint32_t held[kRowPlaces + 1], count = 0;
        for (uint32_t i = 0; i < kRowPlaces; ++i) {
            held[count] = line[i];
            count += line[i] != kNone;
        }
        for (uint32_t i = 0; i < kRowPlaces; ++i) line[i] = kNone;
        for (uint32_t i = 0; i < degree; ++i) {
            uint32_t rank = 0;
            for (uint32_t j = 0; j < degree; ++j) rank += held[j] < held[i];
            out[rank] = held[i];
        }
    }
    FLIPSCOPE_HD void take_long(uint32_t label, uint32_t degree, uint32_t* out) const {
        uint32_t* line = &slots[size_t(label) * kRowPlaces];
        for (uint32_t taken = 0, depth = 1;; ++depth) {
            for (uint32_t i = 0; i < kRowPlaces; ++i) {
                if (line[i] == kNone) continue;
                out[taken++] = line[i];
                line[i] = kNone;
            }
            if (taken == degree) break;
            line = &blocks[size_t(find_block(label, depth, false)) * kRowPlaces];
        }
        sort_row(out, degree);
    }

  private:
    struct Place {
        uint32_t steps, seen;  // from the neighbour's own place
    };
    FLIPSCOPE_HD static uint32_t own_place(uint32_t neighbour) { return neighbour * 0x9E3779B9u >> 28; }
    static_assert(kRowPlaces == 16);

    /// The place of a line with the neighbour, or else its first free one; kRowPlaces steps: full.
    FLIPSCOPE_HD static Place find_place(const uint32_t* line, uint32_t neighbour) {
        const uint32_t own = own_place(neighbour);
#if defined(__CUDA_ARCH__)
        // The whole line at once: reading place by place would wait for memory as often.
        const uint4* const quarters = reinterpret_cast<const uint4*>(line);
        uint4 four[kRowPlaces / 4];
        for (uint32_t k = 0; k < kRowPlaces / 4; ++k) four[k] = __ldcg(quarters + k);
        uint32_t held = 0, ends = 0;  // bits of places
        for (uint32_t k = 0; k < kRowPlaces / 4; ++k) {
            const uint32_t seen[4] = {four[k].x, four[k].y, four[k].z, four[k].w};
            for (uint32_t j = 0; j < 4; ++j) {
                held |= uint32_t(seen[j] == neighbour) << (4 * k + j);
                ends |= uint32_t(seen[j] == neighbour || seen[j] == kNone) << (4 * k + j);
            }
        }
        if (held) return {0, neighbour};
        if (!ends) return {kRowPlaces, kNone};
        return {static_cast<uint32_t>(__ffs(static_cast<int>((ends | ends << kRowPlaces) >> own)) - 1), kNone};
#else
        for (uint32_t i = 0; i < kRowPlaces; ++i)
            if (const uint32_t seen = atomic_load(line[(own + i) % kRowPlaces]); seen == neighbour || seen == kNone)
                return {i, seen};
        return {kRowPlaces, kNone};
#endif
    }
    /// False: the line is full.
    FLIPSCOPE_HD bool insert_into(uint32_t* line, uint32_t label, uint32_t neighbour) const {
        // Other threads may have inserted meanwhile; places before the one found are final.
        const Place place = find_place(line, neighbour);
        if (place.seen == neighbour) return true;
        for (uint32_t i = place.steps; i < kRowPlaces; ++i) {
            uint32_t& at = line[(own_place(neighbour) + i) % kRowPlaces];
            uint32_t seen = i == place.steps ? kNone : atomic_load(at);
            if (seen == kNone) {
                seen = atomic_exchange_if(at, kNone, neighbour);
                if (seen == kNone) {
                    atomic_add(degrees[label], 1u);
                    return true;
                }
            }
            if (seen == neighbour) return true;
        }
        return false;
    }
};

}  // namespace flipscope
