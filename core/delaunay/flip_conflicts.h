// Which edge goes first where two illegal ones share a triangle: the lower key, or, as in the paper, the one that came
// first.
#pragma once

#include <cstdint>

#include "compute/atomics.h"
#include "compute/macros.h"

namespace flipscope {

enum class ConflictRule : uint32_t { kLowestId, kHashedId, kFirstTaken };

/// A bijection of 32-bit words that leaves no order of neighbours.
FLIPSCOPE_HD inline uint32_t scrambled(uint32_t edge) {
    uint32_t v = edge + 1;
    v = (v ^ (v >> 15)) * 0x2C1B3C6Du;
    v = (v ^ (v >> 12)) * 0x297A2D39u;
    return v ^ (v >> 15);
}

/// Of two edges the one with the lower key goes first.
FLIPSCOPE_HD inline uint32_t key_of(uint32_t edge, ConflictRule rule) {
    return rule == ConflictRule::kHashedId ? scrambled(edge) : edge;
}

/// Offers a bid for a triangle. The high words tell passes apart, so that a bid of an older pass never stands.
FLIPSCOPE_HD inline void place_bid(uint64_t& best, uint64_t bid, ConflictRule rule) {
    if (rule == ConflictRule::kFirstTaken) {  // the paper's rule: depends on which comes first
        const uint64_t seen = atomic_load(best);
        if (seen >> 32 != bid >> 32) atomic_exchange_if(best, seen, bid);
    } else {
        atomic_min(best, bid);
    }
}

}  // namespace flipscope
