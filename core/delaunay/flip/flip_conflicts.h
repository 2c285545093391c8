// Which of two illegal edges that share a triangle is granted it: the one with the lower key, or, as in the paper, the
// one that claims first.
#pragma once

#include <cstdint>

#include "compute/atomics.h"
#include "flipscope/view.h"

namespace flipscope {

enum class ConflictRule : uint32_t { kLowestId, kHashedId, kFirstTaken };

/// A bijection of 32-bit words without a relation between neighbouring values.
FLIPSCOPE_HD inline uint32_t hashed(uint32_t edge) {
    uint32_t v = edge + 1;
    v = (v ^ (v >> 15)) * 0x2C1B3C6Du;
    v = (v ^ (v >> 12)) * 0x297A2D39u;
    return v ^ (v >> 15);
}

/// Of two edges the one with the lower key is granted the triangle.
FLIPSCOPE_HD inline uint32_t key_of(uint32_t edge, ConflictRule rule) {
    return rule == ConflictRule::kHashedId ? hashed(edge) : edge;
}

/// Claims a triangle. The high word is the complement of the pass number, so a claim of an older pass is never granted.
FLIPSCOPE_HD inline void place_claim(uint64_t& best, uint64_t claim, ConflictRule rule) {
    if (rule == ConflictRule::kFirstTaken) {  // the paper's rule: depends on the order of threads
        const uint64_t seen = atomic_load(best);
        if (seen >> 32 != claim >> 32) atomic_exchange_if(best, seen, claim);
    } else {
        atomic_min(best, claim);
    }
}

}  // namespace flipscope
