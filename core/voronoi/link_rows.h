// Rows of neighbours that many threads add to at once, each neighbour once: what LatticeGraph collects links in before
// it arranges them. Used by lattice_graph.cpp alone.
//
// A row is a line of 16 places, filled from the front. What does not fit goes on in blocks of 16, found by a hash of
// the label and of how manieth block it is, so a centre may have any number of neighbours. No place is left empty
// before a full one, so whoever adds a neighbour and whoever looks for it meet at the same place.
#pragma once

#include <cstdint>

#include "compute/atomics.h"
#include "compute/view.h"

namespace flipscope {

inline constexpr uint32_t kRowPlaces = 16;  // a line of the cache

struct LinkRows {
    View<uint32_t> slots;    // (n, 16) neighbours, in no order; kNone: free
    View<uint32_t> blocks;   // (b, 16) the same of what does not fit
    View<uint64_t> keys;     // (b) whose block it is, see key(); 0: nobody's. b is a power of two
    View<uint32_t> degrees;  // (n)
    View<uint64_t> lost;     // (1) neighbours that found no room

    FLIPSCOPE_HD static uint64_t key(uint32_t label, uint32_t depth) { return (uint64_t(label) + 1) << 32 | depth; }

    /// Where the block is; kNone: there is none, and with `make`, there is no room for it.
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
            if (place.index < kRowPlaces) return place.seen == neighbour;
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

    /// Copies the row to `out`, unsorted, and empties it.
    FLIPSCOPE_HD void take(uint32_t label, uint32_t* out) const {
        const uint32_t degree = degrees[label];
        uint32_t* from = &slots[size_t(label) * kRowPlaces];
        for (uint32_t i = 0; i < degree; ++i) {
            if (i && i % kRowPlaces == 0) from = &blocks[size_t(find_block(label, i / kRowPlaces, false)) * kRowPlaces];
            out[i] = from[i % kRowPlaces];
            from[i % kRowPlaces] = kNone;
        }
    }

  private:
    struct Place {
        uint32_t index, seen;
    };
    /// The place of a line that holds the neighbour, or else its first free one; kRowPlaces: it is full of others.
    FLIPSCOPE_HD static Place find_place(const uint32_t* line, uint32_t neighbour) {
#if defined(__CUDA_ARCH__)
        // All of the line at once: place by place would wait for memory as often.
        const uint4* const quarters = reinterpret_cast<const uint4*>(line);
        Place found{kRowPlaces, kNone};
        uint4 four[kRowPlaces / 4];
        for (uint32_t k = 0; k < kRowPlaces / 4; ++k) four[k] = __ldcg(quarters + k);
        for (uint32_t k = kRowPlaces / 4; k-- > 0;) {
            const uint32_t seen[4] = {four[k].x, four[k].y, four[k].z, four[k].w};
            for (uint32_t j = 4; j-- > 0;)
                if (seen[j] == neighbour || seen[j] == kNone) found = {4 * k + j, seen[j]};
        }
        return found;
#else
        for (uint32_t i = 0; i < kRowPlaces; ++i)
            if (const uint32_t seen = atomic_load(line[i]); seen == neighbour || seen == kNone) return {i, seen};
        return {kRowPlaces, kNone};
#endif
    }
    /// False: the line is full of others.
    FLIPSCOPE_HD bool insert_into(uint32_t* line, uint32_t label, uint32_t neighbour) const {
        // Others may have come first meanwhile; before the place found nothing changes any more.
        const Place place = find_place(line, neighbour);
        if (place.seen == neighbour) return true;
        for (uint32_t i = place.index; i < kRowPlaces; ++i) {
            uint32_t seen = i == place.index ? place.seen : atomic_load(line[i]);
            if (seen == kNone) {
                seen = atomic_exchange_if(line[i], kNone, neighbour);
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

/// Ascending order in place, for the rare row that is long.
FLIPSCOPE_HD inline void heap_sort(uint32_t* values, uint32_t count) {
    const auto sink = [&](uint32_t from, uint32_t end) {
        const uint32_t value = values[from];
        for (uint32_t child; (child = 2 * from + 1) < end; from = child) {
            if (child + 1 < end && values[child] < values[child + 1]) ++child;
            if (values[child] <= value) break;
            values[from] = values[child];
        }
        values[from] = value;
    };
    for (uint32_t i = count / 2; i-- > 0;) sink(i, count);
    for (uint32_t end = count; end > 1;) {
        --end;
        const uint32_t top = values[0];
        values[0] = values[end];
        values[end] = top;
        sink(0, end);
    }
}

}  // namespace flipscope
