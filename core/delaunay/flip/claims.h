// Finds the edge that holds a triangle after a claim pass, for reports, in the claims that the kernels leave.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "delaunay/flip/flip_conflicts.h"

namespace flipscope {

namespace detail {

/// The inverse of an odd number modulo 2^32.
constexpr uint32_t inverse_of(uint32_t odd) {
    uint32_t inverse = odd;  // right in the lowest three bits; every turn doubles them
    for (int turn = 0; turn < 4; ++turn) inverse *= 2 - odd * inverse;
    return inverse;
}

}  // namespace detail

/// The edge of which hashed() makes this key.
constexpr uint32_t unhashed(uint32_t key) {
    uint32_t v = key;
    v = (v ^ (v >> 15) ^ (v >> 30)) * detail::inverse_of(0x297A2D39u);
    v = (v ^ (v >> 12) ^ (v >> 24)) * detail::inverse_of(0x2C1B3C6Du);
    return (v ^ (v >> 15) ^ (v >> 30)) - 1;
}

struct TriangleClaims {
    const Buffer<uint64_t>* claims = nullptr;  // (t) as FlipPass has them; nullptr: none
    uint32_t stamp = 0;                        // of the last pass
    ConflictRule rule = ConflictRule::kLowestId;

    /// The edge that was granted this triangle by the last pass; kNone: no edge claimed it in that pass, or the record
    /// is gone. Waits for the device.
    uint32_t holder(uint32_t triangle) const {
        if (!claims || triangle >= claims->size()) return 0xFFFFFFFFu;
        const uint64_t claim = claims->read(triangle);
        if (static_cast<uint32_t>(claim >> 32) != ~stamp) return 0xFFFFFFFFu;
        const auto key = static_cast<uint32_t>(claim);
        return rule == ConflictRule::kHashedId ? unhashed(key) : key;
    }
};

}  // namespace flipscope
