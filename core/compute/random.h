// Counter-based random numbers (Philox from Random123): number k of stream s is a pure function of k and s, the same on
// both devices.
#pragma once

#include <Random123/philox.h>

#include <cstdint>

#include "flipscope/view.h"

namespace flipscope {

/// Two uniform doubles in [0, 1), number `counter` of the stream `key`.
struct RandomPair {
    double first, second;
};
FLIPSCOPE_HD inline RandomPair random_pair(uint64_t key, uint64_t counter) {
    r123::Philox4x32 philox;
    const r123::Philox4x32::ctr_type bits =
        philox({{static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0}},
               {{static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)}});
    const uint64_t a = (uint64_t(bits[0]) << 32 | bits[1]) >> 11, b = (uint64_t(bits[2]) << 32 | bits[3]) >> 11;
    return {double(a) * 0x1p-53, double(b) * 0x1p-53};
}

}  // namespace flipscope
